import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { clusterFaults } from "./cluster-faults.ts";
import { runFailover } from "./run-failover.ts";

/*
 * `npm run failover -- --rounds 20`: strikes the PostgreSQL servers of a cluster under load, and reports what its clients saw and whether
 * anything was lost or done twice. Exits with 1 if so.
 */

const names = clusterFaults.map(({ name }) => name);

function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("a positive integer");
}

function readFaults(text: string): readonly string[] {
  const asked = text.split(",");
  if (asked.every((name) => names.includes(name))) return asked;
  throw new InvalidArgumentError(`some of ${names.join(", ")}`);
}

const program = new Command("failover")
  .option("--rounds <count>", "rounds of each fault", readCount, 17)
  .option("--faults <list>", "faults to strike with", readFaults, names)
  .option("--seed <number>", "decides the order, and what the load does", readCount)
  .option("--heal <seconds>", "time limit until everything is at rest", readCount, 300)
  .option("--keep", "keep data and logs")
  .parse();

const options = program.opts<{
  readonly rounds: number;
  readonly faults: readonly string[];
  readonly seed?: number;
  readonly heal: number;
  readonly keep?: true;
}>();

const folder = await mkdtemp(join(tmpdir(), "sluice-failover-"));
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    console.log(`Stopping for ${signal}`);
    stop.abort();
  });
}
try {
  const wrong = await runFailover(
    {
      rounds: options.rounds,
      faults: options.faults,
      seed: options.seed ?? 1 + Math.floor(Math.random() * 1_000_000),
      folder,
      healSeconds: options.heal,
      print: (line) => {
        console.log(line);
      },
    },
    stop.signal,
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
  console.log(wrong.length === 0 ? "All held" : `${wrong.length} faults`);
} catch (error) {
  if (!stop.signal.aborted) throw error;
  process.exitCode = 130;
  console.log("Stopped");
} finally {
  const isOfUse = options.keep === true || (process.exitCode !== 0 && !stop.signal.aborted);
  if (isOfUse) console.log(`Data and logs: ${folder}`);
  else await rm(folder, { recursive: true, force: true });
}
