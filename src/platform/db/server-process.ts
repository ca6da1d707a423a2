import { type ChildProcess, spawn } from "node:child_process";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { present } from "../kernel/assert.ts";
import { type SupervisedProcess, startSupervised } from "../processes/supervised-process.ts";
import type { ServerUser } from "./server-user.ts";

/** The programs, the user who runs them and the data folder. */
export type ServerSite = {
  readonly binaries: string;
  readonly user: ServerUser | null;
  readonly dataFolder: string;
};

/** PostgreSQL does not inherit our environment: no secrets, and no PGDATA that could mislead it. */
const environment = { LC_ALL: "C", TZ: "UTC" };

/**
 * Starts the server on its data and resolves when it accepts connections; rejects with `ServerEnded` if it ends first.
 * Its stop signal is SIGINT: a fast shutdown that disconnects clients and writes everything.
 */
export async function startServer(
  site: ServerSite,
  settings: readonly string[],
): Promise<SupervisedProcess> {
  return withData(site, [], async (data, descriptors) => {
    const { user } = site;
    const program = join(site.binaries, "bin/postgres");
    const args = ["-D", data, ...settings];
    const server = startSupervised(program, args, environment, {
      signal: "INT",
      user,
      descriptors,
    });
    try {
      await server.printed(/(database system is ready to accept connections)/);
      return server;
    } catch {
      throw new ServerEnded(server.output());
    }
  });
}

/** Creates a new cluster in the empty data folder; `password` becomes the password of its user `sluice`. */
export async function initialize(site: ServerSite, passwordFile: string): Promise<void> {
  await withData(site, [passwordFile], async (data, descriptors, [password]) => {
    const child = spawn(
      join(site.binaries, "bin/initdb"),
      [
        `--pgdata=${data}`,
        `--pwfile=${present(password, "password file")}`,
        "--username=sluice",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
      ],
      {
        ...site.user,
        cwd: "/",
        env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", ...environment },
        stdio: ["ignore", "ignore", "pipe", "ignore", ...descriptors],
      },
    );
    let printed = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      printed = (printed + chunk).slice(-4000);
    });
    const code = await exitCode(child);
    if (code !== 0) throw new Error(`PostgreSQL's initdb failed: ${printed.trim()}`);
  });
}

/** The server ended by itself; the message contains its last output. */
export class ServerEnded extends Error {
  override readonly name = "ServerEnded";
  constructor(printed: string) {
    super(`PostgreSQL ended: ${printed}`);
  }
}

/**
 * Passes the data folder (and more files) to a child. If another user runs it, they are passed as open
 * descriptors, so that this user needs no access to the folders above: a
 * clone below /root or a `SLUICE_HOME` of mode 0700 stays private.
 */
async function withData<Result>(
  site: ServerSite,
  files: readonly string[],
  use: (
    data: string,
    descriptors: readonly number[],
    files: readonly string[],
  ) => Result | Promise<Result>,
): Promise<Result> {
  if (site.user === null || process.platform !== "linux") return use(site.dataFolder, [], files);
  const opened: FileHandle[] = [];
  try {
    for (const path of [site.dataFolder, ...files]) opened.push(await open(path, "r"));
    const paths = opened.map((_, index) => `/proc/self/fd/${4 + index}`);
    const descriptors = opened.map((handle) => handle.fd);
    return await use(present(paths[0], "data folder"), descriptors, paths.slice(1));
  } finally {
    for (const handle of opened) await handle.close();
  }
}

function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}
