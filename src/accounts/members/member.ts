import {
  columnList,
  computed,
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
 * The definition of a stored member: each attribute once, with its column or the expression that computes it. The type, the select
 * list and the conversion follow from it.
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
  needsConfirmation: computed(
    `m.confirmed_at is null and (m.created_by_member_id is not null or p.given_by_member_id is not null)
     and (select count(*) > 1 from member o
          where o.account_id = m.account_id and o.role = 'owner' and o.deactivated_at is null)`,
    flag("needs_confirmation"),
  ),
  /** The person's login; null where only programs act as this member. */
  login: computed("p.login", orNull(text("login"))),
  mustChangePassword: computed("coalesce(p.is_initial, false)", flag("must_change_password")),
  hasTotp: computed(
    "exists (select from totp t where t.account_id = m.account_id and t.member_id = m.id and t.confirmed_at is not null)",
    flag("has_totp"),
  ),
  passkeys: computed(
    "select count(*) from passkey k where k.account_id = m.account_id and k.member_id = m.id",
    height("passkeys"),
  ),
  /** When a session of the member was last used; null if never, or too long ago to be stored. */
  lastSeenAt: computed(
    "select max(f.last_used_at) from token_family f where f.account_id = m.account_id and f.member_id = m.id",
    orNull(instant("last_seen_at")),
  ),
};

const grants = "wallet_grant g where g.account_id = m.account_id and g.member_id = m.id";
const rightFields = {
  seesAllWallets: flag("sees_all_wallets"),
  granted: computed(
    `array(select g.wallet_id::text from ${grants} order by g.wallet_id)`,
    textArray("granted"),
  ),
  payable: computed(
    `array(select g.wallet_id::text from ${grants} and g.may_pay)`,
    textArray("payable"),
  ),
};

/** The columns that `memberFromRow` reads, for a select from `member as m` and `person_login as p`. */
export const memberColumns = columnList({ ...memberFields, ...rightFields }, "m");
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
