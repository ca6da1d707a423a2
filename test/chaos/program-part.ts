import { existsSync } from "node:fs";
import { appendFile, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../src/platform/processes/supervised-process.ts";
import { fakeClock } from "./fake-clock.ts";
import type { FillDisk } from "./fill-disk.ts";
import { killProcess, type Part, pauseProcess } from "./part.ts";
import type { Choices } from "./seeded-choices.ts";

/** The command line program of this release. */
export const ownProgram = join(import.meta.dirname, "../../src/main/cli.ts");

const readyPatienceMs = 360_000;
const stopPatienceMs = 90_000;
const failedStartsMax = 20;
/** How long after its disk has space again a process may still end because of a failed write. */
const endPatienceMs = 20_000;

export type ProgramSite = {
  readonly configFile: string;
  readonly logFolder: string;
  /** The command line program that a process of this name runs from its next start on. */
  readonly programOf: (name: string) => string;
  /** The library that gives each process a clock of its own (`findFakeClock`); null: they have the machine's. */
  readonly clockLibrary?: string | null;
  /** Called if a process ended without being killed. */
  readonly onOwnEnd: (what: string) => void;
};

/** What differs between the processes. */
export type ProgramTraits = Pick<Part, "role"> & {
  /** How the disk under its files is filled; absent: it has none. */
  readonly fillDisk?: FillDisk;
  /** Whether it ended as it should, by what it printed; absent: it never should. */
  readonly mayEnd?: (printed: string) => boolean;
};

/**
 * A process of the service, run as an operator would: `sluice COMMAND --config FILE`, restarted when it exits. Its keeper ends
 * it with this process, however this process ends.
 */
export function programPart(
  site: ProgramSite,
  command: "api" | "worker" | "signer",
  name: string,
  readyLine: string,
  { role, fillDisk, mayEnd = () => false }: ProgramTraits = {},
): Part {
  const clock = (site.clockLibrary ?? null) === null ? null : fakeClock(site, name);
  const logFile = join(site.logFolder, `${name}.log`);
  let running: SupervisedProcess | null = null;
  /** Incremented by each start, so that an exit can be attributed to an earlier life. */
  let life = 0;
  /** How often in a row it exited before it was ready: an unavailable database excuses that, but not for long. */
  let failedStarts = 0;
  /** While its disk is full, and shortly after, it may end. */
  let mayEndUntil = 0;

  const launch = async (): Promise<void> => {
    const mine = life;
    const from = existsSync(logFile) ? (await stat(logFile)).size : 0;
    // The shell replaces itself with the program, so that the keeper's signals reach it.
    const kept = startSupervised(
      "/bin/sh",
      ["-c", 'log="$1"; shift; exec "$@" 2>>"$log"', "sh", logFile].concat([
        process.execPath,
        site.programOf(name),
        command,
        "--config",
        site.configFile,
      ]),
      { HOME: site.logFolder, ...clock?.environment },
    );
    running = kept;
    const state = { hasEnded: false };
    void kept.ended.then(async () => {
      state.hasEnded = true;
      if (mine !== life) return;
      const tail = await textFrom(logFile, from);
      const isExcused = systemClock.now() < mayEndUntil || mayEnd(tail);
      failedStarts = tail.includes(readyLine) ? 0 : failedStarts + Number(!isExcused);
      if (isExcused) await appendFile(logFile, `{"ended":"${new Date().toISOString()}"}\n`);
      else if (failedStarts === 0 || failedStarts === failedStartsMax) {
        site.onOwnEnd(`${name}: ${tail.trim().slice(-600)}`);
      }
      await systemClock.sleep(500);
      if (mine === life) await launch();
    });
    for (let waitedMs = 0; waitedMs < readyPatienceMs; waitedMs += 50) {
      // Killed or restarted in the meantime: the new one is awaited elsewhere.
      if (mine !== life || state.hasEnded) return;
      if ((await textFrom(logFile, from)).includes(readyLine)) return;
      await systemClock.sleep(50);
    }
    throw new Error(
      `${name} does not become ready: ${(await textFrom(logFile, from)).slice(-600)}`,
    );
  };

  return {
    name,
    kind: command,
    ...(role === undefined ? {} : { role }),
    kill: async () => {
      life += 1;
      const victim = running;
      running = null;
      if (victim === null) return `${name} (not running)`;
      // The keeper leads its own process group, which ends as a whole.
      killProcess(-victim.pid);
      await victim.ended;
      await appendFile(logFile, `{"killed":"${new Date().toISOString()}"}\n`);
      return name;
    },
    start: async () => {
      life += 1;
      await launch();
    },
    pause: (ms) => pauseProcess(running, ms),
    ...(fillDisk === undefined
      ? {}
      : {
          fillDisk: async (ms: number, choices: Choices) => {
            mayEndUntil = systemClock.now() + (ms + endPatienceMs) * 1_000;
            await fillDisk(ms, choices, () => running?.programPid() ?? null);
          },
        }),
    ...(clock === null ? {} : { stepClock: clock.step }),
    stop: async () => {
      life += 1;
      const victim = running;
      running = null;
      await victim?.end(systemClock, stopPatienceMs);
    },
  };
}

async function textFrom(file: string, from: number): Promise<string> {
  if (!existsSync(file)) return "";
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const length = Math.min(Math.max(size - from, 0), 200_000);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString();
  } finally {
    await handle.close();
  }
}
