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
  /** Whether the account's payouts are restricted to the allowlist. */
  isEnforced: flag("is_enforced"),
  createdAt: instant("created_at"),
};

/** An allowlisted payout destination. */
export type AllowlistedPayee = RecordOf<typeof payeeFields>;

export const payeeFromRow = recordReader(payeeFields);
