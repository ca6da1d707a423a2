import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { DepositState } from "../deposit-state.ts";
import type { DepositStatus } from "../deposit-status.ts";

/** A deposit to which a receipt can be assigned, as far as an operator needs to recognize it. */
export type AssignableDeposit = {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly status: DepositStatus;
  readonly state: DepositState;
  readonly label: string | null;
  readonly trackingId: string | null;
  readonly tag: string;
  readonly currency: CurrencyId;
  readonly walletCurrency: CurrencyId;
  readonly requestedUnits: bigint | null;
  readonly sourceRequestedUnits: bigint | null;
  readonly paidUnits: bigint;
  readonly expiresAt: Instant | null;
  readonly createdAt: Instant;
};

/** Where a text can match a deposit. */
export type AssignableText = {
  readonly id: string | null;
  readonly page: string | null;
  /** Of a tracking id, in lower case. */
  readonly prefix: string;
  readonly tags: readonly string[];
};

/** Most deposits of one search; more should refine the text. */
const assignableMax = 20;

/** The receipt's own account, spelled as the pool has it: a deposit may show it in another spelling. */
const atAccount = "a.tag is not null and a.address = $1";
const inCurrency = "d.currency = $2";

const find = statement<AssignableDeposit>(
  "unattributed.assignable",
  `select d.id, d.account_id as "accountId", account.name as "accountName", d.status, d.state, d.label, d.tracking_id as "trackingId",
     a.tag, d.currency, d.wallet_currency as "walletCurrency", d.target_amount_requested as "requestedUnits",
     d.source_amount_requested as "sourceRequestedUnits", d.target_paid as "paidUnits", d.expires_at as "expiresAt",
     d.created_at as "createdAt"
   from (
     (select d.id from deposit d where d.id = $3::bigint)
     union (select d.id from deposit d where d.payment_page_id = $4::uuid)
     union (select a.deposit_id from address a where a.tag = any($5::text[]) and a.tag is not null and a.deposit_id is not null)
     union (select d.id from deposit d where d.tag is not null and d.tracking_id is not null
       and lower(d.tracking_id) ~>=~ $6 and lower(d.tracking_id) ~<~ $7 limit 1000)
   ) found join deposit d on d.id = found.id and ${inCurrency}
     join address a on a.deposit_id = d.id and ${atAccount}
     join account on account.id = d.account_id
   order by d.created_at desc, d.id desc limit ${assignableMax}`,
);

/** The end of the range of texts with a prefix: no character sorts higher. */
const lastCharacter = "\u{10ffff}";

/** Deposits of any account that are paid at this account in this currency and that the text finds, newest first. */
export function findAssignable(
  db: Executor,
  { address, currency }: { readonly address: string; readonly currency: CurrencyId },
  { id, page, tags, prefix }: AssignableText,
): Promise<readonly AssignableDeposit[]> {
  return db.query(find, [
    ...[address, currency, id, page, tags],
    ...[prefix, `${prefix}${lastCharacter}`],
  ]);
}

const isPaidAtStatement = statement<{ readonly found: boolean }>(
  "unattributed.is-paid-at",
  `select exists (select from address a where a.deposit_id = $2::bigint and ${atAccount}) as found`,
);

/** Whether a deposit is paid at this shared account, however it spells it. */
export async function isPaidAt(tx: Executor, address: string, depositId: string): Promise<boolean> {
  const [row] = await tx.query(isPaidAtStatement, [address, depositId]);
  return row?.found === true;
}
