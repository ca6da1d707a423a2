import { present } from "../../platform/kernel/assert.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { changeSpends } from "./change-spends.ts";
import { parseNonceClaim } from "./nonce-allocator.ts";
import { readOpenSpends } from "./spend.store.ts";
import { type Attempt, isMinable, type Spend } from "./spend.ts";
import type { SpendContext, SpendSettings } from "./spend-context.ts";
import { recordBroadcast, recordRejection } from "./spend-transitions.ts";
import { outagesMax, tryEach } from "./try-each.ts";

/** Handed over together, and what became of them written down in one transaction, on account chains. */
const togetherMax = 32;

/**
 * Hands signed transactions to the node: the same bytes as often as needed, ever more rarely, until a block has them. Rejects
 * with `Unavailable`, once all were tried, where the node did not answer for one.
 */
export async function broadcastDue(context: SpendContext, signal: AbortSignal): Promise<void> {
  const open = await readOpenSpends(context.db, context.chain);
  const attempts = open.flatMap((spend) => spend.attempts.map((attempt) => ({ spend, attempt })));
  const due = attempts.filter(({ attempt }) =>
    isBroadcastDue(attempt, context.settings, context.clock.now()),
  );
  await tryEach(
    partsOf(due, context.writer.account === null ? 1 : togetherMax),
    async (some) => {
      if (!signal.aborted) await broadcastSome(context, some, signal);
    },
    outagesMax,
  );
}

/** Pure: at once, then after the least delay, and each time after twice the one before. */
export function isBroadcastDue(
  attempt: Attempt,
  settings: Pick<SpendSettings, "rebroadcastMinSeconds" | "rebroadcastMaxSeconds">,
  now: Instant,
): boolean {
  if (!isMinable(attempt) || attempt.raw === null || attempt.raw.length === 0) return false;
  if (attempt.lastBroadcastAt === null) return true;
  const { rebroadcastMinSeconds, rebroadcastMaxSeconds } = settings;
  const doubled = rebroadcastMinSeconds * 2 ** Math.max(attempt.broadcasts - 1, 0);
  const waited = secondsBetween(attempt.lastBroadcastAt, now);
  // A clock that was set back must not silence it.
  return waited < 0 || waited >= Math.min(doubled, rebroadcastMaxSeconds);
}

type Due = { readonly spend: Spend; readonly attempt: Attempt };

/** In the order of their nonces, where they have one: some nodes refuse what comes before its time. */
function partsOf(due: readonly Due[], size: number): readonly (readonly Due[])[] {
  const nonceOf = ({ attempt }: Due): number =>
    parseNonceClaim(attempt.draft.claims[0] ?? "")?.nonce ?? 0;
  const ordered = due.toSorted((one, other) => nonceOf(one) - nonceOf(other));
  return Array.from({ length: Math.ceil(ordered.length / size) }, (_, part) =>
    ordered.slice(part * size, (part + 1) * size),
  );
}

async function broadcastSome(
  { db, clock, writer, listener, logger }: SpendContext,
  some: readonly Due[],
  signal: AbortSignal,
): Promise<void> {
  const raws = some.map(({ attempt: { raw } }) => raw ?? new Uint8Array());
  const outcomes = await (writer.account?.broadcastEach(raws, signal) ??
    Promise.all(raws.map((raw) => writer.broadcast(raw, signal))));
  const now = clock.now();
  const told = new Map<string, ((spend: Spend) => Spend)[]>();
  for (const [place, { spend, attempt }] of some.entries()) {
    const outcome = present(outcomes[place], "what became of a broadcast");
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
    const learn = (one: Spend): Spend =>
      outcome.kind === "rejected"
        ? recordRejection(one, number, outcome.reason, now)
        : recordBroadcast(one, number, now);
    told.set(spend.id, [...(told.get(spend.id) ?? []), learn]);
  }
  await db.transaction((tx) =>
    changeSpends(
      tx,
      listener,
      [...told.keys()],
      (spend) => (told.get(spend.id) ?? []).reduce((one, learn) => learn(one), spend),
      now,
    ),
  );
}
