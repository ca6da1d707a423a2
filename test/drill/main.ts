import { Command } from "commander";
import { findFetchedProgram } from "../support/find-fetched-program.ts";
import { randomSeed, readCount, runInFolder } from "../support/run-in-folder.ts";
import { runDrill } from "./run-drill.ts";

/*
 * `npm run drill`: backs up a deployment under load, restores it to an empty place, starts it there, and reports whether a payment
 * was lost or paid twice. Exits with 1 if so.
 */

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
await runInFolder("drill", options.keep === true, ({ signal, ...run }) =>
  runDrill(
    { ...options, ...run, program, seed: options.seed ?? randomSeed(), healSeconds: 300 },
    signal,
  ),
);
