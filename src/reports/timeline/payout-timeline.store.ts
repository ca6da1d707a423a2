import {
  auditedMember,
  chainSelect,
  commonSelects,
  entryList,
  entrySelect,
  type OwnCause,
} from "./entry.store.ts";

const postings = `select l.id, l.created_at, l.debit, l.credit, l.units, l.currency, null::bigint as transfer_id
  from own_posting l`;

const cause: OwnCause = (_, payout) => `= 'payout:' || ${payout}`;

/** A page of the timeline of one payout of the account. */
export const listPayoutEntries = entryList("payout", "p", cause, [
  entrySelect(
    {
      rank: "created",
      number: "1",
      at: "p.created_at",
      kind: "'created'",
      units: "p.units",
      currency: "p.currency",
      member_id: "p.created_by_member_id",
    },
    "(select) as once",
  ),
  // A payout that needs no approval is approved when it is created.
  entrySelect(
    {
      rank: "action",
      number: "1",
      at: "p.approved_at",
      kind: "'approved'",
      member_id: "p.approved_by_member_id",
    },
    "(select) as once where p.approved_by_member_id is not null and p.approved_at is not null",
  ),
  // The row does not record when it was canceled, but the ledger does: nothing is booked later than its release.
  entrySelect(
    {
      rank: "action",
      number: "2",
      at: "l.at",
      kind: "'cancel_asked'",
      member_id: auditedMember("payout.canceled", "payout", "p"),
    },
    `(select max(l.created_at) as at from (${postings}) l) l where p.status = 3 and l.at is not null`,
  ),
  entrySelect(
    {
      rank: "action",
      number: "3",
      at: "p.released_at",
      kind: "'released'",
      member_id: auditedMember("payout.released", "payout", "p"),
    },
    "(select) as once where p.released_at is not null",
  ),
  // Of the newest payout that returns it, which may have failed.
  entrySelect(
    {
      rank: "action",
      number: "u.id * 10 + 7",
      at: "u.decided_at",
      kind: "'returns'",
      txid: "u.txid",
      units: "u.units",
      currency: "u.currency",
      message: "u.reason",
    },
    "unattributed u where u.payout_id = p.id and u.account_id = p.account_id",
  ),
  entrySelect(
    {
      rank: "chain",
      number: "a.number",
      at: "a.first_broadcast_at",
      kind: "'broadcast'",
      txid: "a.txid",
      attempt: "a.number",
    },
    "spend_attempt a where a.spend_id = p.spend_id and a.first_broadcast_at is not null",
  ),
  chainSelect(postings, {
    goesOut: true,
    place: "(select p.txid, p.block_height) place on true",
  }),
  ...commonSelects(postings),
]);
