import { readFileSync } from "node:fs";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

const sampleMs = 2_000;
/** The share of all cores that others may use on a quiet machine. */
const quietShare = 0.15;

/** Whether other programs use the processor, observed for two seconds in which the bench itself does nothing. False without `/proc`. */
export async function isMachineLoaded(): Promise<boolean> {
  const before = readTicks();
  await systemClock.sleep(sampleMs);
  const after = readTicks();
  const total = after.total - before.total;
  return total > 0 && 1 - (after.idle - before.idle) / total > quietShare;
}

/** Processor time of all cores since the start of the machine: idle (or waiting for a disk), and in total. */
function readTicks(): { readonly idle: number; readonly total: number } {
  try {
    const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
    // user, nice, system, idle, iowait, irq, softirq, steal; guests are included in user and nice.
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
    return {
      idle: (ticks[3] ?? 0) + (ticks[4] ?? 0),
      total: ticks.reduce((sum, value) => sum + value, 0),
    };
  } catch {
    return { idle: 0, total: 0 };
  }
}
