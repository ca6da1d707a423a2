import { parseDecimal } from "../../src/platform/kernel/decimal.ts";
import { assetOf } from "./assets.ts";
import { type Output, spelling } from "./best-chain.ts";
import type { Evidence, Finding } from "./finding.ts";
import { chargesOfOurs, debitsOfOurs, onChain } from "./own-money.ts";
import type { RequestedPayout } from "./pay-out-load.ts";
import { placeColumn } from "./place.ts";

type PayoutRow = {
  readonly id: string;
  /** Null: it refunds a deposit (check-decisions.ts). */
  readonly tracking_id: string | null;
  readonly key: string;
  readonly chain: string;
  readonly currency: string;
  readonly address: string;
  readonly units: bigint;
  readonly paid_units: bigint;
  readonly stage: string;
  readonly status: number;
  readonly txid: string | null;
  readonly block_hash: string | null;
  readonly spend_id: string | null;
  readonly transfer_status: number;
  readonly fee_units: bigint;
  readonly fee_currency: string;
  readonly is_charged: boolean;
};

type AttemptRow = {
  readonly spend_id: string;
  readonly kind: string;
  readonly state: string;
  readonly chain: string;
  readonly txid: string;
  readonly is_mined: boolean;
  readonly burnt_units: bigint | null;
  readonly block_hash: string | null;
  readonly fee_currency: string;
};

type Collected = {
  readonly evidence: Evidence;
  readonly payouts: readonly PayoutRow[];
  /** Transactions that the service knows to be signed. */
  readonly attempts: readonly AttemptRow[];
};

const transferStatuses: Readonly<Record<string, number>> = {
  confirmed: 2,
  failed: -1,
  cancelled: -3,
};

/**
 * Compares payouts with their receivers on the best chains: each is paid exactly once and exactly its amount, or not at all
 * with its money released. Everything that left our own addresses must be known to the service.
 */
export async function checkPayouts(evidence: Evidence): Promise<readonly Finding[]> {
  const collected = {
    evidence,
    payouts: await evidence.sql<PayoutRow>(
      `select p.id, p.tracking_id, k.key, p.chain, p.currency, ${placeColumn("p")} as address, p.units, p.paid_units, p.stage, p.status, p.txid,
         p.block_hash, p.spend_id, t.status as transfer_status, p.fee_units, p.fee_currency, p.fee_wallet_id is not null as is_charged
       from payout p join transfer t on t.payout_id = p.id
       join payout_key k on k.account_id = p.account_id and k.payout_id = p.id order by p.id`,
    ),
    attempts: await evidence.sql<AttemptRow>(
      `select s.id as spend_id, s.kind, s.state, a.chain, a.txid, coalesce(s.mined_attempt = a.number, false) as is_mined,
         s.burnt_units, s.block_hash, s.fee_currency
       from spend_attempt a join spend s on s.id = a.spend_id where a.txid is not null order by 1`,
    ),
  };
  print(collected);
  return [
    asAsked(collected),
    paidOnce(collected),
    minedOnce(collected),
    await nothingUnknownLeft(collected),
    await claimedOnce(collected),
    await booked(collected),
    await described(collected),
  ];
}

function print({ evidence, payouts, attempts }: Collected): void {
  const stages = Map.groupBy(payouts, ({ chain, stage }) => `${chain} ${stage}`);
  const spends = Map.groupBy(attempts, ({ kind, state }) => `${kind} ${state}`);
  const counts = (groups: ReadonlyMap<string, readonly unknown[]>): string =>
    [...groups].map(([name, rows]) => `${name} ${rows.length}`).join(", ");
  const refused = evidence.payouts.filter(({ isRefused }) => isRefused).length;
  evidence.print(
    `Payouts: ${evidence.payouts.length} requested, ${refused} refused for lack of funds; ${counts(stages)}`,
  );
  evidence.print(`Signed transactions: ${counts(spends)}`);
}

/** Whatever was lost on the way: what was acknowledged exists, what was requested exists once, and nothing else does. */
function asAsked({ evidence, payouts }: Collected): Finding {
  const faults: string[] = [];
  const byTracking = Map.groupBy(payouts, ({ tracking_id }) => tracking_id);
  for (const request of evidence.payouts) {
    const rows = byTracking.get(request.trackingId) ?? [];
    if (rows.length > 1) faults.push(`${request.trackingId} exists ${rows.length} times`);
    if (request.id !== null && rows[0]?.id !== request.id) {
      faults.push(`payout ${request.id} was acknowledged, but ${rows[0]?.id ?? "none"} exists`);
    }
    for (const row of rows)
      if (!isAsAsked(row, request)) faults.push(`payout ${row.id} is altered`);
  }
  const known = new Set(evidence.payouts.map(({ trackingId }) => trackingId));
  for (const { id, tracking_id } of payouts) {
    if (tracking_id !== null && !known.has(tracking_id))
      faults.push(`payout ${id} was never requested`);
  }
  return {
    invariant: "every acknowledged payout exists once",
    checked: payouts.length,
    faults,
  };
}

function isAsAsked(row: PayoutRow, request: RequestedPayout): boolean {
  const parsed = parseDecimal(request.amount, assetOf(row.currency).exp);
  return (
    row.key === request.key &&
    spelling(row.address) === spelling(request.address) &&
    parsed.kind === "units" &&
    row.units === parsed.units &&
    row.paid_units === parsed.units
  );
}

/** Each receiver is used once, so whatever the chain brought them comes from the payout. */
function paidOnce({ evidence, payouts }: Collected): Finding {
  const received = new Map<string, Output[]>();
  const blockOf = new Map<string, string>();
  for (const { actor } of evidence.chains) {
    for (const { hash, outputs } of actor.best.blocks) {
      for (const output of outputs) {
        const key = spelling(output.address);
        received.set(key, [...(received.get(key) ?? []), output]);
        blockOf.set(output.txid, hash);
      }
    }
  }
  const faults = payouts.flatMap((payout) => {
    const outputs = received.get(spelling(payout.address)) ?? [];
    const described = `payout ${payout.id} (${payout.chain}, ${payout.stage}, ${payout.txid})`;
    if (payout.transfer_status !== transferStatuses[payout.stage]) {
      return [`${described} has a transfer of status ${payout.transfer_status}`];
    }
    if (payout.stage !== "confirmed") {
      return outputs.length === 0 ? [] : [`${described} was paid ${outputs.length} times`];
    }
    const [output, ...others] = outputs;
    const isRight =
      others.length === 0 &&
      output?.units === payout.paid_units &&
      output.currency === payout.currency &&
      output.txid === payout.txid &&
      blockOf.get(output.txid) === payout.block_hash;
    return isRight
      ? []
      : [`${described} received ${outputs.map(({ units }) => units).join(" and ")}`];
  });
  return {
    invariant: "every payout is paid exactly once, or ended without payment",
    checked: payouts.length,
    faults,
  };
}

/** The best chain contains exactly one transaction of each spend, the one on record, and none of a dropped spend. */
function minedOnce({ evidence, attempts }: Collected): Finding {
  const blocks = onChain(evidence);
  const spends = Map.groupBy(attempts, ({ spend_id }) => spend_id);
  const faults = [...spends].flatMap(([id, own]) => {
    const mined = own.filter(({ txid }) => blocks.has(txid));
    const [{ kind, state }] = own as [AttemptRow];
    const name = `${kind} spend ${id} (${state})`;
    if (kind === "payout" && !["confirmed", "failed", "dropped", "dead"].includes(state)) {
      return [`${name} is not final`];
    }
    const isOver = ["included", "confirmed", "failed"].includes(state);
    if (mined.length !== (isOver ? 1 : 0)) return [`${name} is mined ${mined.length} times`];
    return mined.flatMap(({ txid, is_mined, burnt_units, block_hash }) => {
      const block = blocks.get(txid)!;
      const isRight =
        is_mined && block_hash === block.hash && burnt_units === block.burnt.get(txid);
      return isRight
        ? []
        : [
            `${name} in ${block_hash} burnt ${burnt_units}, on chain in ${block.hash} ${block.burnt.get(txid)}`,
          ];
    });
  });
  return {
    invariant: "exactly one transaction of each spend is mined",
    checked: spends.size,
    faults,
  };
}

/** Anything that the signer signed without the database would show here. */
async function nothingUnknownLeft({ evidence, attempts }: Collected): Promise<Finding> {
  const known = new Set(attempts.map(({ txid }) => txid));
  const debits = await debitsOfOurs(evidence);
  const unknown = new Set(debits.filter(({ txid }) => !known.has(txid)).map(({ txid }) => txid));
  return {
    invariant: "only transactions on record spent our money",
    checked: debits.length,
    faults: [...unknown].map((txid) => `${txid} spends our money without a record`),
  };
}

async function claimedOnce({ evidence }: Collected): Promise<Finding> {
  const [count] = await evidence.sql<{ claims: string }>(
    "select count(*) as claims from spend_claim",
  );
  const rows = await evidence.sql<{ fault: string }>(
    `select 'claim ' || claim || ' is held by ' || count(*) || ' spends' as fault from spend_claim where is_live
     group by chain, claim having count(*) > 1
     union all
     select 'claim ' || c.claim || ' is held by spend ' || s.id || ', which is ' || s.state
     from spend_claim c join spend s on s.id = c.spend_id where c.is_live and s.state in ('dropped', 'dead')
     union all
     select 'spend ' || s.id || ' (' || s.state || ') has lost claim ' || c.claim
     from spend s join spend_claim c on c.spend_id = s.id
     where not c.is_live and s.state in ('open', 'included', 'confirmed', 'failed')
       and not exists (select from spend_claim o where o.chain = c.chain and o.claim = c.claim and o.is_live)`,
  );
  return {
    invariant: "no two spends use the same coin or nonce",
    checked: Number(count?.claims),
    faults: rows.map(({ fault }) => fault),
  };
}

/** Nothing is held any more, and the operator's fees are what payers were charged minus what the chains burnt. */
async function booked({ evidence, payouts, attempts }: Collected): Promise<Finding> {
  const { sql } = evidence;
  const held = await sql<{ wallet_id: string; held: bigint }>(
    "select wallet_id, held from wallet_balance where held <> 0",
  );
  const faults = held.map((row) => `wallet ${row.wallet_id} still holds ${row.held}`);
  const blocks = onChain(evidence);
  const expectedUnits = new Map<string, bigint>();
  const add = (currency: string, units: bigint): void => {
    expectedUnits.set(currency, (expectedUnits.get(currency) ?? 0n) + units);
  };
  for (const { txid, fee_currency } of attempts) {
    add(fee_currency, blocks.get(txid)?.burnt.get(txid) ?? 0n);
  }
  for (const { currency, units } of await chargesOfOurs(evidence)) add(currency, units);
  for (const payout of payouts) {
    const isReverted = payout.stage === "failed" && payout.block_hash !== null;
    if ((payout.stage === "confirmed" || isReverted) && payout.is_charged)
      add(payout.fee_currency, -payout.fee_units);
  }
  const fees = await sql<{ account: string; units: bigint }>(
    `select account, sum(units) as units from (
       select debit as account, units from posting union all select credit, -units from posting) as side
     where account like 'fees/%' group by account`,
  );
  for (const [currency, units] of expectedUnits) {
    const here = fees.find(({ account }) => account === `fees/${currency}`)?.units ?? 0n;
    if (here !== units) faults.push(`fees/${currency}: ${here} booked, ${units} by the chain`);
  }
  return {
    invariant: "nothing is held, and fees equal charges minus burnt fees",
    checked: payouts.length,
    faults,
  };
}

/**
 * Confirmed, settled and failed are each reported once in the present life of a payout, and never more often than it has lives.
 */
async function described({ evidence }: Collected): Promise<Finding> {
  const rows = await evidence.sql<{ fault: string }>(
    `with told as (
       select object_id, trigger, count(*) as count,
         count(*) filter (where event_key like '%:' || p.revision) as now, max(p.revision) as revision
       from event e join payout p on p.id = e.object_id
       where e.object_type = 'payout' group by object_id, trigger)
     select 'payout ' || p.id || ' is ' || p.stage || ' and was reported confirmed ' || coalesce(t.now, 0) || ' times in its present life' as fault
     from payout p left join told t on t.object_id = p.id and t.trigger = 'confirmed'
     where p.stage = 'confirmed' and (coalesce(t.count, 0) = 0 or coalesce(t.now, 0) <> 1 and p.confirmations_needed is distinct from 0)
     union all
     select 'payout ' || p.id || ' has failed and was reported failed ' || coalesce(t.now, 0) || ' times in its present life'
     from payout p left join told t on t.object_id = p.id and t.trigger = 'failed'
     where p.stage = 'failed' and coalesce(t.now, 0) <> 1
     union all
     select 'payout ' || object_id || ' was reported ' || trigger || ' ' || count || ' times in ' || (revision + 1) || ' lives'
     from told where count > revision + 1`,
  );
  const [count] = await evidence.sql<{ events: string }>(
    "select count(*) as events from event where object_type = 'payout'",
  );
  return {
    invariant: "each end of a payout is reported once",
    checked: Number(count?.events),
    faults: rows.map(({ fault }) => fault),
  };
}
