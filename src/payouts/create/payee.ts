import {
  columnList,
  computed,
  flag,
  id,
  instant,
  orNull,
  type RecordOf,
  recordReader,
  text,
} from "../../platform/db/columns.ts";

const payeeFields = {
  id: id("id"),
  chain: text("chain"),
  address: text("address"),
  tag: orNull(text("tag")),
  label: text("label"),
  /** Whether the account's payouts are restricted to the whitelist. */
  isEnforced: computed("account.pays_book_only", flag("is_enforced")),
  createdAt: instant("created_at"),
};

/** A whitelisted payout destination. */
export type WhitelistedPayee = RecordOf<typeof payeeFields>;

/** The columns that `payeeFromRow` reads, for a select from `address_book as k` and `account`. */
export const payeeColumns = columnList(payeeFields, "k");
export const payeeFromRow = recordReader(payeeFields);
