import type { Instant } from "../../platform/kernel/clock.ts";

export const searchedTypes = [
  { value: "deposit", name: "Deposit" },
  { value: "payout", name: "Payout" },
  { value: "transfer", name: "Transfer" },
  { value: "unattributed", name: "Unattributed payment, for operators only" },
] as const;

/** Which value the text matches or starts. */
export const searchedFields = [
  { value: "id", name: "its number" },
  { value: "page", name: "the id of its payment page" },
  { value: "txid", name: "its transaction" },
  { value: "tracking_id", name: "its tracking id starts with the text" },
  { value: "label", name: "its label starts with the text" },
  { value: "address", name: "its address starts with the text" },
  { value: "tag", name: "its tag" },
  { value: "from_address", name: "an address that sent it" },
] as const;

export type SearchHit = {
  readonly objectType: (typeof searchedTypes)[number]["value"];
  readonly objectId: string;
  /** Null: it is in no wallet. */
  readonly walletId: string | null;
  readonly matched: (typeof searchedFields)[number]["value"];
  /** The complete value that matched. */
  readonly value: string;
  /** Null on an unattributed payment. */
  readonly status: number | null;
  /** As on the object itself; null on a transfer. */
  readonly state: string | null;
  readonly createdAt: Instant;
};

/** Most hits of one search; more should refine the text. */
export const hitsMax = 20;
