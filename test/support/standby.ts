import { execFile } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { serverBinaries } from "../../src/platform/db/server-binaries.ts";
import { serverUser } from "../../src/platform/db/server-user.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { freePort } from "../../src/platform/processes/free-port.ts";
import { startSupervised } from "../../src/platform/processes/supervised-process.ts";

/** A standby of a running server, which receives its WAL until it is promoted. */
export type Standby = {
  readonly url: string;
  /** Promotes it to primary; resolves once it accepts writes. */
  readonly promote: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Copies the primary's data under `pg_backup_start` and starts a standby on the copy in `folder`. It receives the log of the server at
 * `followedUrl`: the primary, or another standby of it, also once that one is promoted.
 */
export async function startStandby(
  primary: { readonly folder: string; readonly url: string },
  folder: string,
  followedUrl = primary.url,
): Promise<Standby> {
  const [source, data] = [join(primary.folder, "data"), join(folder, "data")];
  const user = await serverUser(source);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    await cp(source, data, { recursive: true });
    const { rows } = await client.query<{ label: string }>(
      "select labelfile as label from pg_backup_stop(false)",
    );
    await writeFile(join(data, "backup_label"), rows[0]?.label ?? "");
  } finally {
    await client.end();
  }
  await rm(join(data, "postmaster.pid"), { force: true });
  await writeFile(join(data, "standby.signal"), "");
  await promisify(execFile)("chmod", ["-R", "go-rwx", data]);
  if (user !== null) await promisify(execFile)("chown", ["-R", `${user.uid}:${user.gid}`, data]);
  const { hostname, port: followedPort, username, password } = new URL(followedUrl);
  const port = await freePort();
  const conninfo = `host=${hostname} port=${followedPort} user=${username} password=${password} application_name=standby`;
  const server = startSupervised(
    join(await serverBinaries(user), "bin/postgres"),
    [
      ...["-D", data, "-p", String(port)],
      ...["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
      ...["-c", `primary_conninfo=${conninfo}`],
    ],
    { LC_ALL: "C", TZ: "UTC" },
    { signal: "INT", user },
  );
  await server.printed(/(ready to accept read-only connections)/);
  await server.printed(/(started streaming WAL)/);
  const url = followedUrl.replace(`:${followedPort}/`, `:${port}/`);
  return {
    url,
    promote: async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("select pg_promote(true, 60)");
      await client.end();
    },
    stop: () => server.end(systemClock, 30_000),
  };
}
