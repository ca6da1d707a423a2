import type { TestDatabase } from "../../support/database.ts";

/** The tables without rows. */
export async function findEmptyTables({ sql }: TestDatabase): Promise<readonly string[]> {
  const tables = await sql<{ readonly name: string }>(
    `select format('%I', relname) as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  );
  const empty: string[] = [];
  for (const { name } of tables)
    if ((await sql(`select from ${name} limit 1`)).length === 0) empty.push(name);
  return empty;
}

/** Finds the tables without rows, before a history; returns a function that makes them empty again. */
export async function rememberEmptyTables(database: TestDatabase): Promise<() => Promise<void>> {
  const empty = await findEmptyTables(database);
  const deletions = empty.map((name) => `delete from ${name};`).join(" ");
  // Deleting a few rows costs less than truncating, which recreates files; all of them go, so no reference is left.
  const clear = `do $$ begin set local session_replication_role = replica; ${deletions} end $$`;
  return async () => {
    await database.sql(clear);
  };
}
