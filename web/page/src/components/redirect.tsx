import type { VNode } from "preact";
import type { CheckoutState } from "../../../../src/deposits/checkout/checkout-state.ts";
import { usePage } from "../page-context.ts";
import { safeLink } from "../safe-link.ts";

/** The link back to the store, which leaves the frame where the page is embedded: the primary action once the payment is over, a plain link before. */
export function Redirect({ state }: { readonly state: CheckoutState }): VNode | null {
  const { messages } = usePage();
  const href = state.redirect === null ? null : safeLink(state.redirect.url);
  if (href === null) return null;
  const isOver = ["paid", "expired", "cancelled"].includes(state.stage);
  return (
    <a
      class={isOver ? "button redirect" : "redirect"}
      href={href}
      target={window.parent === window ? "_self" : "_top"}
      rel="noopener noreferrer"
    >
      {state.redirect?.text ?? messages.value.backToStore(state.shop)}
    </a>
  );
}
