import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { type EmbeddedDatabase, startEmbedded } from "../../src/platform/db/embedded.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { killProcess, type Part } from "./part.ts";
import type { Choices } from "./seeded-choices.ts";

const readyPatienceMs = 180_000;

export type DatabasePart = Part & { readonly url: string };

/**
 * The run's own PostgreSQL, with fsync. A kill hits either the whole server, which then recovers from its log, or one of its
 * processes, upon which the server ends all sessions and recovers by itself.
 */
export function databasePart(options: {
  readonly folder: string;
  readonly port: number;
}): DatabasePart {
  const password = "chaos";
  const url = `postgres://sluice:${password}@127.0.0.1:${options.port}/sluice`;
  let running: EmbeddedDatabase | null = null;
  return {
    name: "database",
    kind: "database",
    url,
    kill: async (choices) => {
      const pid = await postmaster(options.folder);
      if (running === null || pid === null) return "database (not running)";
      const backend = choices.chance(0.3) ? await childOf(pid, choices) : null;
      if (backend !== null) {
        killProcess(backend);
        return "database session";
      }
      killProcess(pid);
      await running.ended;
      await running.stop();
      running = null;
      return "database";
    },
    start: async () => {
      running ??= await startEmbedded({ ...options, password, clock: systemClock });
      await untilAnswering(url);
    },
    stop: async () => {
      await running?.stop();
      running = null;
    },
  };
}

async function postmaster(folder: string): Promise<number | null> {
  const file = join(folder, "data", "postmaster.pid");
  if (!existsSync(file)) return null;
  const pid = Number.parseInt(await readFile(file, "utf8"), 10);
  return Number.isNaN(pid) ? null : pid;
}

/** Null if the operating system does not list a process's children, or there are none. */
async function childOf(pid: number, choices: Choices): Promise<number | null> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const children = list.trim().split(/\s+/).map(Number).filter(Boolean);
  return children.length === 0 ? null : choices.pick(children);
}

/** A server that lost one of its processes needs a moment before it accepts connections. */
async function untilAnswering(url: string): Promise<void> {
  const giveUpAt = systemClock.now() + readyPatienceMs * 1_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("select 1");
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (systemClock.now() > giveUpAt) throw error;
      await systemClock.sleep(50);
    }
  }
}
