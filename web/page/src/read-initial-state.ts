import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";

export type PageFailure = "not_found" | "throttled" | "unavailable";

/** The data that the server embeds in the HTML: the payment's state, or why there is none. */
export type InitialState =
  | { readonly state: CheckoutState; readonly failure: null; readonly retryAfterSeconds: null }
  | {
      readonly state: null;
      readonly failure: PageFailure;
      /** When to reload the page; null if it need not be reloaded. */
      readonly retryAfterSeconds: number | null;
    };

type Embedded =
  | CheckoutState
  | { readonly failure: PageFailure; readonly retryAfterSeconds?: number }
  | null;

/** Parses the embedded data. An empty block is a page that does not exist. */
export function readInitialState(text: string): InitialState {
  const value = text.trim() === "" ? null : (JSON.parse(text) as Embedded);
  if (value === null) return { state: null, failure: "not_found", retryAfterSeconds: null };
  if (!("failure" in value)) return { state: value, failure: null, retryAfterSeconds: null };
  const { failure, retryAfterSeconds = null } = value;
  return { state: null, failure, retryAfterSeconds };
}
