import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock } from "../kernel/clock.ts";

const checkEveryMs = 1_000;
/** A process is quiet if it used less of a core since the check before. A worker that only watches its chains uses some 0.05. */
const quietShareMax = 0.1;
/** What the heap has to have grown by, for the pause to be worth it. */
const growthBytesMin = 16 * 1024 * 1024;
/** So that the pauses meet less than a fifth of a percent of the requests of a process with little to do. */
const betweenMsMin = 60_000;

/** What a check saw: times in milliseconds, sizes in bytes. */
export type MemoryCheck = {
  /** Since the process started. */
  readonly atMs: number;
  /** Processor time of all threads so far. */
  readonly processorMs: number;
  /** What the heap takes from the system, whether used or not. */
  readonly heapBytes: number;
};

/** Whether memory is given back now. `last` is the state right after the last time, null before the first. */
export function decideRelease(
  before: MemoryCheck,
  now: MemoryCheck,
  last: MemoryCheck | null,
): boolean {
  const share = (now.processorMs - before.processorMs) / (now.atMs - before.atMs);
  if (share >= quietShareMax) return false;
  if (last === null) return true;
  return now.atMs - last.atMs >= betweenMsMin && now.heapBytes - last.heapBytes >= growthBytesMin;
}

/**
 * Gives memory back to the system whenever the process has become quiet: once after its start, which leaves much garbage behind, and
 * again after work that made the heap grow. V8 on its own keeps the young generation at the size of the busiest time. Runs until
 * `signal` aborts.
 */
export async function releaseMemoryWhenQuiet(
  { clock }: { readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  let last: MemoryCheck | null = null;
  let before = checkMemory();
  for (;;) {
    await clock.sleep(checkEveryMs, signal);
    if (signal.aborted) return;
    const now = checkMemory();
    const isDue = decideRelease(before, now, last);
    before = isDue ? releaseMemory() : now;
    if (isDue) last = before;
  }
}

/** Collects all garbage and shrinks the heap, which takes about 0.1 s. The heap grows again when it has to. Returns the state after it. */
export function releaseMemory(): MemoryCheck {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  return checkMemory();
}

function checkMemory(): MemoryCheck {
  const { user, system } = process.cpuUsage();
  return {
    atMs: performance.now(),
    processorMs: (user + system) / 1000,
    heapBytes: getHeapStatistics().total_heap_size,
  };
}
