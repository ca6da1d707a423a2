import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";

export type PageFailure = "not_found" | "throttled" | "unavailable";

/** What the server wrote into the page: the payment's state, or why there is none. */
export type Start =
  | { readonly state: CheckoutState; readonly failure: null; readonly retryAfterSeconds: null }
  | {
      readonly state: null;
      readonly failure: PageFailure;
      /** When the page may be loaded again; null: it says nothing of that. */
      readonly retryAfterSeconds: number | null;
    };

type Written =
  | CheckoutState
  | { readonly failure: PageFailure; readonly retryAfterSeconds?: number }
  | null;

/** Reads the data block. A page that was served without one is no payment's page. */
export function readStart(text: string): Start {
  const value = text.trim() === "" ? null : (JSON.parse(text) as Written);
  if (value === null) return { state: null, failure: "not_found", retryAfterSeconds: null };
  if (!("failure" in value)) return { state: value, failure: null, retryAfterSeconds: null };
  const { failure, retryAfterSeconds = null } = value;
  return { state: null, failure, retryAfterSeconds };
}
