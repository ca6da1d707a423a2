import { atEndOfTurn } from "../kernel/system-turn.ts";
import { Unavailable } from "../kernel/unavailable.ts";

/**
 * Combines many single calls into few batch calls without a timer: calls that arrive while `slots` batches are running
 * go into the next one together, and a single call on an idle service starts at once. (PostgreSQL took 3.1 times the
 * deposits of single-row statements this way, `docs/benchmarks.md`.)
 *
 * `run` answers one outcome per input, in order. When it throws and the batch held more than one input, each input is
 * run again alone, so that one bad input does not fail the others, and so a `run` that throws has committed nothing; except on `Unavailable`, which no input causes: then all of them
 * fail at once instead of waiting for the database one after the other.
 */
export function microBatch<Input, Outcome>(
  run: (inputs: readonly Input[]) => Promise<readonly Outcome[]>,
  limits: { readonly slots: number; readonly maxSize: number },
): (input: Input) => Promise<Outcome> {
  type Waiting = {
    readonly input: Input;
    readonly resolve: (outcome: Outcome) => void;
    readonly reject: (reason: unknown) => void;
  };
  const queue: Waiting[] = [];
  let running = 0;
  let isStarting = false;

  const runAlone = async (waiting: Waiting): Promise<void> => {
    try {
      const [outcome] = await run([waiting.input]);
      waiting.resolve(outcome as Outcome);
    } catch (error) {
      waiting.reject(error);
    }
  };

  const runTogether = async (batch: readonly Waiting[]): Promise<void> => {
    if (batch.length === 1) {
      await Promise.all(batch.map(runAlone));
      return;
    }
    let outcomes: readonly Outcome[];
    try {
      outcomes = await run(batch.map((waiting) => waiting.input));
    } catch (error) {
      if (error instanceof Unavailable) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const waiting of batch) await runAlone(waiting);
      return;
    }
    batch.forEach((waiting, index) => {
      waiting.resolve(outcomes[index] as Outcome);
    });
  };

  const start = (): void => {
    while (running < limits.slots && queue.length > 0) {
      running += 1;
      void runTogether(queue.splice(0, limits.maxSize)).finally(() => {
        running -= 1;
        start();
      });
    }
  };

  return (input) =>
    new Promise((resolve, reject) => {
      queue.push({ input, resolve, reject });
      if (isStarting) return;
      isStarting = true;
      // Requests that arrive together are read in one turn of the event loop and share a batch.
      atEndOfTurn(() => {
        isStarting = false;
        start();
      });
    });
}
