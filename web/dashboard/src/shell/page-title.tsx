/** The document's title: `Deposits · Sluice`. */
export function PageTitle({ title }: { readonly title: string }) {
  return <title>{`${title} · Sluice`}</title>;
}
