import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { ServerUser } from "../../platform/db/server-user.ts";
import type { World } from "../../platform/kernel/world.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../platform/processes/supervised-process.ts";
import { supervise } from "../processes/supervise.ts";
import type { Teardown } from "../processes/teardown.ts";

/** A process that is started again whenever it ends. */
export type KeptProgram = {
  readonly name: string;
  /** Null while it does not run. */
  readonly pid: () => number | null;
  /** Resolves with the reason when it cannot be started any more. */
  readonly failed: Promise<string>;
};

export type Keeper = {
  /** Starts a program; its output goes to `NAME.log`. The teardown stops it. */
  readonly start: (options: ProgramOptions) => Promise<KeptProgram>;
  /** Runs `work` when the teardown has stopped every program. */
  readonly afterwards: (work: () => Promise<void>) => void;
};

export type ProgramOptions = {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Null: as this process. */
  readonly user?: ServerUser | null;
  /** How it is stopped: `orderly` before all others, or killed, as what it wrote is deleted. */
  readonly end?: "orderly" | "killed";
};

const stopPatienceMs = 15_000;

/** `logFolder` is created if it is missing. */
export async function createKeeper(
  logFolder: string,
  world: World,
  teardown: Teardown,
): Promise<Keeper> {
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  const stops: Record<"orderly" | "killed" | "afterwards", (() => Promise<void>)[]> = {
    orderly: [],
    killed: [],
    afterwards: [],
  };
  teardown.add("processes", async () => {
    for (const works of [stops.orderly, stops.killed, stops.afterwards])
      await Promise.all(works.map((work) => work()));
  });
  return {
    afterwards: (work) => void stops.afterwards.push(work),
    start: async ({ name, program, args, env = {}, user = null, end = "killed" }) => {
      const launch = async (): Promise<SupervisedProcess & { stop: () => Promise<void> }> => {
        const log = await open(join(logFolder, `${name}.log`), "a", 0o600);
        try {
          const started = startSupervised(program, args, env, { user, outputTo: log.fd });
          const stop = async (): Promise<void> => {
            if (end === "orderly") return started.end(world.clock, stopPatienceMs);
            started.kill();
            await started.ended;
          };
          return { ...started, stop };
        } finally {
          await log.close();
        }
      };
      const part = await supervise(name, launch, world);
      stops[end].push(part.stop);
      return {
        name,
        pid: () => {
          const running = part.current();
          return running === null || running.hasEnded() ? null : running.programPid();
        },
        failed: part.failed,
      };
    },
  };
}
