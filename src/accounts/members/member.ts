import {
  flag,
  height,
  id,
  instant,
  orNull,
  type Row,
  recordReader,
  text,
  textArray,
} from "../../platform/db/columns.ts";
import type { Role, WalletRights } from "../principal.ts";

/*
 * The definition of a stored member: each attribute once, with its column. The type, the select list and the conversion follow from
 * it; the store has the expressions of what is computed.
 */

const memberFields = {
  id: id("id"),
  name: text("name"),
  role: text<Role>("role"),
  createdAt: instant("created_at"),
  /** Null: active. */
  deactivatedAt: orNull(instant("deactivated_at")),
  /** Null: the operator created it. */
  createdByMemberId: orNull(id("created_by_member_id")),
  confirmedAt: orNull(instant("confirmed_at")),
  /** Another Owner must confirm the member before it approves payouts above the account's limits. */
  needsConfirmation: flag("needs_confirmation"),
  /** The person's login; null if only programs act as this member. */
  login: orNull(text("login")),
  mustChangePassword: flag("must_change_password"),
  hasTotp: flag("has_totp"),
  passkeys: height("passkeys"),
  /** When a session of the member was last used; null if never, or too long ago to be stored. */
  lastSeenAt: orNull(instant("last_seen_at")),
};

const rightFields = {
  seesAllWallets: flag("sees_all_wallets"),
  granted: textArray("granted"),
  payable: textArray("payable"),
};

/** The columns of a member's row. */
export const memberRowFields = { ...memberFields, ...rightFields };

const readMemberFields = recordReader(memberFields);
const readRights = recordReader(rightFields);

export function memberFromRow(row: Row) {
  const { seesAllWallets, granted, payable } = readRights(row);
  const wallets: WalletRights = seesAllWallets
    ? "all"
    : new Map(granted.map((id) => [id, { mayPay: payable.includes(id) }]));
  return { ...readMemberFields(row), wallets };
}

/** A person or a program that acts for an account. */
export type Member = ReturnType<typeof memberFromRow>;
