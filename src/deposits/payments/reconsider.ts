import { walletType } from "../../accounts/wallets/wallet.ts";
import { recordEvents } from "../../callbacks/events/record-events.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { PositionLimits } from "../../ledger/position-limits.ts";
import { post } from "../../ledger/post.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import type { Deposit } from "../deposit.ts";
import { valuedAt } from "../resolve/revalue-transfers.ts";
import type { ChainTip } from "../transfers/chain-tip.ts";
import { isOffChain, type TransferRecord } from "../transfers/transfer.ts";
import { announcementEvents } from "./announcement-event.ts";
import { arrivingEntry } from "./arriving-entry.ts";
import {
  continueDeposit,
  type DepositDecision,
  decideDeposit,
  type NeedsOpinion,
  type TransferChange,
} from "./decide-deposit.ts";
import {
  lockDepositRows,
  lockFreeDepositRows,
  readTips,
  readTransferRows,
} from "./incoming.store.ts";
import { saveDepositOutcomes, saveTransferRows } from "./outcome.store.ts";
import { findPrices, priceTransfers } from "./price-transfer.ts";
import { changePriced } from "./priced-sums.ts";
import { deleteWaitingReports, readWaitingReports, type StoredReport } from "./report.store.ts";
import { applyReports, type Report } from "./report.ts";
import { nothingPriced, type PricedSums } from "./tally.ts";
import { findFiatPrices, valueInFiat } from "./value-in-fiat.ts";

/** Dependencies of everything that decides on deposits. */
export type DepositContext = {
  readonly currencies: CurrencyRegistry;
  readonly findRate: FindRate;
  readonly random: Random;
  readonly baseUrl: string;
  /** Whether every payment is screened before it is credited. */
  readonly isScreened: boolean;
  readonly needsOpinion: NeedsOpinion;
  /** A payment that waited longer than this for a block is revalued when it gets one. */
  readonly revalueAfterSeconds: number;
  readonly positions: PositionLimits;
};

/** A deposit with the affected transfers, before and after new facts are applied. */
export type Facts = {
  readonly deposit: Deposit;
  readonly transfers: readonly TransferRecord[];
};

/**
 * Applies new facts to deposits and writes everything that follows: transfers, sums, status, postings, balances, events. It locks
 * the deposits' rows first, in id order, and reads everything under these locks, so the facts of one deposit are applied one
 * after the other, whatever their source (two followers, the expiry, a user).
 * `applyFacts` gets each deposit with the transfers of `transferIds` and returns their new state; a transfer without a stored state is
 * new. If all payments are needed (`isWhole`), or turn out to matter, it gets (again) all that count for a Merchant wallet's
 * deposit. `tips` overrides the stored height of a chain that is being moved in this transaction.
 */
export async function reconsider(
  tx: Executor,
  context: DepositContext,
  request: ReconsiderRequest,
  applyFacts: (facts: Facts) => Facts,
): Promise<readonly DepositDecision[]> {
  const depositIds = [...new Set(request.depositIds)];
  if (depositIds.length === 0) return [];
  const deposits =
    request.isImpatient === true
      ? await lockFreeDepositRows(tx, depositIds)
      : await lockDepositRows(tx, depositIds);
  assert(
    request.isImpatient === true || deposits.length === depositIds.length,
    "a transfer names a deposit that does not exist",
  );
  if (deposits.length === 0) return [];
  const tips = createTips(request.tips);
  const decideSome = async (
    some: readonly Deposit[],
    isWhole: boolean,
    reportsMax: number | null,
  ): Promise<Decided> => {
    if (some.length === 0) return { decisions: new Map(), waiting: [] };
    const waiting = await readWaitingReports(
      tx,
      some.map(({ id }) => id),
      reportsMax,
    );
    const reports = [...waiting.map(({ report }) => report), ...(request.reports ?? [])];
    const decisions = await decideEach(
      tx,
      context,
      { ...request, deposits: some, isWhole, reports, tips },
      applyFacts,
    );
    return { decisions, waiting: waiting.filter(({ report }) => decisions.has(report.depositId)) };
  };

  const partMax = request.reportsMax ?? null;
  const isKnownInParts = (deposit: Deposit): boolean =>
    !isMerchants(deposit) || (request.isWhole !== true && deposit.tally !== null);
  /** Reads all recorded payments once to compute the tally; further reports can then be decided in parts. */
  const lacksOnlyTally = (deposit: Deposit): boolean =>
    isMerchants(deposit) && request.isWhole !== true && deposit.tally === null;
  const parts = await decideSome(deposits.filter(isKnownInParts), false, partMax);
  const untallied = await decideSome(deposits.filter(lacksOnlyTally), true, partMax);
  const wholes = await decideSome(
    deposits.filter(({ id }) => !parts.decisions.has(id) && !untallied.decisions.has(id)),
    true,
    null,
  );
  const each = [parts, untallied, wholes];
  const decisions = deposits.map(({ id }) =>
    present(
      each.map((some) => some.decisions.get(id)).find((found) => found !== undefined),
      `a decision on deposit ${id}`,
    ),
  );
  const waiting = each.flatMap((some) => some.waiting);
  await write(tx, context, { before: deposits, decisions, waiting }, tips.of, request.now);
  return decisions;
}

type Decided = { readonly decisions: Decisions; readonly waiting: readonly StoredReport[] };

type Decisions = ReadonlyMap<string, DepositDecision>;

export type ReconsiderRequest = {
  readonly depositIds: readonly string[];
  readonly transferIds: readonly string[];
  readonly tips: ReadonlyMap<string, number | null>;
  readonly now: Instant;
  /** Whether the change depends on all payments of a deposit, or is a user's decision about them. */
  readonly isWhole?: boolean;
  /** New reports of a follower; stored reports are applied before them. */
  readonly reports?: readonly Report[];
  /** Whether to skip deposits that another transaction has locked instead of waiting. */
  readonly isImpatient?: boolean;
  /** Maximum number of stored reports applied per deposit, where its other payments are not needed; by default all. */
  readonly reportsMax?: number;
};

type Tips = {
  readonly read: (tx: Executor, chains: ReadonlySet<string>) => Promise<void>;
  /** The height up to which a chain was read. */
  readonly of: (chain: string) => number | null;
  /** The height up to which its network has locked it; null where a height was given, since a later decision counts locks. */
  readonly lockedOf: (chain: string) => number | null;
};

function createTips(overrides: ReadonlyMap<string, number | null>): Tips {
  const found = new Map<string, ChainTip | null>();
  return {
    read: async (tx, chains) => {
      const missing = [...chains].filter((chain) => !overrides.has(chain) && !found.has(chain));
      const tips = await readTips(tx, missing);
      for (const chain of missing) found.set(chain, tips.get(chain) ?? null);
    },
    of: (chain) => overrides.get(chain) ?? found.get(chain)?.height ?? null,
    lockedOf: (chain) => found.get(chain)?.lockedHeight ?? null,
  };
}

/**
 * Decides on deposits that the caller has locked; `isWhole`: from all transfers that count. A deposit that cannot be decided from
 * the changed transfers is absent.
 */
async function decideEach(
  tx: Executor,
  context: DepositContext,
  request: Pick<ReconsiderRequest, "transferIds" | "now"> & {
    readonly deposits: readonly Deposit[];
    readonly isWhole: boolean;
    readonly reports: readonly Report[];
    readonly tips: Tips;
  },
  applyFacts: (facts: Facts) => Facts,
): Promise<Decisions> {
  const { deposits, isWhole, tips, now } = request;
  const reports = Map.groupBy(request.reports, ({ depositId }) => depositId);
  const reportedIds = deposits.flatMap(({ id }) =>
    (reports.get(id) ?? []).map(({ transferId }) => transferId),
  );
  const stored = Map.groupBy(
    await readTransferRows(
      tx,
      [...new Set([...request.transferIds, ...reportedIds])],
      isWhole ? deposits.filter(isMerchants) : [],
    ),
    (transfer) => transfer.depositId,
  );
  const applied = deposits.map((deposit) => {
    const known = stored.get(deposit.id) ?? [];
    const transfers = applyReports(deposit, known, reports.get(deposit.id) ?? [], context);
    return { before: deposit, known, facts: applyFacts({ deposit, transfers }) };
  });
  const all = applied.flatMap(({ facts }) => facts.transfers);
  const changed = applied.map(({ facts }) => facts);
  const [prices, fiatPrices] = await Promise.all([
    findPrices(changed, context),
    findFiatPrices(tx, changed, context),
    tips.read(tx, new Set(all.map(({ chain }) => chain))),
  ]);
  const each = applied.map(async ({ before, known, facts }) => {
    const isPart = isMerchants(before) && !isWhole;
    const others = isPart ? pricedBeside(before, known) : nothingPriced;
    const knownById = new Map(known.map((transfer) => [transfer.id, transfer]));
    const priced = priceTransfers(facts, prices, context, others);
    const changes: TransferChange[] = valueInFiat(facts, priced, fiatPrices).map((now) => ({
      before: knownById.get(now.id) ?? null,
      now,
    }));
    const decide = isPart ? continueDeposit : decideDeposit;
    const rules = {
      currencies: context.currencies,
      needsOpinion: context.needsOpinion,
      tipOf: tips.of,
      lockedOf: tips.lockedOf,
      now,
    };
    const decision = decide(before, facts.deposit, changes, rules);
    const waited = (decision?.transfers ?? []).filter(
      (transfer) =>
        isOffChain(transfer) &&
        transfer.disposition === "credited" &&
        knownById.get(transfer.id)?.disposition === "pending",
    );
    if (waited.length === 0) return decision;
    const valued = await valueCompleted(context, facts.deposit, changes, waited);
    return decide(before, facts.deposit, valued, rules);
  });
  const decisions = await Promise.all(each);
  return new Map(
    decisions.flatMap((decision) => (decision === null ? [] : [[decision.deposit.id, decision]])),
  );
}

function isMerchants(deposit: Deposit): boolean {
  return deposit.walletType === walletType.merchant;
}

/**
 * An internal payment on hold until the rest of the amount arrives is credited at the bid of the moment that completes it: it
 * could be canceled until then, and the payer would otherwise get the better of two prices.
 */
async function valueCompleted(
  { findRate, currencies }: DepositContext,
  deposit: Deposit,
  changes: readonly TransferChange[],
  waited: readonly TransferRecord[],
): Promise<readonly TransferChange[]> {
  if (deposit.currency === null || deposit.currency === deposit.walletCurrency) return changes;
  const found = await findRate(deposit.currency, deposit.walletCurrency);
  if (found === null) return changes;
  const ids = new Set(waited.map(({ id }) => id));
  return changes.map(({ before, now }) => ({
    before,
    now: ids.has(now.id) ? valuedAt(now, deposit, found.bid, currencies) : now,
  }));
}

/** The totals of all payments of a deposit except the given ones. */
function pricedBeside(deposit: Deposit, known: readonly TransferRecord[]): PricedSums {
  const taken = known.map((before) => ({ before, now: null }));
  return changePriced(deposit.tally?.priced ?? nothingPriced, taken, deposit);
}

/** Writes only what changed: a block that does not change a deposit writes no row for it. */
async function write(
  tx: Executor,
  context: DepositContext,
  {
    before,
    decisions,
    waiting,
  }: {
    readonly before: readonly Deposit[];
    readonly decisions: readonly DepositDecision[];
    readonly waiting: readonly StoredReport[];
  },
  tipOf: (chain: string) => number | null,
  now: Instant,
): Promise<void> {
  // Events are composed before any statement is sent: an event that cannot be composed must not leave statements running.
  const events = decisions.flatMap((decision) => announcementEvents(decision, context, tipOf, now));
  // Pipelined; they run in this order, except that postings wait for the balances.
  await Promise.all([
    deleteWaitingReports(
      tx,
      waiting.map(({ id }) => id),
    ),
    saveTransferRows(
      tx,
      decisions.flatMap((decision) => decision.changedTransfers),
    ),
    saveDepositOutcomes(
      tx,
      decisions
        .map((decision) => decision.deposit)
        .filter((deposit, index) => deposit !== before[index]),
    ),
    post(
      tx,
      [
        ...waiting.flatMap((stored) => arrivingEntry(stored, -1n)),
        ...decisions.flatMap((decision) =>
          decision.postings.map(({ transferId, postings }) => ({
            accountId: decision.deposit.accountId,
            cause: `transfer:${transferId}`,
            postings,
          })),
        ),
      ],
      now,
    ),
    recordEvents(tx, events, context.random),
  ]);
}
