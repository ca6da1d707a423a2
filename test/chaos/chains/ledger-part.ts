import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../../src/platform/processes/supervised-process.ts";
import { killProcess, type Part } from "../part.ts";
import type { Choices } from "../seeded-choices.ts";

const stopPatienceMs = 10_000;

/** A simulated ledger that runs as a process of its own: how it is started, and what a kill does besides ending it. */
export type LedgerProgram = {
  readonly name: string;
  /** The file that runs it, with its arguments. */
  readonly command: readonly [string, ...string[]];
  /** What a kill makes it lose; done when it runs again. */
  readonly lose: (choices: Choices) => () => Promise<void>;
};

/** The part of a run that kills and restarts a simulated ledger. */
export function ledgerPart({ name, command, lose }: LedgerProgram): Part {
  let running: SupervisedProcess | null = null;
  let loseNow: () => Promise<void> = () => Promise.resolve();
  return {
    name,
    kind: "node",
    kill: async (choices) => {
      if (running === null) return `${name} (not running)`;
      const victim = running;
      running = null;
      loseNow = lose(choices);
      killProcess(-victim.pid);
      await victim.ended;
      return name;
    },
    start: async () => {
      if (running !== null) return;
      const started = startSupervised(process.execPath, [...command], {});
      try {
        await started.printed(/listening on (\d+)/);
        await loseNow();
      } catch (error) {
        await started.end(systemClock, stopPatienceMs);
        throw error;
      }
      loseNow = () => Promise.resolve();
      running = started;
    },
    stop: async () => {
      await running?.end(systemClock, stopPatienceMs);
      running = null;
    },
  };
}
