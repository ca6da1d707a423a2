import { execFile } from "node:child_process";
import { chmod, chown, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { serverBinaries } from "../../src/platform/db/server-binaries.ts";
import { initialize } from "../../src/platform/db/server-process.ts";
import { type ServerUser, serverUser } from "../../src/platform/db/server-user.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { freePort } from "../../src/platform/processes/free-port.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../src/platform/processes/supervised-process.ts";
import type { DatabasePart } from "../chaos/database-part.ts";
import { killProcess } from "../chaos/part.ts";

const password = "drill";
const stopPatienceMs = 90_000;
const recoveryPatienceMs = 360_000;
const pollMs = 100;

/** PostgreSQL whose log pgBackRest archives, set up as the operations guide says. */
export type ArchivedDatabase = DatabasePart & {
  /** Shell commands for `sluice backup` and `sluice restore`. */
  readonly backupCommand: string;
  readonly restoreCommand: (time: string) => string;
  /** The server's clock, and once the archive contains everything until then. */
  readonly now: () => Promise<string>;
  readonly untilArchived: () => Promise<void>;
  /** Removes the data, as a lost disk does. */
  readonly lose: () => Promise<void>;
  /** Starts the restored server in its own place; resolves once it is a primary. */
  readonly startRestored: () => Promise<{
    readonly url: string;
    readonly stop: () => Promise<void>;
  }>;
};

/** Below `folder`, which every user may enter; `program` is pgBackRest. */
export async function archivedDatabase(folder: string, program: string): Promise<ArchivedDatabase> {
  const user = await serverUser(join(folder, "data"));
  const [original, restored] = ["postgres-1", "postgres-2"].map((name) => join(folder, name));
  const port = await freePort();
  const url = `postgres://sluice:${password}@127.0.0.1:${port}/sluice`;
  const binaries = await serverBinaries(user);
  const site = { binaries, user, dataFolder: present(original, "a folder") };
  const restoredFolder = present(restored, "a folder");
  const backrest = await installBackrest({ folder, program, user, port, data: site.dataFolder });
  const archiving = [
    "archive_mode=on",
    "archive_timeout=5",
    `archive_command=${backrest} archive-push %p`,
  ];
  let running: SupervisedProcess | null = null;

  const start = async (): Promise<void> => {
    if (running !== null) return;
    await createCluster(folder, site);
    running = await startOn(site, folder, port, archiving);
    await query(url.replace(/sluice$/, "postgres"), "create database sluice");
    await asUser(user, backrest, ["stanza-create"]);
    await asUser(user, backrest, ["check"]);
  };
  const prefix =
    user === null ? "" : `setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups `;
  return {
    name: "database",
    kind: "database",
    url,
    start,
    kill: async () => {
      const pid = Number.parseInt(
        await readFile(join(site.dataFolder, "postmaster.pid"), "utf8"),
        10,
      );
      killProcess(pid);
      await running?.ended;
      running = null;
      return "database";
    },
    stop: async () => {
      await running?.end(systemClock, stopPatienceMs);
      running = null;
    },
    backupCommand: `${prefix}${backrest} backup`,
    restoreCommand: (time) =>
      `${prefix}${backrest} --pg1-path=${restoredFolder} --type=time "--target=${time}" --target-action=promote restore`,
    now: async () =>
      present(
        (await query<{ now: string }>(url, "select clock_timestamp()::text as now"))[0],
        "the time",
      ).now,
    untilArchived: async () => {
      const [{ file }] = (await query(url, "select pg_walfile_name(pg_switch_wal()) as file")) as [
        { file: string },
      ];
      await until(async () => {
        const [row] = await query<{ last: string | null }>(
          url,
          "select last_archived_wal as last from pg_stat_archiver",
        );
        return (row?.last ?? "") >= file;
      }, "the log is not archived");
    },
    lose: () => rm(site.dataFolder, { recursive: true }),
    startRestored: async () => {
      const newPort = await freePort();
      const place = { ...site, dataFolder: restoredFolder };
      const server = await startOn(place, folder, newPort, ["archive_mode=off"]);
      const newUrl = url.replace(`:${port}/`, `:${newPort}/`);
      await until(async () => {
        const [row] = await query<{ recovers: boolean }>(
          newUrl,
          "select pg_is_in_recovery() as recovers",
        ).catch(() => []);
        if (server.hasEnded()) throw new Error(`PostgreSQL ended: ${server.output()}`);
        return row?.recovers === false;
      }, "the restored server does not become a primary");
      return { url: newUrl, stop: () => server.end(systemClock, stopPatienceMs) };
    },
  };
}

type Site = {
  readonly binaries: string;
  readonly user: ServerUser | null;
  readonly dataFolder: string;
};

/** pgBackRest with its configuration and repository; resolves with the path of the command. */
async function installBackrest(options: {
  readonly folder: string;
  readonly program: string;
  readonly user: ServerUser | null;
  readonly port: number;
  readonly data: string;
}): Promise<string> {
  const { folder, user } = options;
  const own = (name: string): string => join(folder, name);
  for (const name of ["repository", "backrest-log", "backrest-lock", "sockets", "postgres-2"]) {
    await mkdir(own(name), { mode: 0o700 });
    if (user !== null) await chown(own(name), user.uid, user.gid);
  }
  let { program } = options;
  // One that was fetched is in a folder which the server's user may not enter.
  if (user !== null && program.includes("/sluice/nodes/")) {
    await cp(dirname(program), own("backrest"), { recursive: true, verbatimSymlinks: true });
    await chmod(own("backrest"), 0o755);
    program = join(own("backrest"), "pgbackrest");
  }
  const command = own("pgbackrest");
  const settings = {
    global: {
      "repo1-path": own("repository"),
      "repo1-retention-full": "2",
      "log-path": own("backrest-log"),
      "log-level-console": "warn",
      "lock-path": own("backrest-lock"),
      "start-fast": "y",
      cmd: command,
    },
    sluice: {
      "pg1-path": options.data,
      "pg1-port": String(options.port),
      "pg1-socket-path": own("sockets"),
      "pg1-user": "sluice",
      "pg1-database": "postgres",
    },
  };
  const lines = Object.entries(settings).flatMap(([section, members]) => [
    `[${section}]`,
    ...Object.entries(members).map(([name, value]) => `${name}=${value}`),
  ]);
  await writeFile(own("pgbackrest.conf"), `${lines.join("\n")}\n`);
  await writeFile(
    command,
    `#!/bin/sh\nexport PGPASSWORD=${password} PGBACKREST_STANZA=sluice PGBACKREST_CONFIG=${own("pgbackrest.conf")}\nexec ${program} "$@"\n`,
  );
  await chmod(command, 0o755);
  return command;
}

async function createCluster(folder: string, site: Site): Promise<void> {
  const passwordFile = join(folder, "initial-password");
  await mkdir(site.dataFolder, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (site.user !== null)
    for (const path of [site.dataFolder, passwordFile])
      await chown(path, site.user.uid, site.user.gid);
  await initialize(site, passwordFile);
  await rm(passwordFile);
}

/** pgBackRest compares the server's own path with its configuration, so the server gets it and no descriptor. */
async function startOn(
  { binaries, user, dataFolder }: Site,
  folder: string,
  port: number,
  settings: readonly string[],
): Promise<SupervisedProcess> {
  const all = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${join(folder, "sockets")}`,
    ...settings,
  ];
  const server = startSupervised(
    join(binaries, "bin/postgres"),
    ["-D", dataFolder, "-p", String(port), ...all.flatMap((setting) => ["-c", setting])],
    { LC_ALL: "C", TZ: "UTC" },
    { signal: "INT", user },
  );
  await server.printed(/(ready to accept (?:read-only )?connections)/);
  return server;
}

async function asUser(
  user: ServerUser | null,
  program: string,
  args: readonly string[],
): Promise<void> {
  await promisify(execFile)(program, args, { ...user, cwd: "/" });
}

async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function until(isDone: () => Promise<boolean>, complaint: string): Promise<void> {
  for (let waitedMs = 0; !(await isDone()); waitedMs += pollMs) {
    if (waitedMs > recoveryPatienceMs) throw new Error(complaint);
    await systemClock.sleep(pollMs);
  }
}
