import type { VNode } from "preact";
import { usePage } from "../page-context.ts";
import { safeLink } from "../safe-link.ts";
import { Icon } from "./icon.tsx";

/** Opens the transaction in a public explorer; nothing on private and test networks. */
export function ExplorerLink({ link }: { readonly link: string | null }): VNode | null {
  const { explorer } = usePage().messages.value;
  const href = link === null ? null : safeLink(link);
  if (href === null) return null;
  return (
    <a class="explorer" href={href} target="_blank" rel="noopener noreferrer">
      {explorer}
      <Icon name="out" />
    </a>
  );
}
