/**
 * Shows on plain PostgreSQL that the tables of `db/distributed` can be distributed by account: every unique key and every foreign key
 * carries the account, and so does every statement about them, except those that are listed with a reason.
 */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readDistributedSteps } from "../../src/platform/db/migrate.ts";
import { useDatabase } from "../support/database.ts";
import { centralTables, statementsOfAllAccounts } from "./central-tables.ts";
import { findStatements, readsTable } from "./find-statements.ts";

const database = useDatabase();
const steps = await readDistributedSteps();
const distributed = steps.flatMap(({ sql }) =>
  [...sql.matchAll(/create_distributed_table\('(\w+)', 'account_id'/g)].flatMap(([, t]) => t ?? []),
);

type Key = { readonly name: string; readonly has_account: boolean };

const uniqueKeys = `select indexrelid::regclass::text as name, exists (select from pg_attribute a
    where a.attrelid = indrelid and a.attname = 'account_id' and a.attnum = any(indkey::int2[])) as has_account
  from pg_index where indrelid = $1::regclass and indisunique`;

// A row refers to one on the same node only, so to one of its account in a distributed table.
const foreignKeys = `select conname as name, confrelid::regclass::text = any($2::text[]) and exists (select from pg_attribute a
    where a.attrelid = conrelid and a.attname = 'account_id' and a.attnum = any(conkey)) as has_account
  from pg_constraint where contype = 'f' and (conrelid = $1::regclass or confrelid = $1::regclass and not conrelid::regclass::text = any($2::text[]))`;

async function withoutAccount(query: string, values: readonly (string | readonly string[])[]) {
  const keys = await database.sql<Key>(query, values);
  return keys.filter(({ has_account: hasAccount }) => !hasAccount).map(({ name }) => name);
}

describe("a distributed table", () => {
  it.each(distributed)("has no unique key without the account: %s", async (table) => {
    expect(await database.sql(uniqueKeys, [table])).not.toEqual([]);
    expect(await withoutAccount(uniqueKeys, [table])).toEqual([]);
  });

  it.each(distributed)("refers to no other table than distributed ones: %s", async (table) => {
    expect(await withoutAccount(foreignKeys, [table, distributed])).toEqual([]);
  });

  it("is read and changed by account", () => {
    const found = findStatements(
      globSync("src/**/*.store.ts").map((file) => readFileSync(file, "utf8")),
    );
    const own = found.filter(({ text }) => distributed.some((table) => readsTable(text, table)));
    expect(own.length).toBeGreaterThan(10);
    const without = own.filter(({ text }) => !text.includes("account_id"));
    expect(without.map(({ name }) => name).toSorted()).toEqual(
      Object.keys(statementsOfAllAccounts).toSorted(),
    );
  });
});

describe("every table with an account's rows", () => {
  it("is distributed, or central for a reason", async () => {
    const tables = await database.sql<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    const known = [...distributed, ...Object.keys(centralTables)];
    expect(tables.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  });
});
