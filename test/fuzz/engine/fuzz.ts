import { Coverage } from "./coverage.ts";
import { mutate, seededChoose } from "./mutate.ts";
import type { Target } from "./target.ts";

/** An input that made a parser throw what it does not document. */
export type Finding = { readonly input: Uint8Array; readonly error: string };

export type FuzzResult = {
  readonly inputs: number;
  /** Functions of the product that ran. */
  readonly functions: number;
  /** Inputs besides the seeds that reached something new. */
  readonly corpus: readonly Uint8Array[];
  readonly finding: Finding | null;
};

export type FuzzOptions = {
  readonly seed: number;
  /** Whether to go on, asked between batches. */
  readonly goesOn: (inputs: number) => boolean;
  /** Called with each input before it runs, so that an observer can name the one that never returns. */
  readonly onInput: (input: Uint8Array) => void;
  /** Inputs of earlier runs. */
  readonly corpus: readonly Uint8Array[];
};

/** Coverage is read once per batch, since reading it costs about as much as parsing a hundred small inputs. */
const batchSize = 64;
const sourceFolder = new URL("../../../src/", import.meta.url).href;

/**
 * Mutates inputs of a growing corpus: an input that reaches code which none has reached before joins it. Ends at the first defect, or
 * when `goesOn` says so. The same seed and corpus give the same inputs.
 */
export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzResult> {
  const choose = seededChoose(options.seed);
  const coverage = new Coverage(sourceFolder);
  const seeds = target.seeds().map((seed) => Buffer.from(seed));
  const corpus: Uint8Array[] = [];
  let inputs = 0;
  const ended = (finding: Finding | null): FuzzResult => ({
    inputs,
    functions: coverage.functions,
    corpus: corpus.slice(seeds.length),
    finding,
  });
  const failure = async (input: Uint8Array): Promise<Finding | null> => {
    options.onInput(input);
    inputs += 1;
    try {
      await target.run(input);
      return null;
    } catch (error) {
      return {
        input,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      };
    }
  };

  for (const input of [...seeds, ...options.corpus]) {
    const finding = await failure(input);
    if (finding !== null) return ended(finding);
    coverage.hasGrown(true);
    corpus.push(input);
  }
  while (options.goesOn(inputs)) {
    const batch = Array.from({ length: batchSize }, () => {
      // Half of the choices fall on the newest inputs, which have been tried least.
      const newest = Math.max(1, Math.ceil(corpus.length / 8));
      const from = choose.below(2) === 0 ? corpus.slice(-newest) : corpus;
      return mutate(choose.one(from), choose.one(corpus), target, choose);
    });
    for (const input of batch) {
      const finding = await failure(input);
      if (finding !== null) return ended(finding);
    }
    if (!coverage.hasGrown(false)) continue;
    for (const input of batch) {
      const finding = await failure(input);
      if (finding !== null) return ended(finding);
      if (coverage.hasGrown(true)) corpus.push(input);
    }
  }
  return ended(null);
}
