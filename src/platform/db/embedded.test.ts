/** Runs the database in processes that are killed. As root, the tests also cover folders that only root may enter. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../kernel/system-clock.ts";
import { processIdentity } from "../processes/process-identity.ts";
import { AlreadyRunning } from "../processes/process-lock.ts";
import { startEmbedded } from "./embedded.ts";
import { serverUser } from "./server-user.ts";

/** Mode 0700, set by `mkdtemp`, as `SLUICE_HOME` may be. */
let home = "";
let folder = "";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-embedded-"));
  folder = join(home, "database");
});

afterAll(() => rm(home, { recursive: true, force: true }));

const start = () => startEmbedded({ folder, password: "secret word", clock: systemClock });

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.flatMap((row) =>
      Object.values(row),
    );
  } finally {
    await client.end();
  }
}

/** Runs the database in another process and resolves with that process once the database is up. */
async function startElsewhere(): Promise<{
  readonly url: string;
  readonly kill: () => Promise<void>;
}> {
  const program = `
    import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, "embedded.ts"))};
    import { systemClock } from ${JSON.stringify(join(import.meta.dirname, "../kernel/system-clock.ts"))};
    const folder = ${JSON.stringify(folder)};
    const { url } = await startEmbedded({ folder, password: "secret word", clock: systemClock });
    process.stdout.write(url);
    await systemClock.sleep(600_000);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = (await once(child.stdout, "data")) as [Buffer];
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { url: url.toString(), kill };
}

async function serverPid(): Promise<number> {
  return Number((await readFile(join(folder, "data/postmaster.pid"), "utf8")).split("\n")[0]);
}

async function isGone(pid: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 20) {
    if ((await processIdentity(pid)) === null) return true;
    await systemClock.sleep(20);
  }
  return false;
}

describe("the embedded database", () => {
  it("keeps its data, requires the password, listens on loopback only, syncs writes and stores UTF8", async () => {
    const first = await start();
    await ask(first.url, "create table kept as select 7 as seven");
    expect(await ask(first.url, "show listen_addresses")).toEqual(["127.0.0.1"]);
    expect(await ask(first.url, "show unix_socket_directories")).toEqual([""]);
    expect(await ask(first.url, "show fsync")).toEqual(["on"]);
    expect(await ask(first.url, "show server_encoding")).toEqual(["UTF8"]);
    expect(await ask(first.url, "select distinct auth_method from pg_hba_file_rules")).toEqual([
      "scram-sha-256",
    ]);
    await expect(ask(first.url.replace("secret%20word", "guess"), "select 1")).rejects.toThrow(
      /password authentication failed/,
    );
    await first.stop();

    const second = await start();
    expect(await ask(second.url, "select seven from kept")).toEqual([7]);
    await second.stop();
  });

  it("refuses a second start on the same folder without disturbing the first", async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(AlreadyRunning);
    expect(await ask(first.url, "select seven from kept")).toEqual([7]);
    await first.stop();
  });

  it("ends without losing data when its owner is killed by kill -9", async () => {
    const owner = await startElsewhere();
    await ask(owner.url, "insert into kept values (8)");
    const pid = await serverPid();
    await owner.kill();
    expect(await isGone(pid)).toBe(true);

    const next = await start();
    expect(await ask(next.url, "select seven from kept order by 1")).toEqual([7, 8]);
    await next.stop();
  });

  it("can be started again before the previous server has ended", async () => {
    const owner = await startElsewhere();
    await owner.kill();
    const next = await start();
    expect(await ask(next.url, "select count(*)::int from kept")).toEqual([2]);
    await next.stop();
  });

  it("ends an orphaned server whose supervisor was also killed at the next start", async () => {
    const owner = await startElsewhere();
    const pid = await serverPid();
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const supervisor = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    process.kill(supervisor, "SIGKILL");
    await owner.kill();

    const next = await start();
    expect(await processIdentity(pid)).toBeNull();
    expect(await ask(next.url, "select count(*)::int from kept")).toEqual([2]);
    await next.stop();
  });

  it("recovers from its log after kill -9 of the server", async () => {
    const running = await start();
    await ask(running.url, "insert into kept values (9)");
    process.kill(await serverPid(), "SIGKILL");
    await running.ended;
    await running.stop();

    const next = await start();
    expect(await ask(next.url, "select count(*)::int from kept")).toEqual([3]);
    await next.stop();
  });

  it("delays the next start only while processes of a killed server still use its memory", async () => {
    const owner = await startElsewhere();
    const [checkpointer] = await ask(
      owner.url,
      "select pid from pg_stat_activity where backend_type = 'checkpointer'",
    );
    process.kill(Number(checkpointer), "SIGSTOP");
    process.kill(await serverPid(), "SIGKILL");
    await owner.kill();
    const isNoticed = systemClock.sleep(6_000).then(() => {
      process.kill(Number(checkpointer), "SIGCONT");
    });
    const next = await start().finally(() => isNoticed);
    expect(await ask(next.url, "select count(*)::int from kept")).toEqual([3]);
    await next.stop();
  });

  it("starts despite a postmaster.pid whose number belongs to another process", async () => {
    // PostgreSQL takes any process of its own user for the old server.
    const user = await serverUser(join(folder, "data"));
    const stranger = spawn("sleep", ["600"], { ...user, stdio: "ignore" });
    await writeFile(join(folder, "data/postmaster.pid"), `${stranger.pid}\n${folder}/data\n1\n`);
    const next = await start();
    expect(await ask(next.url, "select count(*)::int from kept")).toEqual([3]);
    await next.stop();
    stranger.kill();
  });

  it("starts over a first start that was killed half-way", async () => {
    const half = join(home, "half");
    await mkdir(join(half, "data.new/base"), { recursive: true });
    await writeFile(join(half, "data.new/PG_VERSION"), "18\n");
    const database = await startEmbedded({ folder: half, password: "x", clock: systemClock });
    expect(await ask(database.url, "select 1")).toEqual([1]);
    await database.stop();
  });
});
