import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { KillKind } from "./options.ts";
import type { Choices } from "./seeded-choices.ts";

/** Something of the deployment that is killed and started again. */
export type Part = {
  readonly name: string;
  readonly kind: KillKind;
  /** SIGKILL, and everything of it is gone; says what was hit. */
  readonly kill: (choices: Choices) => Promise<string>;
  /** Resolves when it does its work again. */
  readonly start: () => Promise<void>;
  /** Ends it in order, at the end of the run. */
  readonly stop: () => Promise<void>;
};

const startTries = 10;

/** A machine under load, a port that is not free yet: what runs services in earnest tries again as well. */
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

/** SIGKILL to a process, or with a negative number to a group. Never to our own, which is what 0 would mean. */
export function killProcess(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || Math.abs(pid) <= 1) throw new Error(`no process: ${pid}`);
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
