import pg from "pg";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { migrate, readMigrations } from "../../src/platform/db/migrate.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { BenchSite } from "./bench-site.ts";
import { fillGrowth } from "./growth-rows.ts";
import { timed } from "./measure.ts";
import { boundFinding, type Finding } from "./report.ts";

const deposits = Number(process.env["BENCH_GROWTH_DEPOSITS"] ?? 1_000_000);
/** The newest release before these migrations. */
const before = "0083";
const blockedMsMax = 1_000;

/** What requests do to the tables that grow: one row is read, changed and added. */
const probes: Readonly<Record<string, string>> = {
  "reading a deposit": "select * from deposit where account_id = 1 and id = 1 + $1",
  "changing a deposit":
    "update deposit set updated_at = updated_at where account_id = 1 and id = 1 + $1",
  "changing a transfer":
    "update transfer set updated_at = updated_at where account_id = 1 and id = 10 * $1",
  "taking an address":
    "update address set issued_at = issued_at where keyspace = 'BTC' and address_type = 'bech32' and key_index = 1 + $1",
  "changing a payout":
    "update payout set updated_at = updated_at where account_id = 1 and id = 20 * $1",
  booking: `insert into posting (account_id, debit, credit, currency, units, cause, created_at)
    values (1, 'a', 'b', '1000', 1 + $1, 'probe', timestamptz '2026-11-01')`,
  "writing an event": `insert into event (account_id, object_type, object_id, trigger, event_key, payload, created_at)
    values (1, 'deposit', $1, 'status', gen_random_uuid()::text, '{}', timestamptz '2026-11-01')`,
  "claiming a callback":
    "update callback set claimed_until = claimed_until where account_id = 1 and id = 1 + $1",
  "recording an attempt": `insert into callback_attempt (account_id, callback_id, number, attempted_at, duration_ms)
    select 1, 1 + $1, 2 + count(*), timestamptz '2026-11-01', 1 from callback_attempt where account_id = 1 and callback_id = 1 + $1`,
};

/**
 * Migrates a database with many rows from the release before while sessions work on its tables: the longest that one of their
 * statements took, which is the longest that a request waited.
 */
export async function benchMigrations(site: BenchSite): Promise<readonly Finding[]> {
  const name = "migrations";
  const server = await site.createDatabase("migrations_new");
  const url = server.replace(/migrations_new$/, name);
  await site.sql(server, `create database ${name}`);
  const all = await readMigrations();
  const migrations = all.filter((migration) => migration.name < before);
  await migrate(url, systemClock, { migrations });
  await site.sql(
    url,
    "insert into account (id, name, webhook_secret_sealed, created_at) values (1, 'Bench', '', timestamptz '2026-01-01')",
  );
  await site.sql(
    url,
    `insert into wallet (account_id, id, type, currency, label, status, created_at)
     values (1, 1, 1, '840', '', 3, timestamptz '2026-01-01'), (1, 2, 2, '1002', '', 3, timestamptz '2026-01-01')`,
  );
  const owner = {
    accountId: "1",
    credentialId: "1",
    memberId: "1",
    merchantId: "1",
    enterpriseId: "2",
  };
  await fillGrowth(site, url, owner, deposits);
  const teardown = new Teardown(silentLogger);
  site.teardown.add("probes", () => teardown.run());
  const longest = new Map<string, number>();
  for (const [what, text] of Object.entries(probes))
    teardown.add(
      what,
      await probe(url, text, (ms) => {
        longest.set(what, Math.max(longest.get(what) ?? 0, ms));
      }),
    );
  const idle = await measure(longest, () => systemClock.sleep(10_000));
  let applied: readonly string[] = [];
  const during = await measure(longest, async () => {
    applied = await migrate(url, systemClock, {
      onWait: (waiting, reason) => {
        console.error(`${waiting} waits: ${reason}`);
      },
    });
  });
  await teardown.run();
  const rows = deposits.toLocaleString("en-US");
  return [
    boundFinding(`${applied.join(", ")} with ${rows} deposits`, during.seconds, "s", null),
    ...[...during.longest].map(([what, ms]) =>
      boundFinding(
        `longest time of ${what} during them (without migrations ${Math.round(idle.longest.get(what) ?? 0)} ms)`,
        ms,
        "ms",
        blockedMsMax,
      ),
    ),
  ];
}

async function measure(longest: Map<string, number>, work: () => Promise<unknown>) {
  longest.clear();
  const seconds = await timed(work);
  return { seconds, longest: new Map(longest) };
}

/** Runs a statement again and again in a session of its own; returns how to stop. */
async function probe(
  url: string,
  text: string,
  note: (ms: number) => void,
): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const over = new AbortController();
  const running = (async () => {
    for (let number = 1; !over.signal.aborted; number += 1) {
      const start = performance.now();
      await client.query(text, [number % 100]);
      note(performance.now() - start);
      await systemClock.sleep(20);
    }
  })();
  return async () => {
    over.abort();
    await running;
    await client.end();
  };
}
