import { Command } from "commander";
import { chaosChains } from "../chaos/chains/open-chains.ts";
import { listOf, randomSeed, readCount, runInFolder } from "../support/run-in-folder.ts";
import { previousRelease } from "./previous-release.ts";
import { runUpgrade } from "./run-upgrade.ts";

/*
 * `npm run upgrade -- --from COMMIT --seconds 20`: upgrades a deployment of an earlier release to this one under load, and reports whether
 * anything was lost, done twice or refused. Exits with 1 if so.
 */

const options = new Command("upgrade")
  .option("--from <commit>", "the release that runs first", previousRelease)
  .option("--seconds <count>", "load in each stage", readCount, 20)
  .option("--chains <list>", "chains to run", listOf(chaosChains), ["ETH", "BTC"])
  .option("--seed <number>", "decides what the load does", readCount)
  .option("--heal <seconds>", "time limit until everything is at rest", readCount, 300)
  .option("--keep", "keep data and logs")
  .parse()
  .opts<{
    readonly from: string;
    readonly seconds: number;
    readonly chains: readonly string[];
    readonly seed?: number;
    readonly heal: number;
    readonly keep?: true;
  }>();

await runInFolder("upgrade", options.keep === true, ({ signal, ...run }) =>
  runUpgrade(
    { ...options, ...run, seed: options.seed ?? randomSeed(), healSeconds: options.heal },
    signal,
  ),
);
