import { parentPort, workerData } from "node:worker_threads";
import { present } from "../../../src/platform/kernel/assert.ts";
import { readCorpus } from "./corpus.ts";
import { fuzz } from "./fuzz.ts";
import type { FuzzJob } from "./run-target.ts";
import type { Target } from "./target.ts";

/** Fuzzes the job's target in this thread, which its parent ends when an input takes too long or too much memory. */
export async function fuzzInThread(targets: readonly Target[]): Promise<void> {
  const { target: name, seed, seconds, inputsMax, current } = workerData as FuzzJob;
  const target = present(
    targets.find((one) => one.name === name),
    `target ${name}`,
  );
  const head = new Int32Array(current, 0, 2);
  const bytes = new Uint8Array(current, 8);
  const endsAt = performance.now() + seconds * 1_000;
  const result = await fuzz(target, {
    seed,
    goesOn: (inputs) => inputs < inputsMax && performance.now() < endsAt,
    onInput: (input) => {
      bytes.set(input.subarray(0, bytes.length));
      Atomics.store(head, 1, input.length);
      Atomics.add(head, 0, 1);
    },
    corpus: readCorpus(name),
  });
  parentPort?.postMessage(result);
}
