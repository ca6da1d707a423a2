import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { KillKind } from "./options.ts";
import type { Choices } from "./seeded-choices.ts";

/** A part of the deployment that is killed and restarted. */
export type Part = {
  readonly name: string;
  readonly kind: KillKind;
  /** Kills it with SIGKILL; returns what was hit. */
  readonly kill: (choices: Choices) => Promise<string>;
  /** Resolves when it works again. */
  readonly start: () => Promise<void>;
  /** Pauses it for a while (SIGSTOP, SIGCONT); absent if it can't be paused. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Fills the disk under its files for a while; resolves when it works again. Absent if that can't be done. */
  readonly fillDisk?: (ms: number, choices: Choices) => Promise<void>;
  /** Steps its clock by so many seconds, and back after a while; absent if it can't be. */
  readonly stepClock?: (seconds: number, ms: number) => Promise<void>;
  /** Stops it cleanly at the end of the run. */
  readonly stop: () => Promise<void>;
};

const startTries = 10;

/** Retries the start, as a supervisor does: the machine may be under load, or a port not free yet. */
export async function startPatiently(
  start: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await start();
      return;
    } catch (error) {
      onFailure(error);
      if (attempt === startTries) throw error;
      await systemClock.sleep(300 * attempt);
    }
  }
}

/** Sends SIGKILL to a process, or to a group if negative. Never to our own group, which 0 would mean. */
export function killProcess(pid: number): boolean {
  return signalProcess(pid, "SIGKILL");
}

/** The same with another signal; false if there is no such process. */
export function signalProcess(pid: number, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): boolean {
  if (!Number.isSafeInteger(pid) || Math.abs(pid) <= 1) throw new Error(`no process: ${pid}`);
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
