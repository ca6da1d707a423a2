import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { assets } from "./assets.ts";
import type { SeenEvent } from "./feed-reader.ts";
import type { CheckedChain } from "./finding.ts";
import type { Sql } from "./open-sql.ts";

/** Deeper than any confirmation count in this run. */
const depthMax = Math.max(5, ...assets.map(({ confirmations }) => confirmations));
const pauseMs = 300;
const logEveryMicros = 20_000_000;

export type HealContext = {
  readonly healSeconds: number;
  readonly print: (line: string) => void;
  readonly sql: Sql;
  readonly chains: readonly CheckedChain[];
  readonly feed: readonly SeenEvent[];
  /** Rejects when it aborts. */
  readonly signal: AbortSignal;
};

/**
 * After the last kill: mines until every payment is deep enough, then waits until the service has caught up and delivered
 * everything. Resolves with what is not finished in time; empty if everything is.
 */
export async function heal(context: HealContext): Promise<readonly string[]> {
  const startedAt = systemClock.now();
  const giveUpAt = startedAt + context.healSeconds * 1_000_000;
  const stuck = (
    await Promise.all(context.chains.map((chain) => mineDeep(chain, giveUpAt, context.signal)))
  ).flat();
  const restless = stuck.length > 0 ? stuck : await awaitRest(context, giveUpAt);
  const seconds = Math.round((systemClock.now() - startedAt) / 1_000_000);
  const answer = restless.length === 0 ? "yes" : `no, ${restless.join("; ")}`;
  context.print(`At rest after ${seconds} s: ${answer}`);
  return restless;
}

async function mineDeep(
  { actor }: CheckedChain,
  giveUpAt: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let last = "";
  while (systemClock.now() < giveUpAt) {
    signal.throwIfAborted();
    try {
      // A payer that is refused must not keep the chain, and so the service, from coming to rest.
      await actor.payDue().catch((error: unknown) => {
        last = String(error);
      });
      await actor.mine();
      await actor.sendForgotten();
      if (actor.unconfirmed(depthMax).length === 0) return [];
    } catch (error) {
      last = String(error);
    }
    await systemClock.sleep(pauseMs);
  }
  const open = actor.unconfirmed(depthMax).length;
  return [`${actor.chain}: ${open} payments did not get deep enough into the chain ${last}`];
}

async function awaitRest(context: HealContext, giveUpAt: number): Promise<readonly string[]> {
  let logAt = systemClock.now() + logEveryMicros;
  for (;;) {
    context.signal.throwIfAborted();
    const restless = await unfinished(context).catch((error: unknown) => [String(error)]);
    if (restless.length === 0 || systemClock.now() > giveUpAt) return restless;
    if (systemClock.now() > logAt) {
      context.print(`  not yet at rest: ${restless.join("; ")}`);
      logAt += logEveryMicros;
    }
    await systemClock.sleep(pauseMs);
  }
}

async function unfinished(context: HealContext): Promise<readonly string[]> {
  const { sql, chains, feed } = context;
  const list: string[] = [];
  const moving = await sql<{ chain: string; count: string; what: string }>(
    `select chain, count(*), string_agg(what, ', ' order by what) as what from (
       select chain, 'payout ' || id || ' ' || stage as what from payout
       where stage not in ('confirmed', 'failed', 'cancelled', 'internal') or due_height is not null
       union all select chain, kind || ' spend ' || id || ' ' || state from spend where state in ('open', 'included')) as one
     group by chain`,
  );
  list.push(...moving.map(({ chain, count, what }) => `${chain}: ${count} under way (${what})`));
  for (const { actor } of chains) {
    if (moving.some(({ chain }) => chain === actor.chain)) await actor.mineFinal();
    await actor.best.update();
    const [cursor] = await sql<{ height: string; hash: string | null }>(
      "select height, hash from chain_cursor where chain = $1",
      [actor.chain],
    );
    if (cursor?.hash !== actor.best.blocks.at(-1)?.hash) {
      list.push(`${actor.chain} is read up to ${cursor?.height} of ${actor.best.height}`);
    }
  }
  const [open] = await sql<{ name: string; count: string; what: string }>(
    `select (select count(*) from callback where status = 'pending') || ' callbacks, ' ||
       (select count(*) from event where seq is null) || ' unnumbered events, ' ||
       (select count(*) from transfer where due_height is not null) || ' transfers under way, ' ||
       (select count(*) from transfer where risk_status = 2 and status = 1) || ' to screen' as what,
       (select count(*) from event) as count`,
  );
  if (open?.what !== "0 callbacks, 0 unnumbered events, 0 transfers under way, 0 to screen") {
    list.push(open?.what ?? "no answer");
  }
  if (feed.length !== Number(open?.count)) list.push(`the feed is read up to ${feed.length}`);
  return list;
}
