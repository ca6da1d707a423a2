import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { findFetchedProgram } from "../support/find-fetched-program.ts";
import { runDrill } from "./run-drill.ts";

/*
 * `npm run drill`: backs up a deployment under load, restores it to an empty place, starts it there, and reports whether a payment
 * was lost or paid twice. Exits with 1 if so.
 */

function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("a positive integer");
}

const options = new Command("drill")
  .option(
    "--seconds <count>",
    "load before the backup, after it, and after the restore",
    readCount,
    20,
  )
  .option("--chains <list>", "chains to run", (text) => text.split(","), ["ETH", "BTC"])
  .option("--seed <number>", "decides what the load does", readCount)
  .option("--keep", "keep data and logs")
  .parse()
  .opts<{
    readonly seconds: number;
    readonly chains: readonly string[];
    readonly seed?: number;
    readonly keep?: true;
  }>();

const program = findFetchedProgram("pgbackrest");
if (program === null) {
  console.error(
    'pgBackRest is missing: install it, or run bash scripts/fetch-nodes.sh "" pgbackrest',
  );
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), "sluice-drill-"));
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.once(name, () => {
    stop.abort(new Error(`stopped by ${name}`));
  });
const startedAt = performance.now();
let isWell = false;
try {
  const { faults } = await runDrill(
    {
      folder,
      program,
      chains: options.chains,
      seconds: options.seconds,
      seed: options.seed ?? 1 + Math.floor(Math.random() * 1_000_000),
      healSeconds: 300,
      print: (line) => {
        console.log(line);
      },
    },
    stop.signal,
  );
  isWell = faults.length === 0;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(
    isWell
      ? `Nothing is lost, and nothing is paid twice (${seconds} s)`
      : `${faults.length} faults`,
  );
} finally {
  process.exitCode = isWell ? 0 : 1;
  if (options.keep === true || !isWell) console.log(`Data and logs: ${folder}`);
  else await rm(folder, { recursive: true, force: true });
}
