import { spelling } from "./best-chain.ts";
import type { Evidence, Finding } from "./finding.ts";
import { placeColumn } from "./place.ts";
import type { RequestedDecision } from "./settle-load.ts";

type PaidBackRow = {
  readonly id: string;
  readonly key: string;
  readonly address: string;
  readonly stage: string;
  /** What the receiver gets, and the fee if it is in the same coin. */
  readonly taken: bigint;
  /** Of the transfers whose refund by this payout stands. */
  readonly refunded: bigint;
  readonly deposits: readonly string[];
};

/**
 * Compares Unresolved deposits with the decisions about them: each refund belongs to one decision, goes to its address, takes
 * exactly what it settles, and no decision has two. check-payouts.ts checks that it was paid once.
 */
export async function checkDecisions({ sql, decisions, print }: Evidence): Promise<Finding> {
  const rows = await sql<PaidBackRow>(
    `select p.id, k.key, ${placeColumn("p")} as address, p.stage,
       p.paid_units + case when p.fee_currency = p.currency and p.fee_wallet_id is not null then p.fee_units else 0 end as taken,
       coalesce(sum(t.refund_units), 0) as refunded,
       coalesce(array_agg(distinct r.deposit_id::text) filter (where r.deposit_id is not null), '{}') as deposits
     from payout p join payout_key k on k.account_id = p.account_id and k.payout_id = p.id
     left join refund r on r.account_id = p.account_id and r.payout_id = p.id
     left join transfer t on t.account_id = r.account_id and t.deposit_id = r.deposit_id
       and t.refund_payout_id = p.id and t.refund_undone_at is null
     where p.tracking_id is null group by p.account_id, p.id, k.key order by p.id`,
  );
  const lost = await sql<{ id: string }>(
    `select t.id from transfer t where t.disposition = 'refunded' and t.refund_payout_id is null
     union all
     select t.id from transfer t left join payout p on p.account_id = t.account_id and p.id = t.refund_payout_id
     where t.refund_payout_id is not null and p.id is null`,
  );
  const known = new Map(decisions.map((decision) => [decision.key, decision]));
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const outcomes = Map.groupBy(decisions, ({ action, outcome }) => `${action} ${outcome}`);
  print(`Decisions: ${[...outcomes].map(([name, own]) => `${name} ${own.length}`).join(", ")}`);
  return {
    invariant: "each decision about an Unresolved deposit is carried out once",
    checked: decisions.filter(({ outcome }) => outcome === "settled").length,
    faults: [
      ...rows
        .filter(({ key }) => !known.has(key))
        .map(({ id }) => `payout ${id} is a refund without a request`),
      ...decisions.flatMap((decision) => faultsOf(decision, byKey.get(decision.key) ?? [])),
      ...lost.map(({ id }) => `transfer ${id} is refunded without a payout`),
    ],
  };
}

function faultsOf(decision: RequestedDecision, rows: readonly PaidBackRow[]): readonly string[] {
  const { depositId, action, outcome, payoutId } = decision;
  const name = `${action} of deposit ${depositId} (${outcome})`;
  const paysBack = action !== "accept";
  const isWanted = paysBack && outcome === "settled";
  const countMax = paysBack && outcome !== "refused" ? 1 : 0;
  if (rows.length > countMax || (isWanted && rows.length === 0))
    return [`${name} made ${rows.length} payouts`];
  return rows.flatMap((row) => {
    if (isWanted && row.id !== payoutId)
      return [`${name} was answered ${payoutId}, but created ${row.id}`];
    const isReleased = row.stage === "cancelled" || row.stage === "failed";
    const isRight =
      spelling(row.address) === spelling(decision.address) &&
      row.refunded === (isReleased ? 0n : row.taken) &&
      row.deposits.join() === depositId;
    return isRight
      ? []
      : [
          `${name}: payout ${row.id} to ${row.address} takes ${row.taken}, of deposit ${row.deposits.join()} ${row.refunded} are refunded`,
        ];
  });
}
