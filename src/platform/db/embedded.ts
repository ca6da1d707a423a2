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
import { initialize, ServerEnded, type ServerSite, startServer } from "./server-process.ts";
import { serverUser } from "./server-user.ts";

export type EmbeddedDatabase = {
  readonly url: string;
  /** Resolves once everything is written and the server has ended. */
  readonly stop: () => Promise<void>;
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<void>;
};

export type EmbeddedOptions = {
  /** The database's own folder; created if missing. */
  readonly folder: string;
  /** The password of the database user `sluice`. It is set at the first start and cannot change. */
  readonly password: string;
  readonly clock: Clock;
  /** The port to listen on; default: a free one. */
  readonly port?: number;
  /** Further arguments for PostgreSQL: `["-c", "max_connections=300"]`. */
  readonly settings?: readonly string[];
};

/** How often a start is repeated, every 100 ms, after a failure that passes by itself. */
const startsMax = { takenPort: 20, memoryInUse: 400 } as const;

/**
 * Starts the PostgreSQL that ships with the package, with its data in `folder`, on a loopback port. The first start
 * initializes the folder (about 1 s); later ones take 0.1 to 0.2 s. fsync stays on: the sandbox's database is as
 * durable as production's. Works for root (as another user, see `serverUser`) and for ordinary users. The server ends
 * when `stop` is called or this process ends in any way. Rejects with `AlreadyRunning` while another process uses
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

/** Ensures that the data folder contains a complete cluster and that no server is running on it. */
async function prepare(options: EmbeddedOptions): Promise<ServerSite> {
  const dataFolder = join(options.folder, "data");
  const user = await serverUser(dataFolder);
  const site = { binaries: await serverBinaries(user), user, dataFolder };
  if (existsSync(dataFolder)) await endPreviousServer(dataFolder, options.clock);
  else await createCluster(site, options);
  return site;
}

/** Creates the cluster under another name until it is complete, so a run killed half-way leaves no partial database. */
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
    await initialize({ ...site, dataFolder: draft }, passwordFile);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, site.dataFolder);
  await syncFolder(options.folder);
}

/** Another program may take a free port before the server binds it; then the next one is tried. */
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
      if (!(error instanceof ServerEnded) || attempt >= startsAllowed(error)) throw error;
      await options.clock.sleep(100);
    }
  }
}

/** On a busy machine, processes of a killed server may use its shared memory for a while. */
function startsAllowed({ message }: ServerEnded): number {
  if (message.includes("could not create any TCP/IP sockets")) return startsMax.takenPort;
  return message.includes("pre-existing shared memory block") ? startsMax.memoryInUse : 1;
}

function serverSettings(port: number, settings: readonly string[]): readonly string[] {
  return [
    ...["-p", String(port)],
    ...["-c", "listen_addresses=127.0.0.1"],
    ...["-c", "unix_socket_directories="],
    // Statements contain private data, and refused duplicates are normal.
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
  // Normally it has ended; one whose supervising shell was killed, or that hangs, is ended by its pid.
  await endPreviousServer(site.dataFolder, clock);
}
