import { readFiatCurrencies } from "../../accounts/read-fiat-currencies.ts";
import { lockBalances, type WalletBalance } from "../../ledger/ledger.store.ts";
import { enforcePositionLimits } from "../../ledger/position-limits.ts";
import type { Executor } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { isRolling, readLimitUsage } from "../approve/limits.ts";
import { buildPayout } from "../send/build-payout.ts";
import { commitOnlyIf } from "../send/commit-only-if.ts";
import { acceptInOrder, type Claimed, type Outcomes, takenTrackingIds } from "./accept-payouts.ts";
import {
  claimKeys,
  lockLimitedAccounts,
  lockPaidDeposits,
  readUsedKey,
  releaseKeys,
} from "./create.store.ts";
import { insertCreated } from "./insert-created.ts";
import type { NewPayout, WriteContext, WriteOutcome } from "./new-payout.ts";
import { readProtectionInForce } from "./payout-protection.store.ts";

/** Maximum payouts per transaction: a busy wallet's row is locked once for all of them. */
const batchMax = 64;

/**
 * Creates the function that writes new payouts. Concurrent payouts share a transaction with key, hold, row, transfer,
 * postings and, for internal payouts, the receiver's side. A payout that the locked rows reject leaves nothing behind
 * and does not use its key.
 */
export function createPayoutWriter(
  context: WriteContext,
): (payout: NewPayout) => Promise<WriteOutcome> {
  // Null for a key's later use. It waits for another batch: if this one failed after a commit, what was written would be written again.
  const writeTogether = microBatch<NewPayout, WriteOutcome | null>(
    async (batch) => {
      const round = firstUses(batch);
      const found = await context.db.transaction((tx) => writeRound(tx, context, round));
      for (const payout of round) present(found.get(payout), "outcome of a new payout");
      return batch.map((payout) => found.get(payout) ?? null);
    },
    { slots: 2, maxSize: batchMax },
  );
  return async (payout) => {
    if (payout.incoming !== null || isBounded(context, payout)) return writeAlone(context, payout);
    for (;;) {
      const outcome = await writeTogether(payout);
      if (outcome !== null) return outcome;
    }
  };
}

/** Whether the payout converts, or may convert for its internal receiver, under a position limit. */
function isBounded({ positions }: WriteContext, { terms, target }: NewPayout): boolean {
  return positions.max.size > 0 && (terms.walletCurrency !== terms.currency || target !== null);
}

/**
 * Writes one payout in its own transaction. If it is rejected, its incoming funds must not remain, and a position
 * limit that it exceeds must not roll back others.
 */
function writeAlone(context: WriteContext, payout: NewPayout): Promise<WriteOutcome> {
  return commitOnlyIf(
    context.db,
    (tx) =>
      enforcePositionLimits(tx, context.positions, async () =>
        present((await writeRound(tx, context, [payout])).get(payout), "outcome of a new payout"),
      ),
    ({ kind }) => kind === "created",
  );
}

/** Every key once, so that a key's second use sees the outcome of the first. */
function firstUses(batch: readonly NewPayout[]): readonly NewPayout[] {
  const used = new Set<string>();
  return batch.filter(({ use: { accountId, key } }) => {
    const name = `${accountId} ${key}`;
    const isFirst = !used.has(name);
    used.add(name);
    return isFirst;
  });
}

async function writeRound(
  tx: Executor,
  context: WriteContext,
  round: readonly NewPayout[],
): Promise<Outcomes> {
  const now = context.clock.now();
  const outcomes: Outcomes = new Map();
  const claimed = await claimOrReject(tx, round, outcomes, now);
  if (claimed.length === 0) return outcomes;
  const payouts = claimed.map(({ payout }) => payout);
  await lockLimitedAccounts(tx, accountsWithLimits(payouts));
  await lockPaidDeposits(tx, paidDeposits(payouts));
  for (const { incoming } of payouts) await incoming?.lock(tx);
  // Sent together and executed in this order, so these reads happen under the locks.
  const [balances, inForce, usage, taken, fiatOf] = await Promise.all([
    lockAndCredit(tx, claimed, now),
    readProtectionInForce(
      tx,
      payouts.map(({ terms, listed }) => ({ ...terms, listed })),
    ),
    readLimitUsage(tx, payouts, now),
    takenTrackingIds(tx, claimed),
    readFiatCurrencies(
      tx,
      payouts.map(({ terms }) => terms.accountId),
    ),
  ]);
  const accepted = acceptInOrder(claimed, { balances, inForce, usage, taken }, outcomes);
  await releaseKeys(
    tx,
    payouts.filter((payout) => outcomes.has(payout)).map(({ use }) => use),
  );
  const created = accepted.map(({ claim, ...wait }) => ({
    claim,
    after: buildPayout(context, claim.payout, claim.ids, wait, now),
  }));
  await insertCreated(tx, context, created, balances, fiatOf, now);
  for (const { claim, after } of created) {
    outcomes.set(claim.payout, { kind: "created", payout: after });
  }
  return outcomes;
}

/** The wallets' balances, locked, including incoming funds. */
async function lockAndCredit(
  tx: Executor,
  claimed: readonly Claimed[],
  now: Instant,
): Promise<readonly WalletBalance[]> {
  const wallets = walletsOf(claimed.map(({ payout }) => payout));
  const locked = await lockBalances(tx, wallets);
  const arrivals = claimed.filter(({ payout }) => payout.incoming !== null);
  for (const { payout, ids } of arrivals) {
    const by = { payoutId: ids.payoutId, targetUnits: payout.terms.chargedUnits };
    await payout.incoming?.credit(tx, by, now);
  }
  return arrivals.length === 0 ? locked : lockBalances(tx, wallets);
}

async function claimOrReject(
  tx: Executor,
  round: readonly NewPayout[],
  outcomes: Outcomes,
  now: Instant,
): Promise<readonly Claimed[]> {
  const uses = round.map(({ use }) => use);
  const ids = await claimKeys(tx, uses, now);
  const claimed: Claimed[] = [];
  for (const [index, payout] of round.entries()) {
    const own = ids[index] ?? null;
    if (own !== null) claimed.push({ payout, ids: own });
    else {
      const used = await readUsedKey(tx, payout.use);
      // The key was not claimed because the database was not admitted yet; in the meantime it was.
      if (used === null) throw new Unavailable("database", "found just now to be the newest one");
      outcomes.set(payout, { kind: "keyUsed", used });
    }
  }
  return claimed;
}

function accountsWithLimits(payouts: readonly NewPayout[]): readonly string[] {
  const limited = payouts.filter(({ limits }) =>
    limits.some((limit) => isRolling(limit) && !limit.isOfWallet),
  );
  return [...new Set(limited.map(({ terms }) => terms.accountId))];
}

function paidDeposits(payouts: readonly NewPayout[]): readonly string[] {
  return [
    ...new Set(
      payouts.flatMap(({ target, incoming }) => [
        ...(target?.kind === "deposit" ? [target.depositId] : []),
        ...(incoming?.depositId == null ? [] : [incoming.depositId]),
      ]),
    ),
  ];
}

/** The paying wallets, the wallets that pay fees, and the receiving wallets of internal payouts. */
function walletsOf(payouts: readonly NewPayout[]) {
  return payouts.flatMap(({ terms: { accountId, walletId, feeWalletId }, target }) => [
    { accountId, walletId },
    ...(feeWalletId === null ? [] : [{ accountId, walletId: feeWalletId }]),
    ...(target === null ? [] : [{ accountId: target.accountId, walletId: target.walletId }]),
  ]);
}
