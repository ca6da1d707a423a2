import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { describeWithProgram } from "../../../test/support/describe-with-program.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger } from "../kernel/logger.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { freePort } from "../processes/free-port.ts";
import { type SupervisedProcess, startSupervised } from "../processes/supervised-process.ts";
import { connect } from "./connect.ts";
import { inspectDatabase } from "./inspect-database.ts";
import { assembledStatement } from "./list-query.ts";

/* PgBouncer in front of the test run's PostgreSQL, in each mode. */

describeWithProgram("pgbouncer", "a connection pooler", (program) => {
  let folder = "";
  const running: SupervisedProcess[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "sluice-pooler-"));
  });
  afterAll(async () => {
    for (const pooler of running) await pooler.end(systemClock, 10_000);
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (mode: string, role: string, ignored: string): Promise<string> => {
    const server = new URL(inject("databaseUrl"));
    const port = await freePort();
    const file = join(folder, `${mode}-${running.length}.ini`);
    const users = join(folder, `users-${running.length}`);
    await writeFile(users, `"${role}" "test"\n`);
    const lines = [
      ...["[databases]", `* = host=127.0.0.1 port=${server.port}`, "[pgbouncer]"],
      ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir ="],
      ...[`pool_mode = ${mode}`, "auth_type = plain", `auth_file = ${users}`],
      ...(ignored === "" ? [] : [`ignore_startup_parameters = ${ignored}`]),
      ...(process.getuid?.() === 0 ? ["user = nobody"] : []),
    ];
    await writeFile(file, `${lines.join("\n")}\n`);
    running.push(startSupervised(program, [file], {}));
    const url = `postgres://${role}:test@127.0.0.1:${port}${server.pathname}`;
    await eventually(
      () => answers(url),
      (isThere) => isThere,
    );
    return url;
  };

  it("in transaction mode is refused, with what to use instead", async () => {
    const url = await start("transaction", "sluice", "options,statement_timeout,lock_timeout");
    await expect(inspectDatabase(url)).rejects.toThrow(
      "leads to a connection pooler in transaction mode, in which prepared statements fail: use session mode",
    );
  });

  it("that refuses a parameter is named as such", async () => {
    const url = await start("session", "sluice", "");
    await expect(inspectDatabase(url)).rejects.toThrow(
      /connection pooler that refuses the parameter \w+: connect to PostgreSQL itself/,
    );
  });

  it("in session mode that drops the parameters is refused until the role has them, and then works", async () => {
    const admin = new pg.Client({ connectionString: inject("databaseUrl") });
    await admin.connect();
    await admin.query("create role pooled superuser login password 'test'");
    try {
      const url = await start("session", "pooled", "options,statement_timeout,lock_timeout");
      await expect(inspectDatabase(url)).rejects.toThrow("alter role ... set statement_timeout");
      await admin.query("alter role pooled set timezone = 'UTC'");
      await admin.query("alter role pooled set statement_timeout = '30s'");
      await admin.query("alter role pooled set lock_timeout = '5s'");
      const partly = await start("session", "pooled", "options,statement_timeout,lock_timeout");
      await expect(inspectDatabase(partly)).rejects.toThrow(
        "(`alter role ... set idle_in_transaction_session_timeout = '30s'`)",
      );
      await admin.query("alter role pooled set idle_in_transaction_session_timeout = '30s'");
      const again = await start("session", "pooled", "options,statement_timeout,lock_timeout");
      expect(await inspectDatabase(again)).toMatchObject({ pending: [], altered: [] });
      const db = connect({ url: again, clock: systemClock, logger: silentLogger });
      const one = assembledStatement<{ one: number }>("pooled", "select $1::integer as one");
      for (let count = 0; count < 20; count += 1)
        expect(await db.query(one, [count])).toEqual([{ one: count }]);
      await db.close();
    } finally {
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'pooled'",
      );
      await admin.query("drop role pooled");
      await admin.end();
    }
  });
});

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
