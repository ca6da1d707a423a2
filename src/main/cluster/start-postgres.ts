import { chown, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { endPreviousServer } from "../../platform/db/previous-server.ts";
import { type ServerUser, serverUser } from "../../platform/db/server-user.ts";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { getJson } from "./ask-json.ts";
import { type ClusterPart, type ClusterSite, loopback } from "./cluster-site.ts";
import { type PatroniNode, type PostgresPasswords, patroniConfig } from "./patroni-config.ts";
import type { EtcdMember } from "./start-etcd.ts";

export type PostgresServer = {
  readonly name: string;
  readonly patroni: string;
  readonly port: number;
  readonly restPort: number;
};

const size = 3;

/**
 * Three PostgreSQL servers under Patroni. Their data is in `dataFolder`, which the user who runs them can reach. Resolves when
 * Patroni was started; a primary follows some seconds later.
 */
export async function startPostgres(
  site: ClusterSite,
  dataFolder: string,
  etcd: readonly EtcdMember[],
  passwords: PostgresPasswords,
): Promise<
  ClusterPart & {
    readonly servers: readonly PostgresServer[];
    /** Resolves when there is a primary and both others replicate from it. */
    readonly untilReplicated: (signal: AbortSignal) => Promise<void>;
  }
> {
  const { programs, keeper, links, takePort, clock } = site;
  const user = await serverUser(dataFolder);
  const nodes: PatroniNode[] = [];
  for (let number = 1; number <= size; number += 1) {
    const [name, patroni] = [`postgres-${number}`, `patroni-${number}`];
    const [port, restPort] = [await takePort(), await takePort()];
    nodes.push({
      name,
      patroni,
      folder: join(dataFolder, name),
      port,
      restPort,
      peersPort: await links.open("postgres", name, port),
      peersRestPort: await links.open("patroni", patroni, restPort),
      etcdPorts: await Promise.all(
        etcd.map((member) => links.open(patroni, member.name, member.port)),
      ),
    });
  }
  keeper.afterwards(async () => {
    await Promise.all(
      nodes.map((node) => endPreviousServer(join(node.folder, "data"), clock, "at once")),
    );
  });
  const started = await Promise.all(
    nodes.map(async (node) => {
      const config = await writeConfig(node, patroniConfig(node, programs, passwords), user);
      const env = { HOME: node.folder, PYTHONUNBUFFERED: "1" };
      return keeper.start({
        name: node.patroni,
        program: programs.patroni,
        args: [config],
        env,
        user,
      });
    }),
  );
  return {
    servers: nodes,
    untilReplicated: async (signal) => {
      const isWell = async (node: PatroniNode): Promise<boolean> => {
        const state = await stateOf(node);
        return state?.role === "primary" || state?.replication_state === "streaming";
      };
      while (!signal.aborted && !(await Promise.all(nodes.map(isWell))).every(Boolean))
        await clock.sleep(200, signal);
    },
    failed: Promise.race(started.map(({ failed }) => failed)),
    observe: async () => {
      const found = await Promise.all(
        nodes.map(async (node, index) => {
          const patroniPid = started[index]?.pid() ?? null;
          return [
            {
              name: node.patroni,
              role: "patroni" as const,
              pid: patroniPid,
              address: loopback(node.restPort),
            },
            {
              name: node.name,
              role: await roleOf(node),
              pid: await serverPid(join(node.folder, "data")),
              address: loopback(node.port),
            },
          ];
        }),
      );
      return found.flat();
    },
  };
}

async function writeConfig(
  node: PatroniNode,
  config: unknown,
  user: ServerUser | null,
): Promise<string> {
  const file = join(node.folder, "patroni.json");
  await mkdir(node.folder, { mode: 0o700 });
  await writeAtomically(file, `${JSON.stringify(config, null, 2)}\n`);
  if (user !== null) for (const path of [node.folder, file]) await chown(path, user.uid, user.gid);
  return file;
}

/** As Patroni says; of a server without Patroni, a replica, since it cannot keep the lead. */
async function roleOf(node: PatroniNode): Promise<"postgres-primary" | "postgres-replica"> {
  return (await stateOf(node))?.role === "primary" ? "postgres-primary" : "postgres-replica";
}

type PatroniState = { readonly role?: string; readonly replication_state?: string };

async function stateOf({ restPort }: PatroniNode): Promise<PatroniState | null> {
  return (await getJson(`http://${loopback(restPort)}/patroni`)) as PatroniState | null;
}

/** Null while it does not run. */
async function serverPid(dataFolder: string): Promise<number | null> {
  const text = await readFile(join(dataFolder, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  if (Number.isNaN(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

/** Creates the service's role and database on the primary, which `url` reaches as the superuser. Waits until there is one. */
export async function createDatabase(
  { clock }: Pick<ClusterSite, "clock">,
  url: string,
  password: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(`create role sluice login password ${pg.escapeLiteral(password)}`);
      await client.query("create database sluice owner sluice");
      return;
    } catch {
      // Still starting: the balancer has no server yet.
      await clock.sleep(200, signal);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
