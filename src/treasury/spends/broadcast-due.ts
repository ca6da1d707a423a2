import { present } from "../../platform/kernel/assert.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { traced } from "../../platform/kernel/tracing.ts";
import { hasEndedBy } from "../../platform/kernel/validity.ts";
import { readTipHeight } from "./block.store.ts";
import { changeSpends } from "./change-spends.ts";
import { sequenceClaimOf } from "./sequence-allocator.ts";
import { readOpenSpends } from "./spend.store.ts";
import { type Attempt, isMinable, type Spend } from "./spend.ts";
import type { SpendContext, SpendSettings } from "./spend-context.ts";
import { spanOf, tracesOf } from "./spend-traces.ts";
import { recordBroadcast, recordRejection } from "./spend-transitions.ts";
import { outagesMax, tryEach } from "./try-each.ts";

/** On account chains, how many are broadcast together, with their outcomes stored in one transaction. */
const togetherMax = 32;

/**
 * Broadcasts signed transactions: the same bytes, at growing intervals, until a block contains them or they expire. Rejects
 * with `Unavailable`, after trying all, if the node did not respond for one of them.
 */
export async function broadcastDue(context: SpendContext, signal: AbortSignal): Promise<void> {
  const open = await readOpenSpends(context.db, context.chain);
  const attempts = open.flatMap((spend) => spend.attempts.map((attempt) => ({ spend, attempt })));
  // Null before the follower has read a block: no height counts as reached then.
  const tipHeight = (await readTipHeight(context.db, context.chain)) ?? 0;
  const due = attempts.filter(({ attempt }) =>
    isBroadcastDue(attempt, context.settings, context.clock.now(), tipHeight),
  );
  await tryEach(
    groupsOf(due, context.writer.account === null ? 1 : togetherMax),
    async (group) => {
      if (!signal.aborted) await broadcastGroup(context, group, signal);
    },
    outagesMax,
  );
}

/**
 * Whether a broadcast is due: at once, then after the minimum delay, then each time after twice the previous delay. Never after
 * the transaction's validity, by the clock or by the chain that was read. Pure.
 */
export function isBroadcastDue(
  attempt: Attempt,
  settings: Pick<SpendSettings, "rebroadcastMinSeconds" | "rebroadcastMaxSeconds">,
  now: Instant,
  tipHeight: number,
): boolean {
  if (!isMinable(attempt) || attempt.raw === null || attempt.raw.length === 0) return false;
  const { validity } = attempt.draft;
  if (validity !== null && hasEndedBy(validity, { height: tipHeight, time: now })) return false;
  if (attempt.lastBroadcastAt === null) return true;
  const { rebroadcastMinSeconds, rebroadcastMaxSeconds } = settings;
  const doubled = rebroadcastMinSeconds * 2 ** Math.max(attempt.broadcasts - 1, 0);
  const waited = secondsBetween(attempt.lastBroadcastAt, now);
  // Setting the clock back must not stop broadcasts.
  return waited < 0 || waited >= Math.min(doubled, rebroadcastMaxSeconds);
}

type Due = { readonly spend: Spend; readonly attempt: Attempt };

/** By sequence number, where there are any: some nodes refuse a transaction whose predecessor is missing. */
function groupsOf(due: readonly Due[], size: number): readonly (readonly Due[])[] {
  const sequenceOf = ({ attempt }: Due): bigint =>
    sequenceClaimOf(attempt.draft.claims)?.sequence ?? 0n;
  const ordered = due.toSorted((a, b) =>
    sequenceOf(a) < sequenceOf(b) ? -1 : sequenceOf(a) > sequenceOf(b) ? 1 : 0,
  );
  return Array.from({ length: Math.ceil(ordered.length / size) }, (_, part) =>
    ordered.slice(part * size, (part + 1) * size),
  );
}

/** Each transaction has a span of its own, although they are sent together. */
async function traceEach<Result>(
  context: SpendContext,
  group: readonly Due[],
  send: () => Promise<Result>,
): Promise<Result> {
  const ids = group.filter(({ spend }) => spend.kind === "payout").map(({ spend }) => spend.id);
  const traces = await tracesOf(context, ids);
  const within = group.reduce(
    (inner, { spend }) =>
      () =>
        traced(spanOf("broadcast transaction", spend, traces), inner),
    send,
  );
  return await within();
}

async function broadcastGroup(
  context: SpendContext,
  group: readonly Due[],
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, writer, listener, logger } = context;
  const raws = group.map(({ attempt: { raw } }) => raw ?? new Uint8Array());
  const send = () =>
    writer.account?.broadcastEach(raws, signal) ??
    Promise.all(raws.map((raw) => writer.broadcast(raw, signal)));
  const outcomes = await traceEach(context, group, send);
  const now = clock.now();
  const changes = new Map<string, ((spend: Spend) => Spend)[]>();
  for (const [place, { spend, attempt }] of group.entries()) {
    const outcome = present(outcomes[place], "the outcome of a broadcast");
    if (outcome.kind === "waits") continue;
    const { number, txid } = attempt;
    if (outcome.kind === "rejected") {
      const { reason } = outcome;
      logger.warn("the node rejects a transaction of ours", {
        chain: spend.chain,
        spend: spend.id,
        txid,
        reason,
      });
    }
    const apply = (locked: Spend): Spend =>
      outcome.kind === "rejected"
        ? recordRejection(locked, number, outcome.reason, now)
        : recordBroadcast(locked, number, now);
    changes.set(spend.id, [...(changes.get(spend.id) ?? []), apply]);
  }
  await db.transaction((tx) =>
    changeSpends(
      tx,
      listener,
      [...changes.keys()],
      (spend) => (changes.get(spend.id) ?? []).reduce((current, apply) => apply(current), spend),
      now,
    ),
  );
}
