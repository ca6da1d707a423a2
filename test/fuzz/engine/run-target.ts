import { Worker } from "node:worker_threads";
import type { FuzzResult } from "./fuzz.ts";

export type FuzzJob = {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  readonly inputsMax: number;
  /** The number of inputs and the current one's length, in 32 bits each, and its bytes. */
  readonly current: SharedArrayBuffer;
};

export type RunOptions = {
  /** An input that takes longer counts as a hang. Parsing one takes less than a millisecond. */
  readonly hangSeconds?: number;
  /** The thread's program, which knows the targets. */
  readonly program?: URL;
};

const inputBytesMax = 1024 * 1024;
const fuzzThread = new URL("fuzz-thread.ts", import.meta.url);
/** The memory of a thread that parses; the program itself takes about 60 MB of it. */
const memoryMaxMb = 512;

/**
 * Fuzzes one target in a thread and waits for the result: a defect, or none within `seconds` and `inputsMax`. An input that takes
 * more than `hangSeconds`, or more memory than `memoryMaxMb`, is a defect too.
 */
export async function runTarget(
  job: Omit<FuzzJob, "current">,
  { hangSeconds = 10, program = fuzzThread }: RunOptions = {},
): Promise<FuzzResult> {
  const current = new SharedArrayBuffer(8 + inputBytesMax);
  const head = new Int32Array(current, 0, 2);
  const worker = new Worker(program, {
    workerData: { ...job, current } satisfies FuzzJob,
    resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb },
  });
  const found = (error: string): FuzzResult => ({
    inputs: Atomics.load(head, 0),
    functions: 0,
    corpus: [],
    finding: { input: Uint8Array.from(new Uint8Array(current, 8, Atomics.load(head, 1))), error },
  });
  return await new Promise((resolve) => {
    let seen = -1;
    const watch = setInterval(() => {
      const count = Atomics.load(head, 0);
      if (count === seen && count > 0) end(found(`did not return within ${hangSeconds} s`));
      seen = count;
    }, hangSeconds * 1_000);
    const end = (result: FuzzResult): void => {
      clearInterval(watch);
      void worker.terminate().then(() => {
        resolve(result);
      });
    };
    worker.on("message", (result: FuzzResult) => {
      end(result);
    });
    worker.on("error", (error: Error) => {
      end(found(error.stack ?? error.message));
    });
  });
}
