import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { chaosChains, defaultChains } from "./chains/open-chains.ts";
import { type KillKind, killKinds } from "./options.ts";
import { runChaos } from "./run-chaos.ts";

/*
 * `npm run chaos -- --rounds 100 --kinds api,worker,node,database,signer --chains TRX --seed 7`: kills parts of a whole deployment under
 * load and reports whether anything was lost or done twice. Exits with 1 if so.
 */

function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("a positive integer");
}

function listOf<Name extends string>(names: readonly Name[]): (text: string) => readonly Name[] {
  return (text) =>
    text.split(",").map((name) => {
      const known = names.find((candidate) => candidate === name);
      if (known === undefined) throw new InvalidArgumentError(`one of ${names.join(", ")}`);
      return known;
    });
}

const program = new Command("chaos")
  .option("--rounds <count>", "kills of each kind", readCount, 100)
  .option("--kinds <list>", "parts to kill", listOf(killKinds), killKinds)
  .option("--chains <list>", "chains to run", listOf(chaosChains), defaultChains)
  .option("--seed <number>", "decides which part is killed when", readCount)
  .option("--heal <seconds>", "time limit until everything is at rest", readCount, 300)
  .option("--keep", "keep data and logs")
  .parse();

const options = program.opts<{
  readonly rounds: number;
  readonly kinds: readonly KillKind[];
  readonly chains: readonly string[];
  readonly seed?: number;
  readonly heal: number;
  readonly keep?: true;
}>();

const folder = await mkdtemp(join(tmpdir(), "sluice-chaos-"));
const stop = new AbortController();
let signals = 0;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    signals += 1;
    console.log(`Stopping for ${signal}`);
    // The keepers of all processes end them when we exit.
    if (signals > 1) process.exit(130);
    stop.abort();
  });
}
const startedAt = performance.now();
try {
  const { faults } = await runChaos(
    {
      rounds: options.rounds,
      kinds: options.kinds,
      chains: options.chains,
      seed: options.seed ?? 1 + Math.floor(Math.random() * 1_000_000),
      folder,
      healSeconds: options.heal,
      print: (line) => {
        console.log(line);
      },
    },
    stop.signal,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(faults.length === 0 ? `All held, in ${seconds} s` : `${faults.length} faults`);
} catch (error) {
  if (!stop.signal.aborted) throw error;
  process.exitCode = 130;
  console.log("Stopped");
} finally {
  const isOfUse = options.keep === true || (process.exitCode !== 0 && !stop.signal.aborted);
  if (isOfUse) console.log(`Data and logs: ${folder}`);
  else await rm(folder, { recursive: true, force: true });
}
