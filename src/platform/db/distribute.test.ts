/** Migrates a database with `--distributed`: refused without Citus; on a coordinator (`SLUICE_CITUS_URL`) repeatable, and kept by later runs. */
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { describeOnCitus } from "../../../test/support/describe-on-citus.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { readIsDistributed } from "./is-distributed.ts";
import { migrate, readDistributedSteps } from "./migrate.ts";

const database = useDatabase();
const nodes = inject("databaseNodes").length;
const step = (await readDistributedSteps())[0]?.name ?? "";
let client: pg.Client;

beforeEach(async () => {
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(() => client.end());

const recorded = async () =>
  (
    await client.query<{ name: string }>(
      "select name from schema_migration where name like 'distributed/%' order by name",
    )
  ).rows.map(({ name }) => name);

describe.runIf(nodes === 1)("on plain PostgreSQL, migrate --distributed", () => {
  it("is refused, and changes nothing", async () => {
    await expect(migrate(database.url, systemClock, { isDistributed: true })).rejects.toThrow(
      "it lacks the extension citus",
    );
    expect(await recorded()).toEqual([]);
    expect(await readIsDistributed(database.db)).toBe(false);
    expect(await migrate(database.url, systemClock)).toEqual([]);
  });

  it("is refused by a database that was distributed and lost its extension", async () => {
    await client.query("insert into schema_migration values ('distributed/0000_lost', '', now())");
    await expect(migrate(database.url, systemClock)).rejects.toThrow(
      "it lacks the extension citus",
    );
    await client.query("delete from schema_migration where name = 'distributed/0000_lost'");
  });
});

describeOnCitus("on Citus, a distributed database", {}, () => {
  it("keeps its tables on all nodes, and repeats nothing", async () => {
    expect(await recorded()).toContain(step);
    expect(await readIsDistributed(database.db)).toBe(true);
    expect(await migrate(database.url, systemClock, { isDistributed: true })).toEqual([]);
    const { rows } = await client.query<{ name: string; nodes: string }>(
      `select table_name::text as name, count(distinct nodeport) as nodes from citus_shards
       where citus_table_type = 'distributed' and table_name::text !~ '_(first|rest|[0-9]+)$' group by 1 order by 1`,
    );
    expect(rows).toEqual(
      ["callback", "callback_attempt", "event", "posting"].map((name) => ({
        name,
        nodes: String(nodes - 1),
      })),
    );
  });

  it("gets later steps from migrations without the option", async () => {
    await client.query("delete from schema_migration where name = $1", [step]);
    await client.query(
      "insert into schema_migration values ('distributed/0000_before', '', now())",
    );
    // It is tried: Citus refuses to distribute a table twice.
    await expect(migrate(database.url, systemClock)).rejects.toThrow("already distributed");
  });
});
