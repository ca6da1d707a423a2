import type { CheckoutBrand } from "../checkout/checkout-state.ts";

/** What the public page of a payment link shows. It contains no account, no wallet and no id except the page's own. */
export type LinkPageState = {
  readonly id: string;
  readonly shop: string | null;
  readonly brand: CheckoutBrand;
  readonly helpEmail: string | null;
  readonly isSandbox: boolean;
  readonly name: string;
  readonly description: string | null;
  /** Path of the image on the page's origin. */
  readonly image: string | null;
  readonly currency: { readonly code: string; readonly precision: number };
  readonly amountType: "fixed" | "chosen" | "open";
  /** Decimal texts in the currency. */
  readonly amount: string | null;
  readonly amountMin: string | null;
  readonly amountMax: string | null;
  readonly state: "active" | "inactive" | "ended" | "sold_out";
  /** How many payments the link still takes; null: any number. */
  readonly left: number | null;
};
