import {
  flag,
  id,
  instant,
  orNull,
  type RecordOf,
  recordReader,
  text,
} from "../../platform/db/columns.ts";

export const payeeFields = {
  id: id("id"),
  chain: text("chain"),
  address: text("address"),
  tag: orNull(text("tag")),
  label: text("label"),
  /** Whether the account's payouts are restricted to the whitelist. */
  isEnforced: flag("is_enforced"),
  createdAt: instant("created_at"),
};

/** A whitelisted payout destination. */
export type WhitelistedPayee = RecordOf<typeof payeeFields>;

export const payeeFromRow = recordReader(payeeFields);
