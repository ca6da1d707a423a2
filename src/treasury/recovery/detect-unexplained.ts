import type { BlockSink } from "../../chains/block-sink.ts";
import type {
  BlockRef,
  ChainReader,
  OutgoingPayment,
  OutgoingTransaction,
} from "../../chains/port.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { FollowedTreasury } from "../holdings/block-facts.ts";
import { findOwnSources, loadOwnSources, markCoinsSpent } from "../holdings/find-own-sources.ts";
import {
  type ComparedWriter,
  findEquivalents,
  recordEquivalents,
} from "../spends/record-equivalents.ts";
import type { SpendListener } from "../spends/spend-listener.ts";
import { enterUnexplained, orphanUnexplained } from "./unexplained.store.ts";
import { hiddenPayment } from "./unexplained-spend.ts";

/*
 * Everything that our keys sign is on record before a node sees it. So a transaction of our accounts that is on the chain but not
 * on record was signed for a lost database and journal, or by someone else who has the keys. Either way it may have paid what
 * this database still intends to pay.
 */

/** A chain whose blocks or mempool are searched. */
type SearchedTreasury = FollowedTreasury & ComparedWriter;

export type UnexplainedContext = {
  readonly logger: Logger;
  readonly chains: readonly SearchedTreasury[];
  /** Pauses the chain's payouts until a person resumes them. */
  readonly pauseChain: (tx: Executor, chain: string, reason: string, now: Instant) => Promise<void>;
};

/** Also shown to accounts. */
const pauseReason =
  "transactions of the deployment's accounts are not on record and wait for a decision";

/**
 * Wraps a sink: finds unexplained transactions of our accounts in blocks and pauses their chain's payouts. One that does exactly what a
 * recorded one would have done is explained by it, and is recorded for the same spend.
 */
export function detectUnexplained(
  context: UnexplainedContext & { readonly listener: SpendListener },
  sink: BlockSink,
): BlockSink {
  const byName = new Map(context.chains.map((chain) => [chain.chain, chain]));
  return {
    ...sink,
    appended: async (tx, chain, block, hits, now, own) => {
      await sink.appended(tx, chain, block, hits, now, own);
      const followed = present(byName.get(chain), `the chain ${chain}`);
      const ours = await findOwnSources(tx, followed, own.spends.sources());
      if (ours.size === 0) return;
      const outgoing = own.spends.transactionsFrom(new Set(ours.keys()));
      const { listener, logger } = context;
      const recorded = await recordEquivalents(tx, listener, followed, outgoing, block, now);
      for (const [txid, spend] of recorded)
        logger.warn("a block has a transaction of ours under another id", { chain, txid, spend });
      await enter(tx, context, followed, outgoing, block, now);
    },
    orphaned: async (tx, chain, block, now) => {
      await sink.orphaned(tx, chain, block, now);
      await orphanUnexplained(tx, chain, block);
    },
  };
}

/**
 * The same for unconfirmed transactions, where what is explained is recorded once a block contains it. Rejects with `Unavailable` if the
 * node does not respond.
 */
export async function findUnexplainedInMempool(
  context: UnexplainedContext & { readonly db: Database; readonly clock: Clock },
  chain: SearchedTreasury & { readonly reader: Pick<ChainReader, "pendingSpends"> },
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = context;
  const { pendingSpends } = chain.reader;
  if (pendingSpends === null) return;
  const outgoing = await pendingSpends(await loadOwnSources(db, chain), signal);
  if (outgoing.length === 0) return;
  await db.transaction(async (tx) => {
    const explained = await findEquivalents(tx, chain, outgoing);
    const others = outgoing.filter(({ txid }) => !explained.has(txid));
    await enter(tx, context, chain, others, null, clock.now());
  });
}

/**
 * Stores those of the transactions that are not on record, and pauses the chain's payouts if there are any. `block`: theirs; null for pending
 * ones.
 */
export async function enter(
  tx: Executor,
  { logger, pauseChain }: UnexplainedContext,
  chain: FollowedTreasury,
  outgoing: readonly OutgoingTransaction[],
  block: BlockRef | null,
  now: Instant,
): Promise<void> {
  for (const transaction of outgoing) {
    const { txid, sender } = transaction;
    const coins =
      sender === null
        ? await findOwnSources(tx, chain, transaction.claims)
        : new Map<string, null>();
    const payments = [...transaction.payments, ...hiddenPayments(transaction, coins)];
    const seen = {
      txid,
      sender,
      claims: sender === null ? [...coins.keys()] : transaction.claims,
      payments,
      feeUnits: transaction.feeUnits ?? feeOf(transaction, coins),
    };
    if (!(await enterUnexplained(tx, chain.chain, seen, block, now))) continue;
    if (block !== null) await markCoinsSpent(tx, chain, seen.claims, block.height);
    await pauseChain(tx, chain.chain, pauseReason, now);
    logger.error("a transaction of our accounts is not on record: payouts are paused", {
      chain: chain.chain,
      txid,
      height: block?.height ?? null,
      payments: payments.map(({ address, currency, units }) => ({
        address,
        currency,
        units: units.toString(),
      })),
    });
  }
}

/**
 * What it paid to others where the chain hides that: its coins less its fee and what came back, without a receiver. Of no units while
 * not all of its coins are known to be ours.
 */
function hiddenPayments(
  { claims, feeUnits, hides, payments }: OutgoingTransaction,
  ours: ReadonlyMap<string, bigint | null>,
): readonly OutgoingPayment[] {
  if (hides === undefined || feeUnits === null) return [];
  const worths = claims.map((claim) => ours.get(claim) ?? null);
  const isKnown = worths.every((worth) => worth !== null);
  const taken = worths.reduce<bigint>((sum, worth) => sum + (worth ?? 0n), 0n);
  const left = payments.reduce((rest, { units }) => rest - units, taken - feeUnits);
  if (!isKnown) return [hiddenPayment(hides, 0n)];
  return left > 0n ? [hiddenPayment(hides, left)] : [];
}

/** Inputs minus payments; null if some input is not ours, and on account chains. */
function feeOf(
  { sender, claims, payments }: OutgoingTransaction,
  ours: ReadonlyMap<string, bigint | null>,
): bigint | null {
  if (sender !== null) return null;
  let taken = 0n;
  for (const claim of claims) {
    const worth = ours.get(claim) ?? null;
    if (worth === null) return null;
    taken += worth;
  }
  const fee = payments.reduce((rest, { units }) => rest - units, taken);
  return fee < 0n ? null : fee;
}
