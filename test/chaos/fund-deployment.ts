import { familyOf } from "../../src/main/families/families.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { payFloats } from "../scenarios/support/pay-floats.ts";
import type { Deployment } from "./deployment.ts";
import { assetsIn, fundWallets, type Load, overpayFirst } from "./load.ts";
import type { Sql } from "./open-sql.ts";

const fundingPatienceMs = 360_000;
const pollMs = 100;
const fundingBlockMs = 1_000;

/** The operator's, the wallets' and an invoice's money, in blocks that no kill removes. */
export async function fundDeployment(
  load: Load,
  deployment: Deployment,
  sql: Sql,
  signal: AbortSignal,
): Promise<void> {
  await whileMining(load, payFloats(deployment.databaseUrl, deployment.sites));
  await untilAddressed(load, sql, signal);
  await fundAccount(load, sql, signal);
  await Promise.all(deployment.chains.map(({ keep }) => keep()));
}

/** The wallets' and an invoice's money, booked. */
export async function fundAccount(load: Load, sql: Sql, signal: AbortSignal): Promise<void> {
  await fundWallets(load, signal);
  await overpayFirst(load, signal);
  const paying = assetsIn(load).filter(({ firstMoney }) => firstMoney !== null);
  await untilFunded(sql, paying.length, signal);
}

/** Mines until `work` is done: an account that has to accept a token before it is paid in it needs blocks for that. */
async function whileMining({ chains }: Load, work: Promise<void>): Promise<void> {
  const state = { isDone: false };
  const ended = work.finally(() => {
    state.isDone = true;
  });
  ended.catch(() => undefined);
  while (!state.isDone) {
    for (const [chain, { actor }] of chains)
      if (familyOf(chain).keyspace.needsActivation === true || chain === "XLM") await actor.mine();
    await systemClock.sleep(fundingBlockMs);
  }
  await ended;
}

/** Mines until every chain has deposit addresses: an account that deposits share gets them when it is set up. */
async function untilAddressed({ chains }: Load, sql: Sql, signal: AbortSignal): Promise<void> {
  const giveUpAt = systemClock.now() + fundingPatienceMs * 1_000;
  for (;;) {
    const rows = await sql<{ keyspace: string }>("select distinct keyspace from address");
    const missing = [...chains].filter(
      ([chain]) => !rows.some(({ keyspace }) => keyspace === familyOf(chain).keyspace.name),
    );
    if (missing.length === 0) return;
    if (systemClock.now() > giveUpAt)
      throw new Error(`no addresses of ${missing.map(([chain]) => chain).join(", ")}`);
    for (const [, { actor }] of missing) await actor.mine();
    await systemClock.sleep(pollMs, signal);
    signal.throwIfAborted();
  }
}

/** Waits until the service has credited that many wallets. */
async function untilFunded(sql: Sql, count: number, signal: AbortSignal): Promise<void> {
  const giveUpAt = systemClock.now() + fundingPatienceMs * 1_000;
  for (;;) {
    const rows = await sql("select wallet_id from wallet_balance where available > 0");
    if (rows.length >= count) return;
    if (systemClock.now() > giveUpAt) throw new Error(`only ${rows.length} wallets have money`);
    await systemClock.sleep(pollMs, signal);
    signal.throwIfAborted();
  }
}
