import type { VNode } from "preact";
import type { CheckoutState } from "../../../../src/deposits/checkout/checkout-state.ts";
import { usePage } from "../page-context.ts";
import { safeLink } from "../safe-link.ts";

/** The way back to the shop: the main thing to do once it is over, a quiet one before. */
export function Redirect({ state }: { readonly state: CheckoutState }): VNode | null {
  const { messages } = usePage();
  const href = state.redirect === null ? null : safeLink(state.redirect.url);
  if (href === null) return null;
  const isOver = ["paid", "expired", "cancelled"].includes(state.stage);
  return (
    <a class={isOver ? "button redirect" : "redirect"} href={href} rel="noopener noreferrer">
      {state.redirect?.text ?? messages.value.backToShop(state.shop)}
    </a>
  );
}
