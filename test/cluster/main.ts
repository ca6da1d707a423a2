import { Command } from "commander";
import { listOf, randomSeed, readCount, runInFolder } from "../support/run-in-folder.ts";
import { clusterFaults } from "./cluster-faults.ts";
import { runFailover } from "./run-failover.ts";

/*
 * `npm run failover -- --rounds 20`: strikes the PostgreSQL servers of a cluster under load, and reports what its clients saw and whether
 * anything was lost or done twice. Exits with 1 if so.
 */

const names = clusterFaults.map(({ name }) => name);

const options = new Command("failover")
  .option("--rounds <count>", "rounds of each fault", readCount, 17)
  .option("--faults <list>", "faults to strike with", listOf(names), names)
  .option("--seed <number>", "decides the order, and what the load does", readCount)
  .option("--heal <seconds>", "time limit until everything is at rest", readCount, 300)
  .option("--keep", "keep data and logs")
  .parse()
  .opts<{
    readonly rounds: number;
    readonly faults: readonly string[];
    readonly seed?: number;
    readonly heal: number;
    readonly keep?: true;
  }>();

await runInFolder("failover", options.keep === true, async ({ signal, ...run }) => ({
  faults: await runFailover(
    { ...options, ...run, seed: options.seed ?? randomSeed(), healSeconds: options.heal },
    signal,
  ),
}));
