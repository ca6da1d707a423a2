import type { PayoutRequest } from "./payout-request.ts";

/** A sent payout without a definite answer yet. Resending the same request with the same key never creates a second payout. */
export type SentPayout = {
  readonly key: string;
  readonly request: PayoutRequest;
};

export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const name = "sluice-payout-sent";

/** The tab's recorded payout, also after a reload; null if there is none. */
export function readSent(storage: DraftStorage): SentPayout | null {
  const text = storage.getItem(name);
  if (text === null) return null;
  try {
    const sent = JSON.parse(text) as Partial<SentPayout> | null;
    return typeof sent?.key === "string" && typeof sent.request === "object"
      ? (sent as SentPayout)
      : null;
  } catch {
    return null;
  }
}

/** Called before sending, so that a crash cannot lose a sent payout. */
export function rememberSent(storage: DraftStorage, sent: SentPayout): void {
  storage.setItem(name, JSON.stringify(sent));
}

/** Called after a definite answer. */
export function forgetSent(storage: DraftStorage): void {
  storage.removeItem(name);
}
