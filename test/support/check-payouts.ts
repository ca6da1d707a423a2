import assert from "node:assert/strict";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { readSpends } from "../../src/treasury/spends/spend.store.ts";
import { currentTxid, type Spend } from "../../src/treasury/spends/spend.ts";
import { type Applied, isFromOutside, sumOf } from "./paying-chain.ts";
import { coinId, floatUnits, type PayoutSite, receiverOf, tokenId } from "./payout-site.ts";

/* Invariants of payouts that hold whatever happened. */

/** A requested payout; `isLost`: a restored backup does not contain it. */
export type RequestedPayout = {
  readonly number: number;
  readonly id: string;
  readonly currency: CurrencyId;
  readonly units: bigint;
  isLost: boolean;
  /** Its client was notified that it is canceled. */
  isCancelled: boolean;
};

function appliedOf({ chain }: PayoutSite): readonly Applied[] {
  return chain.blocks().flatMap(({ applied }) => applied);
}

/** What each transaction on the best chain that paid a payout's receiver should have paid, payment by payment. */
function receivedBy(site: PayoutSite, { number }: RequestedPayout): readonly bigint[] {
  const receiver = receiverOf(site, number);
  const isHis = ({ address }: { readonly address: string }): boolean => address === receiver;
  return appliedOf(site).flatMap(({ transaction, delivered }) =>
    delivered.some(isHis) ? transaction.outputs.filter(isHis).map(({ units }) => units) : [],
  );
}

/** At any time: no receiver was paid twice or a wrong amount. */
export function assertNobodyPaidTwice(
  site: PayoutSite,
  requests: readonly RequestedPayout[],
): void {
  for (const payout of requests) {
    const received = receivedBy(site, payout);
    const isFine = received.length === 0 || (received.length === 1 && received[0] === payout.units);
    if (payout.isCancelled && received.length > 0) {
      throw new Error(`payout ${payout.id} was paid after it was cancelled`);
    }
    if (!isFine) throw new Error(`payout ${payout.id} was paid ${received.join(" and ")}`);
  }
}

type PayoutRow = {
  readonly id: string;
  readonly stage: string;
  readonly currency: string;
  readonly charged: bigint;
  readonly feeUnits: bigint;
  readonly feeWallet: string | null;
  readonly txid: string | null;
  readonly hash: string | null;
  readonly spendId: string | null;
  readonly transferStatus: number;
};

/** When all work has stopped. */
export async function assertAllSettled(
  site: PayoutSite,
  requests: readonly RequestedPayout[],
): Promise<void> {
  assertNobodyPaidTwice(site, requests);
  const payouts = await site.database.sql<PayoutRow>(
    `select p.id, p.stage, p.currency, p.charged_units as charged, p.fee_units as "feeUnits",
       p.fee_wallet_id as "feeWallet", p.txid, p.block_hash as hash, p.spend_id as "spendId", t.status as "transferStatus"
     from payout p join transfer t on t.payout_id = p.id order by p.id`,
  );
  const ids = await site.database.sql<{ id: string }>("select id from spend order by id");
  const spends = await readSpends(
    site.database.db,
    ids.map(({ id }) => id),
  );
  assertPaidOrReleased(site, requests, payouts, spends);
  await assertClaimsApart(site, spends);
  await assertBooksBalance(site, payouts);
}

function assertPaidOrReleased(
  site: PayoutSite,
  requests: readonly RequestedPayout[],
  payouts: readonly PayoutRow[],
  spends: readonly Spend[],
): void {
  const mined = new Map(appliedOf(site).map((one) => [one.transaction.txid, one]));
  const byId = new Map(spends.map((spend) => [spend.id, spend]));
  assert.deepEqual(
    payouts.map(({ id }) => id),
    requests.filter(({ isLost }) => !isLost).map(({ id }) => id),
  );
  for (const payout of payouts) {
    const expected = requests.find(({ id, isLost }) => id === payout.id && !isLost)!;
    const received = receivedBy(site, expected);
    const described = `payout ${payout.id} is ${payout.stage}`;
    const isPaid = payout.stage === "confirmed";
    assert.deepEqual([described, received], [described, isPaid ? [expected.units] : []]);
    const statuses = new Map([
      ["confirmed", 2],
      ["failed", -1],
      ["cancelled", -3],
    ]);
    assert.deepEqual([described, payout.transferStatus], [described, statuses.get(payout.stage)]);
    if (!isPaid) continue;
    const spend = byId.get(payout.spendId ?? "");
    assert.deepEqual(
      [described, spend?.state, spend === undefined ? null : currentTxid(spend)],
      [...[described, "confirmed", payout.txid]],
    );
    assert.ok(mined.get(payout.txid ?? "")?.hasSucceeded === true, described);
  }
  for (const { id, state, attempts, inclusion } of spends) {
    assert.ok(
      ["confirmed", "failed", "dropped", "dead"].includes(state),
      `spend ${id} is ${state}`,
    );
    const own = attempts.filter(({ txid }) => txid !== null && mined.has(txid));
    assert.deepEqual([id, own.length], [id, inclusion === null ? 0 : 1]);
  }
}

async function assertClaimsApart(site: PayoutSite, spends: readonly Spend[]): Promise<void> {
  const claims = await site.database.sql<{ claim: string; spend: string }>(
    "select claim, spend_id as spend from spend_claim where is_live order by claim",
  );
  assert.deepEqual(new Set(claims.map(({ claim }) => claim)).size, claims.length);
  const over = new Set(
    spends.filter(({ state }) => state === "dropped" || state === "dead").map(({ id }) => id),
  );
  assert.deepEqual(
    claims.filter(({ spend }) => over.has(spend)),
    [],
  );
  // A spend in a block holds its claims forever; one that failed, only the first.
  const used = spends.flatMap(({ inclusion, attempts }) => {
    const mined = attempts.find(({ number }) => number === inclusion?.attempt);
    return mined?.draft.claims.slice(0, inclusion?.hasSucceeded === false ? 1 : undefined) ?? [];
  });
  assert.deepEqual(new Set(used).size, used.length);
}

async function assertBooksBalance(site: PayoutSite, payouts: readonly PayoutRow[]): Promise<void> {
  const sums = await ledgerSums(site);
  const sumOfAccount = (account: string): bigint => sums.get(account) ?? 0n;
  const balances = await site.database.sql<{
    readonly currency: string;
    readonly available: bigint;
    readonly held: bigint;
    readonly deficit: bigint;
  }>(
    `select w.currency, b.available, b.held, b.deficit from wallet_balance b join wallet w on w.id = b.wallet_id order by 1`,
  );
  const isPaid = ({ stage }: PayoutRow): boolean => stage === "confirmed";
  const isReverted = ({ stage, hash }: PayoutRow): boolean => stage === "failed" && hash !== null;
  for (const { currency, available, held, deficit } of balances) {
    const own = payouts.filter((payout) => payout.currency === currency);
    const paid = own.filter(isPaid).reduce((sum, { charged }) => sum + charged, 0n);
    const fees = own.filter((payout) => isReverted(payout) && payout.feeWallet !== null);
    const burnt = fees.reduce((sum, { feeUnits }) => sum + feeUnits, 0n);
    assert.deepEqual(
      { currency, available, held, deficit },
      {
        currency,
        available: floatUnits - paid - burnt,
        held: 0n,
        deficit: 0n,
      },
    );
  }
  const charged = payouts
    .filter((payout) => payout.feeWallet !== null && (isPaid(payout) || isReverted(payout)))
    .reduce((sum, { feeUnits }) => sum + feeUnits, 0n);
  const { burnt, stolen } = await spentOnChain(site);
  assert.deepEqual(["fees", sumOfAccount(`fees/${coinId}`)], ["fees", burnt - charged]);
  for (const currency of [coinId, tokenId]) {
    const held = heldOnChain(site, currency);
    assert.deepEqual(
      ["chain", currency, sumOfAccount(`chain/${currency}`)],
      [...["chain", currency, held + (stolen.get(currency) ?? 0n)]],
    );
  }
}

/** Debits minus credits of each account. */
async function ledgerSums({ database }: PayoutSite): Promise<ReadonlyMap<string, bigint>> {
  const rows = await database.sql<{ account: string; units: bigint }>(
    `select account, sum(units) as units from (
       select debit as account, units from posting union all select credit, -units from posting) as side
     group by account`,
  );
  return new Map(rows.map(({ account, units }) => [account, units]));
}

/** Fees of our own transactions, and what others took with our keys. */
async function spentOnChain(site: PayoutSite) {
  const rows = await site.database.sql<{ txid: string }>(
    "select txid from spend_attempt where txid is not null",
  );
  const known = new Set(rows.map(({ txid }) => txid));
  const spent = appliedOf(site).filter(({ transaction }) => !isFromOutside(transaction));
  const ours = spent.filter(({ transaction }) => known.has(transaction.txid));
  const stolen = new Map<CurrencyId, bigint>();
  const add = (currency: CurrencyId, units: bigint): void => {
    stolen.set(currency, (stolen.get(currency) ?? 0n) + units);
  };
  for (const { transaction, burntUnits, delivered } of spent) {
    if (known.has(transaction.txid)) continue;
    add(coinId, burntUnits);
    for (const { address, currency, units } of delivered) {
      // Change of what is on no record is booked when it arrives, although its coins are not booked as spent.
      if (transaction.account === null || !site.own.has(address)) add(currency, units);
    }
  }
  return { burnt: ours.reduce((sum, { burntUnits }) => sum + burntUnits, 0n), stolen };
}

function heldOnChain({ chain, own }: PayoutSite, currency: CurrencyId): bigint {
  const { coins, balances } = chain.stateAt(chain.tip().height);
  const ours = [...coins.values()].filter(
    (output) => own.has(output.address) && output.currency === currency,
  );
  const accounts = [...own.keys()].map((address) => balances.get(`${address} ${currency}`) ?? 0n);
  return sumOf(ours) + accounts.reduce((sum, units) => sum + units, 0n);
}
