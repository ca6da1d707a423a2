import { Command } from "commander";
import { listOf, randomSeed, readCount, runInFolder } from "../support/run-in-folder.ts";
import { chaosChains, defaultChains } from "./chains/open-chains.ts";
import { type FaultKind, faultKinds } from "./options.ts";
import { runChaos } from "./run-chaos.ts";
import { wholeShape } from "./shape.ts";

/*
 * `npm run chaos -- --rounds 100 --kinds api,worker,signer,witness,node,database,pause,lock,network,connections,disk,clock
 * --chains TRX --seed 7`: strikes a whole deployment under
 * load with faults and reports whether anything was lost or done twice. Exits with 1 if so.
 */

const options = new Command("chaos")
  .option("--rounds <count>", "faults of each kind", readCount, 100)
  .option("--kinds <list>", "faults", listOf(faultKinds), faultKinds)
  .option("--chains <list>", "chains to run", listOf(chaosChains), defaultChains)
  .option("--seed <number>", "decides which part is killed when", readCount)
  .option("--heal <seconds>", "time limit until everything is at rest", readCount, 300)
  .option("--keep", "keep data and logs")
  .parse()
  .opts<{
    readonly rounds: number;
    readonly kinds: readonly FaultKind[];
    readonly chains: readonly string[];
    readonly seed?: number;
    readonly heal: number;
    readonly keep?: true;
  }>();

await runInFolder("chaos", options.keep === true, ({ signal, ...run }) =>
  runChaos(
    {
      ...options,
      ...run,
      seed: options.seed ?? randomSeed(),
      healSeconds: options.heal,
      shape: wholeShape(run.print),
    },
    signal,
  ),
);
