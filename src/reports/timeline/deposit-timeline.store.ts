import {
  auditedMember,
  chainSelect,
  commonSelects,
  entryList,
  entrySelect,
  type OwnCause,
} from "./entry.store.ts";

const ofDeposit = "t.account_id = d.account_id and t.deposit_id = d.id";

const postings = `select l.id, l.created_at, l.debit, l.credit, l.units, l.currency, t.id as transfer_id
  from transfer t join own_posting l on l.cause = 'transfer:' || t.id where ${ofDeposit}`;

const cause: OwnCause = (account, deposit) =>
  `in (select 'transfer:' || id from transfer where account_id = ${account} and deposit_id = ${deposit})`;

/** One column of the deposit that records when something happened; `member` is SQL of who did it. */
function action(place: number, kind: string, column: string, member = "null"): string {
  return entrySelect(
    { rank: "action", number: String(place), at: column, kind: `'${kind}'`, member_id: member },
    `(select) as once where ${column} is not null`,
  );
}

// A decision that accepted a part and refunded the rest is recorded with the payout of the refund, at the same instant.
const acceptedBy = `coalesce(
  (select p.created_by_member_id from transfer t join payout p on p.account_id = t.account_id and p.id = t.refund_payout_id
   where ${ofDeposit} and t.refunded_at = d.accepted_at limit 1),
  (${auditedMember("deposit.accepted", "deposit", "d")}))`;

const refundedBy = `select p.created_by_member_id from payout p
  where p.account_id = t.account_id and p.id = t.refund_payout_id`;

function transferAction(place: number, kind: "released" | "refunded", column: string): string {
  return entrySelect(
    {
      rank: "action",
      number: `t.id * 10 + ${place}`,
      at: `t.${column}`,
      kind: `'${kind}'`,
      transfer_id: "t.id",
      ...(kind === "refunded"
        ? {
            payout_id: "t.refund_payout_id",
            units: "coalesce(t.refund_units, t.units)",
            currency: "t.currency",
            member_id: refundedBy,
          }
        : { member_id: auditedMember("transfer.released", "transfer", "t") }),
    },
    `transfer t where ${ofDeposit} and t.${column} is not null`,
  );
}

/** A page of the timeline of one deposit of the account. */
export const listDepositEntries = entryList("deposit", "d", cause, [
  entrySelect(
    { rank: "created", number: "1", at: "d.created_at", kind: "'created'" },
    "(select) as once",
  ),
  entrySelect(
    {
      rank: "chain",
      number: "t.id",
      at: "t.created_at",
      kind: "'seen'",
      transfer_id: "t.id",
      txid: "t.txid",
      units: "t.units",
      currency: "t.currency",
    },
    // What activated the address (49) is no payment: the event says that it is active.
    `transfer t where ${ofDeposit} and t.op_type <> 49`,
  ),
  chainSelect(postings, {
    goesOut: false,
    place:
      "transfer place on place.account_id = d.account_id and place.id = b.transfer_id and place.txid is not null",
  }),
  action(1, "time_limit_changed", "nullif(d.invoice_updated_at, d.created_at)"),
  action(2, "expired", "d.expiry_concluded_at"),
  action(3, "cancel_asked", "d.cancelled_at", auditedMember("deposit.canceled", "deposit", "d")),
  action(4, "accepted", "d.accepted_at", acceptedBy),
  entrySelect(
    { rank: "action", number: "5", at: "y.left_at", kind: "'refund_address_left'" },
    "deposit_payer y where y.account_id = d.account_id and y.deposit_id = d.id",
  ),
  entrySelect(
    {
      rank: "action",
      number: "u.id * 10 + 7",
      at: "u.decided_at",
      kind: "'assigned'",
      txid: "u.txid",
      units: "u.units",
      currency: "u.currency",
      message: "u.reason",
    },
    "unattributed u where u.deposit_id = d.id and u.account_id = d.account_id and u.state = 'assigned'",
  ),
  transferAction(5, "released", "released_at"),
  transferAction(6, "refunded", "refunded_at"),
  ...commonSelects(postings),
]);
