import type { Instant } from "../../platform/kernel/clock.ts";

export const searchedTypes = [
  { value: "deposit", name: "Deposit" },
  { value: "payout", name: "Payout" },
  { value: "transfer", name: "Transfer" },
] as const;

/** What of an object the text is, or is the beginning of. */
export const searchedFields = [
  { value: "id", name: "its number" },
  { value: "page", name: "the id of its payment page" },
  { value: "txid", name: "its transaction" },
  { value: "tracking_id", name: "its tracking id begins so" },
  { value: "label", name: "its label begins so" },
  { value: "address", name: "its address begins so" },
] as const;

export type SearchHit = {
  readonly objectType: (typeof searchedTypes)[number]["value"];
  readonly objectId: string;
  readonly walletId: string;
  readonly matched: (typeof searchedFields)[number]["value"];
  /** The whole of what the text was found in. */
  readonly value: string;
  readonly status: number;
  readonly createdAt: Instant;
};

/** Most hits of one search: who sees so many types more. */
export const hitsMax = 20;
