import { recordEvents } from "../callbacks/record-events.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Executor } from "../db/database.ts";
import { assert } from "../kernel/assert.ts";
import type { Instant } from "../kernel/clock.ts";
import type { Random } from "../kernel/random.ts";
import { post } from "../ledger/post.ts";
import type { FindRate } from "../rates/current-rate.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { walletType } from "../wallets/wallet.ts";
import { announcementEvents } from "./announcement-event.ts";
import { type DepositDecision, decideDeposit, type TransferChange } from "./decide-deposit.ts";
import type { Deposit } from "./deposit.ts";
import { lockDepositRows, readTipHeights, readTransferRows } from "./incoming.store.ts";
import { saveDepositOutcomes, saveTransferRows } from "./outcome.store.ts";
import { findPrices, priceTransfers } from "./price-transfer.ts";

/** What the deposits' part of the service is made with. */
export type DepositContext = {
  readonly currencies: CurrencyRegistry;
  readonly findRate: FindRate;
  readonly random: Random;
  readonly baseUrl: string;
  /** True: every payment is screened before it is credited. */
  readonly isScreened: boolean;
  /** A payment that waited longer than this for its block is valued anew when it gets one. */
  readonly revalueAfterSeconds: number;
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
 * `learn` gets each deposit with the transfers of `transferIds` and, for Merchant wallets, all that count as payments; it returns
 * them as they are now; a transfer that was not there before is new. `tips` overrides the stored height of a chain that is just
 * being moved.
 */
export async function reconsider(
  tx: Executor,
  context: DepositContext,
  request: {
    readonly depositIds: readonly string[];
    readonly transferIds: readonly string[];
    readonly tips: ReadonlyMap<string, number | null>;
    readonly now: Instant;
  },
  learn: (facts: Facts) => Facts,
): Promise<readonly DepositDecision[]> {
  const depositIds = [...new Set(request.depositIds)];
  if (depositIds.length === 0) return [];
  const deposits = await lockDepositRows(tx, depositIds);
  assert(deposits.length === depositIds.length, "a transfer names a deposit that does not exist");
  const stored = Map.groupBy(
    await readTransferRows(
      tx,
      request.transferIds,
      deposits.filter((deposit) => deposit.walletType === walletType.merchant),
    ),
    (transfer) => transfer.depositId,
  );
  const learned = deposits.map((deposit) => {
    const transfers = stored.get(deposit.id) ?? [];
    return { before: deposit, known: transfers, facts: learn({ deposit, transfers }) };
  });
  const all = learned.flatMap(({ facts }) => facts.transfers);
  const isUntold = (chain: string): boolean => !request.tips.has(chain);
  const [prices, heights] = await Promise.all([
    findPrices(
      learned.map(({ facts }) => facts),
      context,
    ),
    readTipHeights(tx, [...new Set(all.map(({ chain }) => chain))].filter(isUntold)),
  ]);
  const tipOf = (chain: string): number | null => {
    const override = request.tips.get(chain);
    return override === undefined ? (heights.get(chain) ?? null) : override;
  };
  const decisions = learned.map(({ before, known, facts }) => {
    const knownById = new Map(known.map((transfer) => [transfer.id, transfer]));
    const changes: TransferChange[] = priceTransfers(facts, prices, context).map((now) => ({
      before: knownById.get(now.id) ?? null,
      now,
    }));
    return decideDeposit(before, facts.deposit, changes, {
      currencies: context.currencies,
      tipOf,
      now: request.now,
    });
  });
  await write(tx, context, deposits, decisions, { tipOf, now: request.now });
  return decisions;
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
