import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { SupervisedProcess } from "../../src/platform/processes/supervised-process.ts";
import type { KillKind } from "./options.ts";
import type { Choices } from "./seeded-choices.ts";

/** A part of the deployment that is killed and restarted. */
export type Part = {
  readonly name: string;
  readonly kind: KillKind;
  /** What it is among those of its kind at the moment, such as the active one; absent if all are alike. */
  readonly role?: () => Promise<string>;
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

/** Its name, and its role if it has one. */
export async function describePart({ name, role }: Part): Promise<string> {
  return role === undefined ? name : `${name} (${await role()})`;
}

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

/** Stops a process (SIGSTOP) and lets it go on after a while. */
export async function pauseProcess(sleeper: SupervisedProcess | null, ms: number): Promise<void> {
  const pid = sleeper?.programPid() ?? null;
  if (pid === null || !signalProcess(pid, "SIGSTOP")) return;
  await systemClock.sleep(ms);
  // Once it has ended, its number may belong to another process.
  if (sleeper?.hasEnded() === false) signalProcess(pid, "SIGCONT");
}

/** Sends SIGKILL to a process, or to a group if negative. Never to our own group, which 0 would mean. */
export function killProcess(pid: number): boolean {
  return signalProcess(pid, "SIGKILL");
}

/** The same with another signal; false if there is no such process. */
function signalProcess(pid: number, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): boolean {
  if (!Number.isSafeInteger(pid) || Math.abs(pid) <= 1) throw new Error(`no process: ${pid}`);
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
