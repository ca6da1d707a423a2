import type { CheckoutBrand } from "../../../src/deposits/checkout/checkout-state.ts";

/** Sets the store's colors as CSS properties, which the content security policy allows. styles/colors.css uses them. */
export function applyBrand({ accents }: CheckoutBrand, root: HTMLElement): void {
  root.classList.toggle("is-branded", accents !== null);
  if (accents === null) return;
  const { light, dark } = accents;
  root.style.setProperty("--brand", light.color);
  root.style.setProperty("--brand-ink", light.ink);
  root.style.setProperty("--brand-dark", dark.color);
  root.style.setProperty("--brand-dark-ink", dark.ink);
}
