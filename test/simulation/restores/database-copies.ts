import { assembledStatement } from "../../../src/platform/db/list-query.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { TestDatabase } from "../../support/database.ts";
import { findEmptyTables } from "../weave/empty-tables.ts";

/** Every row and the last value of every sequence at one moment. */
export type DatabaseCopy = {
  readonly rows: ReadonlyMap<string, string>;
  readonly sequences: string;
};

/** Copies of a database within a history; much faster than a dump. */
export type DatabaseCopies = {
  readonly take: () => Promise<DatabaseCopy>;
  /**
   * Restores the database to a copy: as a dump, which is another database, or as a snapshot of the server's disk, which is the same one. The
   * server was started since, so no worker has compared it with the signer.
   */
  readonly restore: (copy: DatabaseCopy, as: "dump" | "snapshot") => Promise<void>;
  /** Removes all rows, and begins all sequences again. */
  readonly empty: () => Promise<void>;
};

const markTable = "database_mark";

const readSequences = `
  select coalesce(jsonb_agg(jsonb_build_object('name', relname, 'value', pg_sequence_last_value(oid))), '[]')::text as sequences
  from pg_class where relkind = 'S' and relnamespace = current_schema()::regnamespace`;

const setSequences = `
  select setval(class.oid::regclass, coalesce(known.value, start.seqstart), known.value is not null)
  from pg_class class join pg_sequence start on start.seqrelid = class.oid
  left join jsonb_to_recordset($1::jsonb) as known (name text, value bigint) on known.name = class.relname
  where class.relkind = 'S' and class.relnamespace = current_schema()::regnamespace`;

/** Histories fill tables that are empty now, and the mark. */
export async function openCopies(database: TestDatabase): Promise<DatabaseCopies> {
  const { db, sql } = database;
  const tables = [...(await findEmptyTables(database)), markTable];
  const columns = new Map<string, string>();
  for (const table of tables) columns.set(table, await storedColumns(sql, table));
  const readRows = tables
    .map(
      (table) =>
        `select '${table}' as name, (select jsonb_agg(to_jsonb(r)) from ${table} r)::text as rows`,
    )
    .join(" union all ");
  const deletions = tables.map((table) => `delete from ${table};`).join(" ");

  const write = ({ rows, sequences }: DatabaseCopy): Promise<void> =>
    db.transaction(async (tx) => {
      const run = (text: string, values: readonly string[] = []) =>
        tx.query(assembledStatement("copies", text), values);
      // Rows refer to each other in every order.
      await run("set local session_replication_role = replica");
      await run(`do $$ begin ${deletions} end $$`);
      for (const [table, content] of rows) {
        const named = present(columns.get(table), table);
        await run(
          `insert into ${table} (${named}) overriding system value
           select ${named} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
          [content],
        );
      }
      await run(setSequences, [sequences]);
    });

  return {
    take: async () => {
      const found = await sql<{ readonly name: string; readonly rows: string | null }>(readRows);
      const [{ sequences } = { sequences: "[]" }] = await sql<{ readonly sequences: string }>(
        readSequences,
      );
      const rows = found.flatMap(({ name, rows: text }) =>
        text === null ? [] : [[name, text] as const],
      );
      return { rows: new Map(rows), sequences };
    },
    restore: async (copy, as) => {
      await write(copy);
      await sql(
        `update ${markTable} set admitted_since = null, origin = case when $1 then 'elsewhere ' || origin else origin end`,
        [as === "dump"],
      );
    },
    empty: async () => {
      await write({ rows: new Map(), sequences: "[]" });
      await sql(`insert into ${markTable} default values`);
    },
  };
}

/** All columns but generated ones. */
async function storedColumns(sql: TestDatabase["sql"], table: string): Promise<string> {
  const [found] = await sql<{ readonly columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return present(found, `the table ${table}`).columns;
}
