import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { admission } from "../../src/platform/db/admission.ts";
import { connect } from "../../src/platform/db/connect.ts";
import { startEmbedded } from "../../src/platform/db/embedded.ts";
import { assembledStatement } from "../../src/platform/db/list-query.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { TestDatabase } from "../support/database.ts";
import { type Played, playPayouts } from "./play-payouts.ts";
import { playAll } from "./play-seeds.ts";
import { playRestores, startRestoreDeployment } from "./restores/play-restores.ts";
import { playValue } from "./value/play-value.ts";
import { startValueDeployment } from "./value/value-site.ts";
import { startDepositDeployment } from "./weave/deposit-site.ts";
import { playHistory } from "./weave/history.ts";
import { depositHistory } from "./weave/play-deposits.ts";
import { payoutHistory, startPayoutDeployment } from "./weave/play-woven-payouts.ts";

/*
 * `npm run simulate -- --seeds 10000 --from 1` plays histories on a database of their own: first of payouts, then with restores, then of
 * everything that moves value, then of deposits and payouts whose statements interleave;
 * `--of` selects one of them. Exits with 1 and prints the seed if a history fails. An interrupt ends it after the history that is being
 * played, with 130.
 */

function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("a number from 1 on");
}

const kinds = ["payouts", "restores", "value", "woven-deposits", "woven-payouts"] as const;

const program = new Command("simulate")
  .option("--seeds <count>", "histories", readCount, 1_000)
  .option("--from <seed>", "the first one's seed", readCount, 1)
  .addOption(
    new Option("--of <what>", "what they simulate; default: one after the other").choices([
      ...kinds,
    ]),
  )
  .parse();
const options = program.opts<{
  readonly seeds: number;
  readonly from: number;
  readonly of?: (typeof kinds)[number];
}>();

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    process.exitCode = 130;
    stop.abort();
  });

const folder = await mkdtemp(join(tmpdir(), "sluice-simulation-"));
const server = await startEmbedded({ folder, password: "simulation", clock: systemClock });
await migrate(server.url, systemClock);
const db = connect({ url: server.url, clock: systemClock, logger: silentLogger });
const database: TestDatabase = {
  url: server.url,
  db,
  sql: (text, values) => db.query(assembledStatement("simulation", text), values ?? []),
};
// As a worker does once it has admitted the database as the newest copy.
await database.sql(`update database_mark set ${admission}`);
const startedAt = performance.now();
try {
  const isWanted = (kind: (typeof kinds)[number]) => (options.of ?? kind) === kind;
  if (isWanted("payouts")) await play("payouts", (seed) => playPayouts(database, seed));
  if (isWanted("restores")) await playAllRestores();
  if (isWanted("value")) await playValues();
  if (isWanted("woven-deposits")) await playWovenDeposits();
  if (isWanted("woven-payouts")) await playWovenPayouts();
} catch (error) {
  process.exitCode = 1;
  console.error(error);
} finally {
  await db.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function playValues(): Promise<void> {
  const deployment = await startValueDeployment(database);
  try {
    await play("value", (seed) => playValue(deployment, seed));
  } finally {
    await deployment.stop();
  }
}

async function playAllRestores(): Promise<void> {
  const deployment = await startRestoreDeployment(database);
  await play("restores", (seed) => playRestores(deployment, seed));
  await deployment.copies.empty();
  await database.sql(`update database_mark set ${admission}`);
}

async function playWovenDeposits(): Promise<void> {
  const deployment = await startDepositDeployment(database);
  try {
    const history = depositHistory(deployment);
    await play("woven-deposits", (seed) => playHistory(history, seed));
  } finally {
    await deployment.stop();
  }
}

async function playWovenPayouts(): Promise<void> {
  const deployment = await startPayoutDeployment(database);
  try {
    const history = payoutHistory(deployment);
    await play("woven-payouts", (seed) => playHistory(history, seed));
  } finally {
    await deployment.stop();
  }
}

async function play(of: string, playOne: (seed: number) => Promise<Played>): Promise<void> {
  if (stop.signal.aborted) return;
  const playAndTell = async (seed: number): Promise<Played> => {
    const played = await playOne(seed);
    if (seed % 100 === 0) console.log(`${of}: seed ${seed}, ${seconds()} s`);
    return played;
  };
  const { seen, histories } = await playAll(options, playAndTell, stop.signal);
  const held = `${histories} histories of ${of} from seed ${options.from}`;
  console.log(`${held} succeeded in ${seconds()} s`);
  for (const [what, count] of [...seen].sort()) console.log(`  ${what}: ${count}`);
}

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}
