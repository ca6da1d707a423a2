import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { type EmbeddedDatabase, startEmbedded } from "../../src/platform/db/embedded.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { limitFiles } from "./limit-files.ts";
import { killProcess, type Part, startPatiently } from "./part.ts";
import type { Choices } from "./seeded-choices.ts";
import { pageBytes, type SmallDisk } from "./small-disk.ts";

const readyPatienceMs = 180_000;

export type DatabasePart = Part & { readonly url: string };

/**
 * The run's own PostgreSQL, with fsync. A kill hits either the whole server, which then recovers from its log, or one of its
 * processes, upon which the server ends all sessions and recovers by itself.
 */
export function databasePart(options: {
  readonly folder: string;
  readonly port: number;
  /** What is mounted at the folder; absent: its disk is filled by a limit on the server's files. */
  readonly disk?: SmallDisk | null;
}): DatabasePart {
  const { disk = null, ...place } = options;
  const password = "chaos";
  const url = `postgres://sluice:${password}@127.0.0.1:${options.port}/sluice`;
  let running: EmbeddedDatabase | null = null;
  let hasEnded = false;
  const start = async (): Promise<void> => {
    if (running !== null && hasEnded) {
      await running.stop();
      running = null;
    }
    if (running === null) {
      const settings = disk === null ? [] : settingsOnSmallDisk;
      const started = await startEmbedded({ ...place, settings, password, clock: systemClock });
      running = started;
      hasEnded = false;
      void started.ended.then(() => {
        if (running === started) hasEnded = true;
      });
    }
    await untilAnswering(url);
  };
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
    start,
    fillDisk: async (ms, choices) => {
      if (disk === null) await limitServer(url, options.folder, ms);
      else await fillUnder(url, disk, ms, choices);
      // A server whose recovery had no space either has ended.
      await startPatiently(start, () => undefined);
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

const segmentBytes = 16 * 1024 * 1024;

/** On a small disk the log keeps no segments for later, whose space it would have while the disk is full. */
const settingsOnSmallDisk = [
  ...["-c", "wal_recycle=off"],
  ...["-c", "min_wal_size=32MB"],
  ...["-c", "max_wal_size=64MB"],
];

/** Where a segment of the log is when the disk is filled: the server soon needs another one. Tables have no space from the beginning. */
const lateInSegment = segmentBytes - 1024 * 1024;
const pagesLeftMax = 16;

async function fillUnder(
  url: string,
  disk: SmallDisk,
  ms: number,
  choices: Choices,
): Promise<void> {
  await advanceLog(url, lateInSegment).catch(() => undefined);
  const free = await disk.fill(choices.integer(0, pagesLeftMax) * pageBytes);
  await systemClock.sleep(ms);
  await free();
}

/** Bytes of a segment of the log that are left until the disk seems full. */
const spaceLeft = 8 * 1024;
/** The log may fill up only beyond the size of all tables of the run: no space for a table is another error than a limit on its file. */
const sizeMin = 12 * 1024 * 1024;

async function limitServer(url: string, folder: string, ms: number): Promise<void> {
  const offset = await advanceLog(url, sizeMin).catch(() => null);
  const pid = await postmaster(folder);
  if (offset === null || pid === null) return;
  await limitFiles([pid, ...(await childrenOf(pid))], offset + spaceLeft);
  await systemClock.sleep(ms);
  await limitFiles([pid, ...(await childrenOf(pid))], null);
}

/** Writes to the log until it is beyond that offset in a segment; resolves with where it is then. */
async function advanceLog(url: string, beyond: number): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    for (;;) {
      const { rows } = await client.query<{ offset: number }>(
        `select ((pg_current_wal_insert_lsn() - '0/0') % ${segmentBytes})::integer as offset
         from (select pg_logical_emit_message(false, 'chaos', repeat('x', 500000))) as filler`,
      );
      const offset = rows[0]?.offset ?? 0;
      if (offset > beyond) return offset;
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Empty if the operating system does not list a process's children. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return list.trim().split(/\s+/).map(Number).filter(Boolean);
}

/** Null if there are none. */
async function childOf(pid: number, choices: Choices): Promise<number | null> {
  const children = await childrenOf(pid);
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
