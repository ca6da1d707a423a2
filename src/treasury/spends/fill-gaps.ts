import type { ChainWriter, Funds, SequenceRange } from "../../chains/paying-port.ts";
import { minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { readClaimedSequences } from "./claim.store.ts";
import { createSpend } from "./create-spend.ts";
import { excludeNodesBehind } from "./exclude-nodes-behind.ts";
import { findFeeCeiling } from "./fee-ceiling.ts";
import { allocateSequence, runsOf } from "./sequence-allocator.ts";
import { readSpendsInFlight } from "./spend.store.ts";
import type { SpendContext } from "./spend-context.ts";

/** What making transactions without payments takes; signing and sending them is the worker's. */
export type GapContext = Pick<
  SpendContext,
  "db" | "clock" | "chain" | "writer" | "logger" | "settings" | "coinConfirmations"
>;

/**
 * Uses an account's unused sequence numbers below used ones by transactions that do nothing, since later ones cannot be mined
 * before. Sets an account up by the same transaction where it needs that and nothing of it is pending, and makes the accounts that lend it
 * numbers, one transaction after the other. Does nothing on chains without such numbers. Returns how many spends it created.
 */
export async function fillGaps(
  context: GapContext,
  sender: string,
  signal: AbortSignal,
): Promise<number> {
  const { db, clock, chain, writer, logger } = context;
  const nextSequence = writer.account?.nextSequence ?? null;
  if (nextSequence === null || writer.account?.numbersOnce === true) return 0;
  await excludeNodesBehind(context);
  const chainNext = await nextSequence(sender, signal);
  const claimed = await readClaimedSequences(db, chain, sender, chainNext);
  let opened = 0;
  const { gaps, next } = allocateSequence(chainNext, claimed);
  const needsSetUp =
    (claimed.length === 0 &&
      (await writer.account?.readiness?.(sender, signal)) === "needsSetUp") ||
    (gaps.length === 0 && (await needsLenders(context, sender, signal)));
  for (const range of needsSetUp ? [{ sequence: next }] : rangesOf(writer, gaps)) {
    if (signal.aborted) break;
    const funds: Funds = { kind: "account", address: sender, ...range };
    const feeCeiling = await findFeeCeiling(context, [], funds, signal);
    const outcome = await writer.draft(
      { payments: [], funds, feeTarget: null, feeCeiling, replaces: null },
      signal,
    );
    if (outcome.kind !== "draft") {
      logger.warn("a sequence gap is not filled", {
        chain,
        sender,
        sequence: String(range.sequence),
        outcome: outcome.kind,
      });
      break;
    }
    const { draft } = outcome;
    const result = await db.transaction((tx) =>
      createSpend(
        tx,
        {
          chain,
          kind: "gap",
          sender,
          purpose: {},
          request: { payments: [], funds },
          feeCurrency: writer.coin,
          confirmations: context.coinConfirmations,
          leaves: null,
          draft,
        },
        clock.now(),
      ),
    );
    if (result.kind === "created") opened += 1;
  }
  return opened;
}

/** Also while payments are pending, so that they end the sooner; but not while an earlier transaction without payments is. */
async function needsLenders(
  { db, chain, writer }: GapContext,
  sender: string,
  signal: AbortSignal,
): Promise<boolean> {
  const lenders = writer.account?.lenders;
  if (lenders === undefined || !(await lenders.canBeMade(sender, signal))) return false;
  const spends = await readSpendsInFlight(db, chain, sender);
  return !spends.some(({ kind, state }) => kind === "gap" && state === "open");
}

/** Where a transaction can use several numbers, it uses as many consecutive ones as it may. */
function rangesOf(
  { account, paymentsMax }: ChainWriter,
  gaps: readonly bigint[],
): readonly SequenceRange[] {
  if (account?.batching?.isAtomic !== true) return gaps.map((sequence) => ({ sequence }));
  const most = BigInt(paymentsMax);
  return runsOf(gaps).flatMap(({ sequence: first, through: last }) => {
    const count = Number((last - first) / most) + 1;
    return Array.from({ length: count }, (_, at): SequenceRange => {
      const sequence = first + BigInt(at) * most;
      const through = minBigInt(last, sequence + most - 1n);
      return sequence === through ? { sequence } : { sequence, through };
    });
  });
}
