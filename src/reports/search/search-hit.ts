import type { Instant } from "../../platform/kernel/clock.ts";

export const searchedTypes = [
  { value: "deposit", name: "Deposit" },
  { value: "payout", name: "Payout" },
  { value: "transfer", name: "Transfer" },
] as const;

/** Which value the text matches or starts. */
export const searchedFields = [
  { value: "id", name: "its number" },
  { value: "page", name: "the id of its payment page" },
  { value: "txid", name: "its transaction" },
  { value: "tracking_id", name: "its tracking id starts with the text" },
  { value: "label", name: "its label starts with the text" },
  { value: "address", name: "its address starts with the text" },
] as const;

export type SearchHit = {
  readonly objectType: (typeof searchedTypes)[number]["value"];
  readonly objectId: string;
  readonly walletId: string;
  readonly matched: (typeof searchedFields)[number]["value"];
  /** The complete value that matched. */
  readonly value: string;
  readonly status: number;
  /** As on a deposit or payout; null on a transfer. */
  readonly state: string | null;
  readonly createdAt: Instant;
};

/** Most hits of one search; more should refine the text. */
export const hitsMax = 20;
