import { existsSync } from "node:fs";
import { chown, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { Clock } from "../kernel/clock.ts";
import { freePort } from "../processes/free-port.ts";
import { takeProcessLock } from "../processes/process-lock.ts";
import { type SupervisedProcess, waitForEnd } from "../processes/supervised-process.ts";
import { syncFolder } from "../processes/write-atomically.ts";
import { endPreviousServer } from "./previous-server.ts";
import { serverBinaries } from "./server-binaries.ts";
import { initialise, ServerEnded, type ServerSite, startServer } from "./server-process.ts";
import { serverUser } from "./server-user.ts";

export type EmbeddedDatabase = {
  readonly url: string;
  /** Resolves once everything is written and the server is gone. */
  readonly stop: () => Promise<void>;
  /** Resolves when the server has ended, also when nobody asked it to. */
  readonly ended: Promise<void>;
};

export type EmbeddedOptions = {
  /** The database's own folder; made when missing. */
  readonly folder: string;
  /** The password of the database user `sluice`: for ever the one that the folder was first started with. */
  readonly password: string;
  readonly clock: Clock;
  /** The port to listen on; default: a free one. */
  readonly port?: number;
  /** More of PostgreSQL's command line: `["-c", "max_connections=300"]`. */
  readonly settings?: readonly string[];
};

/** How often a start is tried, a tenth of a second after the one before, that failed for a reason which passes by itself. */
const startsMax = { takenPort: 20, memoryInUse: 400 } as const;

/**
 * Starts the PostgreSQL that ships with the package, with its data in `folder`, on a loopback port. The first start
 * initialises the folder (about 1 s); later ones take 0.1 to 0.2 s. fsync stays on: the sandbox's database is as
 * durable as production's. Runs for root (as another user, see `serverUser`) and for ordinary users. The server ends
 * when `stop` is called or this process ends, however it ends. Rejects with `AlreadyRunning` while another process uses
 * the folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const lock = takeProcessLock(join(options.folder, "lock"));
  try {
    const site = await prepare(options);
    const { server, port } = await startOnFreePort(site, options);
    const url = `postgres://sluice:${encodeURIComponent(options.password)}@127.0.0.1:${port}/sluice`;
    try {
      await createDatabase(url);
    } catch (error) {
      await stopServer(server, site, options.clock);
      throw error;
    }
    return {
      url,
      ended: server.ended,
      stop: async () => {
        await stopServer(server, site, options.clock);
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Sees to it that the data folder holds a complete cluster that no server is running on. */
async function prepare(options: EmbeddedOptions): Promise<ServerSite> {
  const dataFolder = join(options.folder, "data");
  const user = await serverUser(dataFolder);
  const site = { binaries: await serverBinaries(user), user, dataFolder };
  if (existsSync(dataFolder)) await endPreviousServer(dataFolder, options.clock);
  else await createCluster(site, options);
  return site;
}

/** Under another name until it is complete, so that a run killed half-way leaves nothing that looks like a database. */
async function createCluster(site: ServerSite, options: EmbeddedOptions): Promise<void> {
  const draft = `${site.dataFolder}.new`;
  const passwordFile = join(options.folder, "initial-password");
  await rm(draft, { recursive: true, force: true });
  await rm(passwordFile, { force: true });
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
    if (site.user !== null) {
      await chown(draft, site.user.uid, site.user.gid);
      await chown(passwordFile, site.user.uid, site.user.gid);
    }
    await initialise({ ...site, dataFolder: draft }, passwordFile);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, site.dataFolder);
  await syncFolder(options.folder);
}

/** Between asking for a free port and binding it another program may take it: then the next one is tried. */
async function startOnFreePort(
  site: ServerSite,
  options: EmbeddedOptions,
): Promise<{ readonly server: SupervisedProcess; readonly port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    try {
      const server = await startServer(site, serverSettings(port, options.settings ?? []));
      return { server, port };
    } catch (error) {
      if (!(error instanceof ServerEnded) || attempt >= mostStarts(error)) throw error;
      await options.clock.sleep(100);
    }
  }
}

/** Processes of a killed server may notice late on a busy machine that it is gone, and use its shared memory until then. */
function mostStarts({ message }: ServerEnded): number {
  if (message.includes("could not create any TCP/IP sockets")) return startsMax.takenPort;
  return message.includes("pre-existing shared memory block") ? startsMax.memoryInUse : 1;
}

function serverSettings(port: number, settings: readonly string[]): readonly string[] {
  return [
    ...["-p", String(port)],
    ...["-c", "listen_addresses=127.0.0.1"],
    ...["-c", "unix_socket_directories="],
    // Statements carry what must not be logged, and a refused duplicate is daily business.
    ...["-c", "log_min_messages=log"],
    ...["-c", "log_min_error_statement=panic"],
    ...settings,
  ];
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(/\/sluice$/, "/postgres") });
  try {
    await client.connect();
    const found = await client.query("select 1 from pg_database where datname = 'sluice'");
    if (found.rowCount === 0) await client.query("create database sluice");
  } finally {
    await client.end();
  }
}

async function stopServer(
  server: SupervisedProcess,
  site: ServerSite,
  clock: Clock,
): Promise<void> {
  server.requestStop();
  await waitForEnd(server.ended, 30_000, clock);
  // Normally gone by now; a server whose keeper was killed, or that hangs, is ended by its number.
  await endPreviousServer(site.dataFolder, clock);
}
