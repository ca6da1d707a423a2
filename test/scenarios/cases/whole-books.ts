import { expect } from "vitest";
import { familyOf } from "../../../src/main/families/families.ts";
import { sandboxFamilyOf } from "../../../src/main/families/sandbox-families.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";
import { expectBooksToBalance, ledgerSums } from "../../support/check-books.ts";
import { eventually } from "../../support/eventually.ts";
import type { ChainControl } from "../support/chain-control.ts";
import { unitsAt } from "../support/chain-facts.ts";
import { unitsOf } from "../support/money.ts";
import { currencyOf, type TestSite } from "../support/test-site.ts";

/** Status of a transfer whose money was spent elsewhere. */
const canceled = -3;

/**
 * After all scenarios: the ledger sums to zero in each currency, agrees with deposits, payouts, transfers, wallets and events, and
 * equals what the chain holds on all addresses of the service. Nothing is held or under way any more, and the operator has what
 * it put in.
 */
export async function expectWholeBooks(site: TestSite): Promise<void> {
  await eventually(
    () => unfinished(site),
    (left) => left.length === 0,
    300,
  );
  for (const chain of Object.keys(site.deployment.chains)) {
    await site.onChain(chain, async (control) => {
      await control.caughtUp();
      for (const alpha of currenciesOf(site, chain)) await expectAsOnChain(site, control, alpha);
    });
  }
  const sums = await site.sql<{ readonly currency: string; readonly units: bigint }>(
    `select currency, sum(units) as units from (
       select currency, units from posting union all select currency, -units from posting) as side
     group by currency`,
  );
  expect(sums.length).toBeGreaterThan(0);
  expect(sums.filter(({ units }) => units !== 0n)).toEqual([]);
  await expectBooksToBalance(site);
  await expectNothingUnderWay(site);
  await expectOperatorsPart(site);
  await eventually(
    () => unnumberedEvents(site),
    (count) => count === 0,
  );
}

function currenciesOf({ deployment }: TestSite, chain: string): readonly string[] {
  const site = present(deployment.chains[chain], chain);
  return [chain, ...("tokens" in site ? Object.keys(site.tokens) : [])];
}

/**
 * Payouts that are not final, and sweeps that may still change balances of addresses. This excludes a sweep of money that a payer
 * recovered by a reorg deeper than the currency's own confirmations: no block will ever include it unless the address received
 * more.
 */
async function unfinished({ sql }: TestSite): Promise<readonly string[]> {
  const rows = await sql<{ readonly what: string }>(
    `select 'payout ' || id || ' is ' || stage as what from payout
     where stage in ('held', 'sending', 'included')
     union all
     select concat_ws(' ', s.kind, s.id, 'on', s.chain, 'is', s.state, s.purpose,
       (select string_agg(concat_ws(' ', a.state, a.txid, a.broadcasts, 'times', a.refusal), '; ' order by a.number)
        from spend_attempt a where a.spend_id = s.id))
     from spend s where s.state = 'open' and s.kind <> 'payout' and not exists (
       select from deposit d where s.kind = 'sweep' and jsonb_array_length(s.purpose -> 'sources') = 1
         and lower(d.address) = lower(s.purpose -> 'sources' -> 0 ->> 'address')
         and not exists (select from transfer t where t.deposit_id = d.id and t.status <> $1))`,
    [canceled],
  );
  return rows.map(({ what }) => what);
}

/** Compared at a block that the ledger has reached, and read from the node, not through the service's own reader. */
async function expectAsOnChain(
  site: TestSite,
  control: ChainControl,
  alpha: string,
): Promise<void> {
  const { id } = currencyOf(alpha);
  const rows = await site.sql<{ readonly address: string }>(
    `select address from deposit where chain = $1 and address is not null
     union select address from treasury_address where keyspace = $2`,
    [control.chain, familyOf(control.chain).keyspace.name],
  );
  const [booked] = await site.sql<{ height: string; units: bigint; waiting: bigint }>(
    `select (select height from chain_cursor where chain = $1) as height,
       coalesce(sum(case when debit = $2 then units when credit = $2 then -units end), 0)::numeric as units,
       coalesce(sum(case when debit = $3 then units when credit = $3 then -units end), 0)::numeric as waiting
     from posting where debit in ($2, $3) or credit in ($2, $3)`,
    [control.chain, `chain/${id}`, `mempool/${id}`],
  );
  const addresses = rows.map(({ address }) => address);
  const held = await unitsAt(control, alpha, addresses, Number(booked?.height));
  expect(`${alpha} ${String(booked?.units)}`).toBe(`${alpha} ${held}`);
  expect(`${alpha} ${String(booked?.waiting)}`).toBe(`${alpha} 0`);
}

async function expectNothingUnderWay(site: TestSite): Promise<void> {
  expect(await ledgerSums(site, "transit/%")).toEqual([]);
  const held = await site.sql<{ readonly wallet: string }>(
    `select b.wallet_id as wallet from wallet_balance b
     where b.held <> (select coalesce(sum(p.charged_units), 0) from payout p
       where p.wallet_id = b.wallet_id and p.stage in ('waiting', 'blocked'))`,
  );
  expect(held).toEqual([]);
  const stops = await site.sql("select scope, by_reconciliation, reason from payout_stop");
  expect(stops).toEqual([]);
  const differences = await site.sql(
    "select chain, currency, ledger_units, chain_units from reconciliation where differs_since is not null",
  );
  expect(differences).toEqual([]);
}

/** Its own money is what it put in; fees are what payers were charged less the network fees, and less what the chain charged its accounts. */
async function expectOperatorsPart(site: TestSite): Promise<void> {
  for (const chain of Object.keys(site.deployment.chains)) {
    for (const alpha of currenciesOf(site, chain)) {
      const { id } = currencyOf(alpha);
      const [equity] = await ledgerSums(site, `equity/${id}`);
      const given = floatOf(present(site.deployment.chains[chain], chain), chain, alpha);
      expect([chain, alpha, equity?.units ?? 0n]).toEqual([chain, alpha, -given]);
      // In one statement, because a sweep may be included in a block at any time.
      const [known] = await site.sql<{
        booked: bigint;
        charged: bigint;
        burnt: bigint;
        taken: bigint;
      }>(
        `select (select coalesce(sum(fee_units), 0) from payout where fee_currency = $1
             and fee_wallet_id is not null
               and (stage = 'confirmed' or stage = 'failed' and block_hash is not null))::numeric as charged,
           (select coalesce(sum(burnt_units), 0) from spend where fee_currency = $1
             and state in ('included', 'confirmed', 'failed'))::numeric as burnt,
           (select coalesce(sum(units), 0) from account_charge where currency = $1
             and block_hash is not null)::numeric as taken,
           (select coalesce(sum(case when debit = $2 then units else -units end), 0)
             from posting where $2 in (debit, credit))::numeric as booked`,
        [id, `fees/${id}`],
      );
      const result = (known?.burnt ?? 0n) + (known?.taken ?? 0n) - (known?.charged ?? 0n);
      expect([alpha, known?.booked]).toEqual([alpha, result]);
    }
  }
}

/** The total initial funding of the deployment's own accounts in a currency. */
function floatOf(chain: SandboxChain, id: string, alpha: string): bigint {
  return Object.values(sandboxFamilyOf(id).floats(chain))
    .flat()
    .filter((float) => float.alpha === alpha)
    .reduce((sum, { amount, times }) => sum + unitsOf(amount, alpha) * BigInt(times), 0n);
}

/** Events that the relay has not numbered yet. */
async function unnumberedEvents({ sql }: TestSite): Promise<number> {
  const [row] = await sql<{ readonly count: number }>(
    `select count(*)::int as count from event where seq is null`,
  );
  return row?.count ?? 0;
}
