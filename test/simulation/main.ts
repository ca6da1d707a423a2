import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { connect } from "../../src/db/connect.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { assembledStatement } from "../../src/db/statement-name.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { systemClock } from "../../src/kernel/system-clock.ts";
import { playSeeds } from "./play-seeds.ts";

/*
 * `npm run simulate -- --seeds 10000 --from 1`: histories of payouts with everything that can go wrong, on a database of its
 * own. Ends with 1, and prints the seed, when one of them ends badly.
 */

function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("a number from 1 on");
}

const program = new Command("simulate")
  .option("--seeds <count>", "histories", readCount, 1_000)
  .option("--from <seed>", "the first one's seed", readCount, 1)
  .parse();
const options = program.opts<{ readonly seeds: number; readonly from: number }>();

const folder = await mkdtemp(join(tmpdir(), "sluice-simulation-"));
const server = await startEmbedded({ folder, password: "simulation", clock: systemClock });
await migrate(server.url, systemClock);
const db = connect({ url: server.url, clock: systemClock, logger: silentLogger });
const startedAt = performance.now();
try {
  const seen = await playSeeds(
    {
      url: server.url,
      db,
      sql: (text, values) => db.query(assembledStatement("simulation", text), values ?? []),
    },
    options,
    (seed) => {
      if (seed % 100 === 0) console.log(`seed ${seed}, ${seconds()} s`);
    },
  );
  console.log(`${options.seeds} histories from seed ${options.from} ended well in ${seconds()} s`);
  for (const [what, count] of [...seen].sort()) console.log(`  ${what}: ${count}`);
} catch (error) {
  process.exitCode = 1;
  console.error(error);
} finally {
  await db.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}
