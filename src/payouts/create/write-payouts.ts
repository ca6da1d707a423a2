import { type AuditRecord, recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import { readFiatCurrencies } from "../../accounts/read-fiat-currencies.ts";
import { recordEvents } from "../../callbacks/events/record-events.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import { lockBalances, type WalletBalance } from "../../ledger/ledger.store.ts";
import { appendPositions } from "../../ledger/position.store.ts";
import { enforcePositionLimits, type PositionLimits } from "../../ledger/position-limits.ts";
import { postLocked } from "../../ledger/post.ts";
import { recordNotices } from "../../notifications/record-notices.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { isRolling, readLimitUsage } from "../approve/limits.ts";
import { entryOf } from "../change-payouts.ts";
import { insertPayoutRows } from "../payout.store.ts";
import type { Payout, PayoutTerms } from "../payout.ts";
import { payoutEvents } from "../payout-events.ts";
import { savePayoutTraces } from "../payout-trace.store.ts";
import { transferOfPayout } from "../payout-transfer.ts";
import { committedBetween } from "../positions.ts";
import { type BuildContext, buildPayout } from "../send/build-payout.ts";
import { commitOnlyIf } from "../send/commit-only-if.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import { findPayoutFiat } from "../value-payouts.ts";
import { approvalNotices } from "./approval-notices.ts";
import {
  claimKeys,
  findUsedTrackingIds,
  type KeyUse,
  lockLimitedAccounts,
  lockPaidDeposits,
  type ReservedIds,
  readUsedKey,
  releaseKeys,
  type UsedKey,
} from "./create.store.ts";
import type { IncomingFunds } from "./incoming-funds.ts";
import type { PayInternally } from "./internal-payment.ts";
import type { InternalTarget } from "./internal-target.ts";
import {
  areSameLimits,
  type ListedDestination,
  type PayoutLimit,
  type ProtectionInForce,
  readProtectionInForce,
} from "./payout-protection.store.ts";

/** A payout that passed all checks, to be written if its funds and key are still available. */
export type NewPayout = {
  readonly terms: PayoutTerms;
  readonly use: KeyUse;
  /** Null for payouts on the chain. */
  readonly target: InternalTarget | null;
  /** The limits as they were read before the fee was quoted. */
  readonly limits: readonly PayoutLimit[];
  /** What the allowlist contained then, if the account required it; null for what needs no allowlist. */
  readonly listed: ListedDestination | null;
  /** True if the creator's payouts always need approval. */
  readonly needsApproval: boolean;
  readonly travelRule: TravelRuleInfo;
  /** Null if the payout is paid from the wallet's existing balance. */
  readonly incoming: IncomingFunds | null;
  /** Uses the prices at which the payout was charged. */
  readonly findRate: FindRate;
  /** Who created it in the dashboard; null for a program. */
  readonly person: Principal | null;
  /** The span of the request (W3C `traceparent`); null unless tracing is configured. */
  readonly traceparent?: string | null;
};

export type WriteOutcome =
  | { readonly kind: "created"; readonly payout: Payout }
  | { readonly kind: "keyUsed"; readonly used: UsedKey }
  | { readonly kind: "insufficientFunds" }
  | { readonly kind: "trackingIdUsed" }
  /** Limits or allowlist have changed since they were read: decide again. */
  | { readonly kind: "protectionChanged" };

export type WriteContext = BuildContext & {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly payInternally: PayInternally;
  readonly positions: PositionLimits;
};

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
  const writeTogether = microBatch<NewPayout, WriteOutcome>(
    async (batch) => {
      const outcomes = new Map<NewPayout, WriteOutcome>();
      for (const round of splitByKey(batch)) {
        const found = await context.db.transaction((tx) => writeRound(tx, context, round));
        for (const [payout, outcome] of found) outcomes.set(payout, outcome);
      }
      return batch.map((payout) => present(outcomes.get(payout), "outcome of a new payout"));
    },
    { slots: 2, maxSize: batchMax },
  );
  return (payout) =>
    payout.incoming === null && !isBounded(context, payout)
      ? writeTogether(payout)
      : writeAlone(context, payout);
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

/** Each round contains every key once, so that a key's second use sees the outcome of the first. */
function splitByKey(batch: readonly NewPayout[]): readonly (readonly NewPayout[])[] {
  const rounds: NewPayout[][] = [];
  const uses = new Map<string, number>();
  for (const payout of batch) {
    const name = `${payout.use.accountId} ${payout.use.key}`;
    const round = uses.get(name) ?? 0;
    uses.set(name, round + 1);
    const place = (rounds[round] ??= []);
    place.push(payout);
  }
  return rounds;
}

type Outcomes = Map<NewPayout, WriteOutcome>;
type Claimed = { readonly payout: NewPayout; readonly ids: ReservedIds };
type Created = { readonly claim: Claimed; readonly after: Payout };

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
  const accepted = accept(claimed, { balances, inForce, usage, taken }, outcomes);
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

type Accepted = {
  readonly claim: Claimed;
  readonly isWaiting: boolean;
  readonly isAboveLimit: boolean;
};

/** Checks the payouts in order, each against what the earlier ones leave. */
function accept(
  claimed: readonly Claimed[],
  known: {
    readonly balances: readonly WalletBalance[];
    readonly inForce: readonly ProtectionInForce[];
    readonly usage: Awaited<ReturnType<typeof readLimitUsage>>;
    readonly taken: Set<string>;
  },
  outcomes: Outcomes,
): readonly Accepted[] {
  const { balances, inForce, usage, taken } = known;
  const availableByWallet = new Map(
    balances.map(({ walletId, available, deficit }) => [walletId, deficit > 0n ? 0n : available]),
  );
  const accepted: Accepted[] = [];
  for (const [place, claim] of claimed.entries()) {
    const { terms, limits, needsApproval } = claim.payout;
    const protection = present(inForce[place], "what limits the payout");
    const { walletId, trackingId } = terms;
    const tracking = trackingId === null ? null : trackingName({ walletId, trackingId });
    if (protection.isRefused || !areSameLimits(protection.limits, limits)) {
      outcomes.set(claim.payout, { kind: "protectionChanged" });
    } else if (tracking !== null && taken.has(tracking)) {
      outcomes.set(claim.payout, { kind: "trackingIdUsed" });
    } else if (!charge(availableByWallet, terms)) {
      outcomes.set(claim.payout, { kind: "insufficientFunds" });
    } else {
      if (tracking !== null) taken.add(tracking);
      const isAboveLimit = usage.isExceeded(terms, limits);
      usage.add(terms);
      accepted.push({ claim, isWaiting: needsApproval || isAboveLimit, isAboveLimit });
    }
  }
  return accepted;
}

/** Deducts a payout's charges; returns false and deducts nothing if the wallets do not cover them. */
function charge(balances: Map<string, bigint>, terms: PayoutTerms): boolean {
  const own = balances.get(terms.walletId) ?? 0n;
  if (own < terms.chargedUnits) return false;
  if (terms.chargedFeeUnits > 0n) {
    const feeWallet = present(terms.feeWalletId, "wallet of a charged fee");
    const other = balances.get(feeWallet) ?? 0n;
    if (other < terms.chargedFeeUnits) return false;
    balances.set(feeWallet, other - terms.chargedFeeUnits);
  }
  balances.set(terms.walletId, own - terms.chargedUnits);
  return true;
}

async function takenTrackingIds(tx: Executor, claimed: readonly Claimed[]): Promise<Set<string>> {
  const requests = claimed.flatMap(({ payout: { terms } }) =>
    terms.trackingId === null ? [] : [{ ...terms, trackingId: terms.trackingId }],
  );
  const used = await findUsedTrackingIds(tx, requests);
  return new Set(used.map(trackingName));
}

/** Tracking ids are unique per wallet. */
function trackingName(of: { readonly walletId: string; readonly trackingId: string }): string {
  return `${of.walletId} ${of.trackingId}`;
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

async function insertCreated(
  tx: Executor,
  context: WriteContext,
  created: readonly Created[],
  balances: readonly WalletBalance[],
  fiatOf: ReadonlyMap<string, CurrencyId>,
  now: Instant,
): Promise<void> {
  if (created.length === 0) return;
  const payouts = created.map(({ after }) => after);
  const prices = await findPayoutFiat(committed(created), fiatOf);
  await Promise.all([
    insertPayoutRows(tx, payouts, prices),
    postLocked(
      tx,
      balances,
      payouts.map((payout) => entryOf(null, payout)),
      now,
    ),
    savePayoutTraces(
      tx,
      created.flatMap(({ claim: { payout }, after: { accountId, id } }) =>
        payout.traceparent == null ? [] : [{ accountId, id, traceparent: payout.traceparent }],
      ),
    ),
    appendPositions(tx, committedBetween(created.map(({ after }) => ({ before: null, after })))),
  ]);
  for (const { claim, after } of created) {
    const { target, findRate } = claim.payout;
    if (after.stage === "internal") {
      const receiver = present(target, "target of an internal payout");
      await context.payInternally(tx, after, receiver, findRate, now);
    }
  }
  await recordEvents(
    tx,
    payouts.flatMap((after) =>
      payoutEvents({ before: null, after }, transferOfPayout(after), context.currencies, null, now),
    ),
    context.random,
  );
  const waiting = created
    .filter(({ after }) => after.stage === "waiting")
    .map(({ claim, after }) => ({ payout: after, findRate: claim.payout.findRate }));
  await recordNotices(tx, await approvalNotices(tx, waiting, fiatOf, context.currencies), now);
  const creations = created.map(({ claim: { payout }, after }) => ({
    person: payout.person,
    after,
    further: payout.incoming?.audits(now) ?? [],
  }));
  await auditCreations(tx, creations, now);
}

/** All but the payouts that wait for approval: they are valued when they are approved. */
function committed(created: readonly Created[]) {
  return created
    .filter(({ after }) => after.stage !== "waiting")
    .map(({ claim, after }) => ({ payout: after, findRate: claim.payout.findRate }));
}

/**
 * Records payouts created in the dashboard, and returns made by operators, in the audit log. Payouts of programs are
 * left out: their rows name the creator, and the log serializes an account's transactions, which would slow down
 * programs that create thousands.
 */
async function auditCreations(
  tx: Executor,
  created: readonly {
    readonly person: Principal | null;
    readonly after: Payout;
    readonly further: readonly AuditRecord[];
  }[],
  now: Instant,
): Promise<void> {
  const [first, ...others] = created.flatMap(
    ({ person, after, further }): readonly AuditRecord[] =>
      person === null
        ? further
        : [
            ...further,
            {
              by: person,
              action: "payout.created",
              at: now,
              object: { type: "payout", id: after.id },
              summary: { wallet: after.walletId, stage: after.stage },
            },
          ],
  );
  if (first !== undefined) await recordAudit(tx, first, ...others);
}
