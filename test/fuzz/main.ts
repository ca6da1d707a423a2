import { Command, InvalidArgumentError } from "commander";
import { writeCorpus } from "./engine/corpus.ts";
import { runTarget } from "./engine/run-target.ts";
import { targets } from "./targets/targets.ts";

/*
 * `npm run fuzz -- --minutes 60 --inputs 1000000 --only utxo,signer --save`: coverage-guided fuzzing of the parsers that read foreign bytes.
 * Prints each target's inputs, speed and reached functions; exits with 1 and prints the input at the first defect of a target.
 */

function readPositive(text: string): number {
  const value = Number(text);
  if (value > 0 && value < 1e12) return value;
  throw new InvalidArgumentError("a number above 0");
}

const options = new Command("fuzz")
  .option("--minutes <count>", "for all targets together", readPositive, 10)
  .option("--inputs <count>", "for each target, at the most", readPositive, 1e11)
  .option("--seed <number>", "of the first target", readPositive, 1)
  .option("--only <names>", "targets whose name begins with one of these", "")
  .option("--save", "store the inputs that reached new code in test/fuzz/corpus", false)
  .parse()
  .opts<{
    readonly minutes: number;
    readonly inputs: number;
    readonly seed: number;
    readonly only: string;
    readonly save: boolean;
  }>();

const chosen = targets.filter(({ name }) =>
  options.only.split(",").some((prefix) => name.startsWith(prefix)),
);
if (chosen.length === 0)
  throw new Error(`no such target; choose from ${targets.map(({ name }) => name).join(", ")}`);

for (const [place, { name }] of chosen.entries()) {
  const startedAt = performance.now();
  const { inputs, functions, corpus, finding } = await runTarget({
    target: name,
    seed: options.seed + place,
    seconds: (options.minutes * 60) / chosen.length,
    inputsMax: options.inputs,
  });
  const perSecond = Math.round((inputs * 1_000) / (performance.now() - startedAt));
  console.log(
    `${name}: ${inputs} inputs, ${perSecond} per second, ${functions} functions reached, ${corpus.length} inputs stored or new`,
  );
  if (finding !== null) {
    process.exitCode = 1;
    console.log(`DEFECT ${Buffer.from(finding.input).toString("base64")}\n${finding.error}`);
  } else if (options.save) writeCorpus(name, corpus);
}
