import type { SortColumn } from "../../platform/db/keyset.ts";
import type { SqlFilter } from "../../platform/db/list-query.ts";
import { choice, containedText, timeBound, wholeNumber } from "../../platform/resources/filters.ts";
import { walletStatuses, walletTypes } from "./wallet.ts";

/** Characters of a wallet's label. */
export const labelMax = 32;

/** The filters of the wallet list: what each accepts, and which rows of `wallet as w` it selects. */
export const walletFilters = {
  id: { ...wholeNumber(8), kind: "id", sql: "w.id" },
  type: { ...choice(walletTypes), kind: "integer", sql: "w.type" },
  // The name of the filter on deposits and payouts; published clients send it here too.
  wallet_type: { ...choice(walletTypes), kind: "integer", sql: "w.type" },
  status: { ...choice(walletStatuses), kind: "integer", sql: "w.status" },
  currency: { ...wholeNumber(8), kind: "text", sql: "w.currency" },
  label: { ...containedText(labelMax), kind: "contains", sql: "w.label" },
  created_at_from: { ...timeBound(), kind: "from", sql: "w.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "w.created_at" },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const walletSort = {
  id: { sql: "w.id", type: "bigint" },
  created_at: { sql: "w.created_at", type: "timestamptz" },
  label: { sql: "w.label", type: "text" },
  type: { sql: "w.type", type: "integer" },
  status: { sql: "w.status", type: "integer" },
} as const satisfies Readonly<Record<string, SortColumn>>;
