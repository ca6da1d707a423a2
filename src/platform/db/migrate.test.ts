/** Applies migrations while transactions hold locks, several runs work at once, and a run is killed. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { administer } from "../../../test/support/database.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { systemClock } from "../kernel/system-clock.ts";
import type { Migration } from "./apply-migration.ts";
import { type MigrateOptions, migrate } from "./migrate.ts";

const template = inject("databaseUrl");
const runner = join(import.meta.dirname, "../../../test/support/migrate-process.ts");
let name = "";
let url = "";
let opened: pg.Client[] = [];

beforeEach(async () => {
  name = `migrate_${randomUUID().replaceAll("-", "")}`;
  url = template.replace(/\/sluice$/, `/${name}`);
  await administer(template, `create database ${name}`);
  opened = [];
  await apply([table]);
});
afterEach(async () => {
  for (const client of opened) await client.end();
  await administer(template, `drop database if exists ${name} with (force)`);
});

const migration = (called: string, sql: string): Migration => ({ name: called, sql, check: null });
const table = migration("0001_table", "create table busy (id bigint primary key, at bigint)");
const column = migration("0002_column", "alter table busy add column label text");
const index = migration(
  "0003_index",
  "-- concurrently\ncreate index concurrently if not exists busy_at on busy (at);\n\n-- Another one.\ncreate unique index concurrently if not exists busy_id_at on busy (id, at);\n",
);

const apply = (migrations: readonly Migration[], options: MigrateOptions = {}) =>
  migrate(url, systemClock, { migrations, ...options });

async function open(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  opened.push(client);
  return client;
}

async function indexes(client: pg.Client): Promise<Record<string, boolean>> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    "select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'busy'::regclass",
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.valid]));
}

describe("a migration", () => {
  it("that waits for a lock lets requests pass, and is applied once the lock is free", async () => {
    const reader = await open();
    await reader.query("begin; select from busy");
    const waits: string[] = [];
    const running = apply([table, column], {
      lockTimeoutMs: 50,
      onWait: (called) => waits.push(called),
    });
    await eventually(
      () => waits.length,
      (count) => count >= 2,
    );
    // Other requests get through although the reader still holds what the migration needs.
    const writer = await open();
    await writer.query("insert into busy (id, at) values (1, 1)");
    await reader.query("commit");
    expect(await running).toEqual(["0002_column"]);
    expect(new Set(waits)).toEqual(new Set(["0002_column"]));
    expect((await writer.query("select id, at, label from busy")).rows).toEqual([
      { id: "1", at: "1", label: null },
    ]);
  });

  it("gives up after its patience, changes nothing, and is applied by the next run", async () => {
    const reader = await open();
    await reader.query("begin; select from busy");
    await expect(apply([table, column], { lockTimeoutMs: 20, patienceSeconds: 0 })).rejects.toThrow(
      "migration 0002_column did not get its locks within 0 s",
    );
    await reader.query("commit");
    expect((await reader.query("select * from busy")).fields).toHaveLength(2);
    expect(await apply([table, column])).toEqual(["0002_column"]);
  });

  it("is refused when it was edited after it was applied", async () => {
    for (const sql of ["create table other (id bigint)", "-- concurrently\nselect 1"])
      await expect(apply([{ ...table, sql }])).rejects.toThrow("was changed after it was applied");
  });

  it("is refused in a database that is not UTF8, before anything is created", async () => {
    const refused = `${name}_ascii`;
    for (const encoding of ["SQL_ASCII", "LATIN1"]) {
      await administer(
        template,
        `create database ${refused} encoding '${encoding}' locale 'C' template template0`,
      );
      url = template.replace(/\/sluice$/, `/${refused}`);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await expect(apply([table])).rejects.toThrow(
        `the database ${refused} cannot be migrated: its encoding is ${encoding}, and only UTF8 stores all text: create it with \`createdb --encoding UTF8 --template template0 NAME\``,
      );
      const tables = "select from pg_tables where schemaname = 'public'";
      expect((await client.query(tables)).rowCount).toBe(0);
      await client.end();
      await administer(template, `drop database ${refused} with (force)`);
    }
  });

  it("that fails leaves nothing of itself", async () => {
    const faulty = migration("0002_faulty", "alter table busy add column b text; select 1/0");
    await expect(apply([table, faulty])).rejects.toThrow("division by zero");
    expect(await apply([table, column])).toEqual(["0002_column"]);
  });
});

describe("a concurrent migration", () => {
  it("builds indexes while a transaction that has written stays open, and others write", async () => {
    const [old, writer] = [await open(), await open()];
    await old.query("begin; insert into busy values (1, 1)");
    const running = apply([table, index]);
    await eventually(
      () => indexes(writer),
      (found) => "busy_at" in found,
    );
    await writer.query("insert into busy values (2, 2)");
    await old.query("commit");
    expect(await running).toEqual(["0003_index"]);
    expect(await indexes(writer)).toEqual({ busy_pkey: true, busy_at: true, busy_id_at: true });
  });

  it("runs once when several runs start together", async () => {
    const runs = await Promise.all([1, 2, 3].map(() => apply([table, column, index])));
    expect(runs.flat().sort()).toEqual(["0002_column", "0003_index"]);
  });

  it("is completed by the next run after kill -9, with no invalid index", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-migrate-"));
    const file = join(folder, "migrations.json");
    await writeFile(file, JSON.stringify([table, index]));
    const old = await open();
    await old.query("begin; insert into busy values (1, 1)");
    const killed = spawn(process.execPath, [runner, url, file], { stdio: "inherit" });
    const client = await open();
    await eventually(
      () => indexes(client),
      (found) => found["busy_at"] === false,
    );
    killed.kill("SIGKILL");
    await once(killed, "exit");
    // The server goes on building for a client that is gone; an administrator ends that session too.
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%create index%' and datname = current_database() and pid <> pg_backend_pid()",
    );
    await eventually(
      async () => (await client.query("select from pg_stat_progress_create_index")).rowCount,
      (count) => count === 0,
    );
    expect(await indexes(client)).toEqual({ busy_pkey: true, busy_at: false });
    await old.query("commit");
    expect(await apply([table, index])).toEqual(["0003_index"]);
    expect(await indexes(client)).toEqual({ busy_pkey: true, busy_at: true, busy_id_at: true });
    await rm(folder, { recursive: true, force: true });
  });

  it("takes over from a run that was killed while the server goes on building", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-migrate-"));
    const file = join(folder, "migrations.json");
    await writeFile(file, JSON.stringify([table, index]));
    const old = await open();
    await old.query("begin; insert into busy values (1, 1)");
    const killed = spawn(process.execPath, [runner, url, file], { stdio: "inherit" });
    const client = await open();
    await eventually(
      () => indexes(client),
      (found) => "busy_at" in found,
    );
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const next = apply([table, index]);
    await old.query("commit");
    expect(await next).toEqual(["0003_index"]);
    expect(await indexes(client)).toEqual({ busy_pkey: true, busy_at: true, busy_id_at: true });
    await rm(folder, { recursive: true, force: true });
  });
});
