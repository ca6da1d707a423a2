import pg from "pg";
import { migrate } from "../../src/platform/db/migrate.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

/** What this database is known by, so that only a template of an earlier run is ever dropped. */
const mark = "template of Sluice's tests";

type Node = { readonly name: string; readonly port: number; readonly is_coordinator: boolean };

/**
 * Creates the distributed database `sluice` on the coordinator at `url` and on its nodes, and returns its URL on each of them, the
 * coordinator last. Citus keeps what it knows about shards in ordinary tables of each node's database, and names nodes without their
 * database: so a clone of this database on every node is a distributed database of its own.
 */
export async function createDistributedTemplate(url: string): Promise<readonly string[]> {
  const nodes = await query<Node>(
    url,
    `select nodename as name, nodeport as port, groupid = 0 as is_coordinator from pg_dist_node
     where isactive and noderole = 'primary' order by groupid = 0, groupid`,
  );
  const urls = nodes.map(({ name, port }) => {
    const node = new URL(url);
    [node.hostname, node.port, node.pathname] = [name, String(port), "/sluice"];
    return node.href;
  });
  if (nodes.length < 2 || nodes.at(-1)?.is_coordinator !== true)
    throw new Error(
      "SLUICE_CITUS_URL names no coordinator with itself and workers in pg_dist_node",
    );
  for (const node of urls) await createEmpty(node);
  const coordinator = urls.at(-1) ?? "";
  for (const { name, port, is_coordinator: isCoordinator } of nodes.toReversed())
    await query(
      coordinator,
      isCoordinator
        ? `select citus_set_coordinator_host('${name}', ${port})`
        : `select citus_add_node('${name}', ${port})`,
    );
  // Few shards: each test file clones them all.
  await query(coordinator, "alter database sluice set citus.shard_count = 4");
  await migrate(coordinator, systemClock, { runChecks: true, isDistributed: true });
  for (const node of urls) await close(node);
  return urls;
}

async function createEmpty(node: string): Promise<void> {
  const server = node.replace(/\/sluice$/, "/postgres");
  const [existing] = await query<{ comment: string | null }>(
    server,
    "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = 'sluice'",
  );
  if (existing !== undefined && existing.comment !== mark)
    throw new Error(`${node} exists and is no template of the tests`);
  await query(server, "drop database if exists sluice with (force)");
  await query(server, "create database sluice");
  await query(server, `comment on database sluice is '${mark.replaceAll("'", "''")}'`);
  await query(node, "create extension citus");
}

/** A database can be cloned while nobody is connected; Citus's own process connects whenever another client does. */
async function close(node: string): Promise<void> {
  const server = node.replace(/\/sluice$/, "/postgres");
  await query(server, "alter database sluice with allow_connections false");
  await query(
    server,
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = 'sluice'",
  );
}

async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
