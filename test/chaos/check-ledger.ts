import type { BestChain, TruthReader } from "./best-chain.ts";
import type { Evidence, Finding } from "./finding.ts";
import type { Sql } from "./open-sql.ts";
import { ownAddresses } from "./own-money.ts";

type Difference = { readonly name: string; readonly here: bigint; readonly there: bigint };

const sides = `(select account_id, cause, currency, debit as account, units from posting
  union all select account_id, cause, currency, credit, -units from posting) as side`;

/** A column of a refund of transfer `t`; zero without one, and if its payout failed and undid it. */
const refunded = (column: string): string =>
  `(case when t.refund_undone_at is null then coalesce(t.${column}, 0) else 0 end)`;

/**
 * The amount of transfer `t` that stays in its wallet: after a partial refund the worth of the rest, otherwise all or nothing.
 */
const enrolled = `(case when t.disposition <> 'credited' then 0
  else div(t.target_units * (t.units - ${refunded("refund_units")}), t.units) - t.target_commission_units end)`;

/** Compares the books with the nodes, with each other, and with the transfers they were made from. */
export async function checkLedger(evidence: Evidence): Promise<readonly Finding[]> {
  const { sql } = evidence;
  return [
    await compare(
      sql,
      "per currency the ledger sums to zero",
      `select currency as name, sum(units) as here, 0::numeric as there from ${sides} group by currency`,
    ),
    await holdings(evidence),
    await compare(
      sql,
      "wallet balances equal their postings",
      `with booked as (select account as name, sum(units) as units from ${sides} where account like 'wallet/%' group by account),
       kept as (
         select 'wallet/' || wallet_id || '/' || bucket.name as name, bucket.units
         from wallet_balance, lateral (values ('available', -available), ('pending', -pending), ('held', -held),
           ('deficit', deficit)) as bucket (name, units))
       select name, coalesce(kept.units, 0) as here, coalesce(booked.units, 0) as there
       from kept full join booked using (name)`,
    ),
    await compare(
      sql,
      "each transfer is booked once, in its present state",
      `with booked as (
         select cause as name,
           coalesce(sum(units) filter (where account = 'chain/' || currency), 0) as chain,
           coalesce(sum(units) filter (where account = 'mempool/' || currency), 0) as mempool
         from ${sides} where cause like 'transfer:%' group by cause),
       wanted as (
         select 'transfer:' || id as name,
           case when block_hash is not null and disposition <> 'none' then units else 0 end as chain,
           case when block_hash is null and disposition <> 'none' then units else 0 end as mempool
         from transfer where deposit_id is not null and txid is not null)
       select name || side.place as name, side.here, side.there
       from wanted left join booked using (name), lateral (values
         (' on chain', coalesce(booked.chain, 0), wanted.chain),
         (' in the mempool', coalesce(booked.mempool, 0), wanted.mempool)) as side (place, here, there)`,
    ),
    await compare(
      sql,
      "each credited transfer is in its wallet once",
      `select 'transfer ' || t.id as name, ${enrolled} + ${refunded("refund_target_units")} as here,
         coalesce((select -sum(units) from ${sides} where side.account_id = t.account_id and side.cause = 'transfer:' || t.id
           and side.account = 'wallet/' || t.wallet_id || '/available'), 0) as there
       from transfer t where t.disposition in ('credited', 'refunded')`,
    ),
    await compare(
      sql,
      "deposits' sums equal their transfers'",
      `select 'deposit ' || d.id || ' ' || sum.name as name, sum.here, sum.there
       from deposit d cross join lateral (
         select
           coalesce(sum(target_units) filter (where is_confirmed), 0) as target_paid,
           coalesce(sum(target_units) filter (where not is_confirmed), 0) as target_paid_pending,
           coalesce(sum(units) filter (where is_confirmed), 0) as source_paid,
           coalesce(sum(units) filter (where not is_confirmed), 0) as source_paid_pending,
           coalesce(sum(${enrolled}), 0) as enrolled
         from transfer t where t.deposit_id = d.id and t.disposition in ('pending', 'unresolved', 'credited', 'refunded')) own,
       lateral (values
         ('target_paid', d.target_paid, own.target_paid),
         ('target_paid_pending', d.target_paid_pending, own.target_paid_pending),
         ('source_paid', d.source_paid, own.source_paid),
         ('source_paid_pending', d.source_paid_pending, own.source_paid_pending),
         ('enrolled', d.enrolled, own.enrolled)) as sum (name, here, there)`,
    ),
  ];
}

async function compare(sql: Sql, invariant: string, text: string): Promise<Finding> {
  const rows = await sql<Difference>(text);
  return {
    invariant,
    checked: rows.length,
    faults: rows
      .filter(({ here, there }) => here !== there)
      .map(({ name, here, there }) => `${name}: ${here} here, ${there} there`),
  };
}

/**
 * Compares `chain/<currency>` with what the blocks of the best chain moved to and from our addresses, and with what these hold
 * according to the node. Where a node may contradict its own blocks, these count, as for the service, and the run prints a remark.
 */
async function holdings({ sql, chains, print }: Evidence): Promise<Finding> {
  const faults: string[] = [];
  const booked = await sql<{ account: string; units: bigint }>(
    `select account, sum(units) as units from ${sides} where account like 'chain/%' group by account`,
  );
  let checked = 0;
  for (const { actor, reader } of chains) {
    const own = await ownAddresses({ sql }, actor.chain);
    for (const [currency, inBlocks] of sumOfBlocks(actor.best, own, reader)) {
      const onNode = await reader.holdings([...own], currency);
      const here = booked.find(({ account }) => account === `chain/${currency}`)?.units ?? 0n;
      if (here !== inBlocks)
        faults.push(`currency ${currency}: ${here} booked, ${inBlocks} in blocks, ${onNode} held`);
      if (onNode !== inBlocks) {
        const remark = `the node holds ${onNode} of currency ${currency}, its blocks say ${inBlocks}`;
        if (reader.mayContradictItself) print(`${actor.chain} contradicts itself: ${remark}`);
        else faults.push(remark);
      }
      checked += 1;
    }
  }
  return { invariant: "the ledger holds what the addresses hold on the node", checked, faults };
}

function sumOfBlocks(
  { blocks }: BestChain,
  own: ReadonlySet<string>,
  { holderOf }: TruthReader,
): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { charges = [], outputs, debits } of blocks) {
    for (const { address, currency, units } of outputs)
      if (own.has(holderOf(address))) sums.set(currency, (sums.get(currency) ?? 0n) + units);
    for (const { address, currency, units } of [...debits, ...charges])
      if (own.has(address)) sums.set(currency, (sums.get(currency) ?? 0n) - units);
  }
  return sums;
}
