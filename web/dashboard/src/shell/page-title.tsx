/** Names the document, for the tab, the history, and whoever hears the page: `Deposits · Sluice`. */
export function PageTitle({ title }: { readonly title: string }) {
  return <title>{`${title} · Sluice`}</title>;
}
