import { recordEvents } from "../callbacks/record-events.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Executor } from "../db/database.ts";
import { assert, present } from "../kernel/assert.ts";
import type { Instant } from "../kernel/clock.ts";
import type { Random } from "../kernel/random.ts";
import type { PositionLimits } from "../ledger/bound-positions.ts";
import { post } from "../ledger/post.ts";
import type { FindRate } from "../rates/current-rate.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { walletType } from "../wallets/wallet.ts";
import { announcementEvents } from "./announcement-event.ts";
import {
  continueDeposit,
  type DepositDecision,
  decideDeposit,
  type NeedsOpinion,
  type TransferChange,
} from "./decide-deposit.ts";
import { type Deposit, nothingPriced, type PricedSums } from "./deposit.ts";
import { lockDepositRows, readTipHeights, readTransferRows } from "./incoming.store.ts";
import { saveDepositOutcomes, saveTransferRows } from "./outcome.store.ts";
import { findPrices, priceTransfers } from "./price-transfer.ts";
import { changePriced } from "./priced-sums.ts";

/** What the deposits' part of the service is made with. */
export type DepositContext = {
  readonly currencies: CurrencyRegistry;
  readonly findRate: FindRate;
  readonly random: Random;
  readonly baseUrl: string;
  /** True: every payment is screened before it is credited. */
  readonly isScreened: boolean;
  readonly needsOpinion: NeedsOpinion;
  /** A payment that waited longer than this for its block is valued anew when it gets one. */
  readonly revalueAfterSeconds: number;
  readonly positions: PositionLimits;
};

/** A deposit with the transfers in question, before and after new facts are entered. */
export type Facts = {
  readonly deposit: Deposit;
  readonly transfers: readonly TransferRecord[];
};

/**
 * Enters new facts about deposits and writes everything that follows from them: transfers, sums, status, postings, balances,
 * events. The deposits' rows are locked first, in id order, and everything is read under that lock; so the facts of one
 * deposit are entered one after the other, whoever learns them (two followers, the expiry, a user).
 *
 * `learn` gets each deposit with the transfers of `transferIds` and returns them as they are now; a transfer that was not there
 * before is new. Where all payments are to be known (`isWhole`), or are found to matter, it gets (again) all that count of a
 * Merchant wallet's deposit. `tips` overrides the stored height of a chain that is just being moved.
 */
export async function reconsider(
  tx: Executor,
  context: DepositContext,
  request: ReconsiderRequest,
  learn: (facts: Facts) => Facts,
): Promise<readonly DepositDecision[]> {
  const depositIds = [...new Set(request.depositIds)];
  if (depositIds.length === 0) return [];
  const deposits = await lockDepositRows(tx, depositIds);
  assert(deposits.length === depositIds.length, "a transfer names a deposit that does not exist");
  const tips = createTips(request.tips);
  const isKnownInParts = ({ walletType: type, tally }: Deposit): boolean =>
    type !== walletType.merchant || (request.isWhole !== true && tally !== null);
  const whole = deposits.filter((deposit) => !isKnownInParts(deposit));
  const rows = await readTransferRows(tx, request.transferIds, whole);
  const decide = (some: readonly Deposit[], all: readonly Deposit[], known: typeof rows) =>
    decideEach(tx, context, { deposits: some, whole: all, known, tips, now: request.now }, learn);

  const first = await decide(deposits, whole, rows);
  const left = deposits.filter(({ id }) => !first.has(id));
  const second = await decideWhole(tx, left, rows, (known) => decide(left, left, known));
  const decisions = deposits.map(({ id }) =>
    present(first.get(id) ?? second.get(id), `a decision on deposit ${id}`),
  );
  await write(tx, context, deposits, decisions, { tipOf: tips.of, now: request.now });
  return decisions;
}

type Decisions = ReadonlyMap<string, DepositDecision>;

async function decideWhole(
  tx: Executor,
  deposits: readonly Deposit[],
  known: readonly TransferRecord[],
  decide: (known: readonly TransferRecord[]) => Promise<Decisions>,
): Promise<Decisions> {
  if (deposits.length === 0) return new Map();
  const ids = new Set(deposits.map(({ id }) => id));
  const named = known.filter(({ depositId }) => ids.has(depositId)).map(({ id }) => id);
  return decide(await readTransferRows(tx, named, deposits));
}

export type ReconsiderRequest = {
  readonly depositIds: readonly string[];
  readonly transferIds: readonly string[];
  readonly tips: ReadonlyMap<string, number | null>;
  readonly now: Instant;
  /** True: what is learned depends on all payments of a deposit, or is a user's decision about them. */
  readonly isWhole?: boolean;
};

type Tips = {
  readonly read: (tx: Executor, chains: ReadonlySet<string>) => Promise<void>;
  /** The height of a chain that was read. */
  readonly of: (chain: string) => number | null;
};

function createTips(told: ReadonlyMap<string, number | null>): Tips {
  const heights = new Map(told);
  return {
    read: async (tx, chains) => {
      const missing = [...chains].filter((chain) => !heights.has(chain));
      const found = await readTipHeights(tx, missing);
      for (const chain of missing) heights.set(chain, found.get(chain) ?? null);
    },
    of: (chain) => heights.get(chain) ?? null,
  };
}

/**
 * The decisions on deposits that the caller has locked, with the transfers that are `known` of them: of those in `whole` all that
 * count. One that cannot be decided from its part is absent.
 */
async function decideEach(
  tx: Executor,
  context: DepositContext,
  given: {
    readonly deposits: readonly Deposit[];
    readonly whole: readonly Deposit[];
    readonly known: readonly TransferRecord[];
    readonly tips: Tips;
    readonly now: Instant;
  },
  learn: (facts: Facts) => Facts,
): Promise<Decisions> {
  const { deposits, whole, tips, now } = given;
  const stored = Map.groupBy(given.known, (transfer) => transfer.depositId);
  const learned = deposits.map((deposit) => {
    const known = stored.get(deposit.id) ?? [];
    return { before: deposit, known, facts: learn({ deposit, transfers: known }) };
  });
  const all = learned.flatMap(({ facts }) => facts.transfers);
  const [prices] = await Promise.all([
    findPrices(
      learned.map(({ facts }) => facts),
      context,
    ),
    tips.read(tx, new Set(all.map(({ chain }) => chain))),
  ]);
  const wholeIds = new Set(whole.map(({ id }) => id));
  const isPart = new Set(
    deposits
      .filter(({ id, walletType: type }) => type === walletType.merchant && !wholeIds.has(id))
      .map(({ id }) => id),
  );
  const decisions = learned.map(({ before, known, facts }) => {
    const others = isPart.has(before.id) ? pricedBeside(before, known) : nothingPriced;
    const knownById = new Map(known.map((transfer) => [transfer.id, transfer]));
    const changes: TransferChange[] = priceTransfers(facts, prices, context, others).map((now) => ({
      before: knownById.get(now.id) ?? null,
      now,
    }));
    const decide = isPart.has(before.id) ? continueDeposit : decideDeposit;
    return decide(before, facts.deposit, changes, {
      currencies: context.currencies,
      needsOpinion: context.needsOpinion,
      tipOf: tips.of,
      now,
    });
  });
  return new Map(
    decisions.flatMap((decision) => (decision === null ? [] : [[decision.deposit.id, decision]])),
  );
}

/** What all payments of a deposit add up to but for those that are known. */
function pricedBeside(deposit: Deposit, known: readonly TransferRecord[]): PricedSums {
  const taken = known.map((before) => ({ before, now: null }));
  return changePriced(deposit.tally?.priced ?? nothingPriced, taken, deposit);
}

/** Writes what changed and nothing else: a block that tells a deposit nothing new costs it no row. */
async function write(
  tx: Executor,
  context: DepositContext,
  before: readonly Deposit[],
  decisions: readonly DepositDecision[],
  { tipOf, now }: { readonly tipOf: (chain: string) => number | null; readonly now: Instant },
): Promise<void> {
  // Composed before anything is sent: what cannot be told must leave nothing under way.
  const events = decisions.flatMap((decision) => announcementEvents(decision, context, tipOf, now));
  // Sent together, and done in this order but for the postings, which wait for the balances.
  await Promise.all([
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
      decisions.flatMap((decision) =>
        decision.postings.map(({ transferId, postings }) => ({
          accountId: decision.deposit.accountId,
          cause: `transfer:${transferId}`,
          postings,
        })),
      ),
      now,
    ),
    recordEvents(tx, events, context.random),
  ]);
}
