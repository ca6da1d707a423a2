import type { Database, Executor } from "../../src/platform/db/database.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import {
  readCallbackRows,
  readConfirmationRows,
  readFeeRows,
  readVolumeRows,
  type StatisticScope,
} from "../../src/reports/statistics/statistics.store.ts";
import { readTimeSpan } from "../../src/reports/statistics/time-span.ts";
import { plainStatistics } from "../support/plain-statistics.ts";
import type { BenchSite } from "./bench-site.ts";
import { median } from "./measure.ts";
import { metered } from "./processor-time.ts";
import { recordStatements } from "./recorded-statements.ts";
import type { Finding } from "./report.ts";

const rows = 1_000_000;
const rounds = 3;
const accountId = "1";
const from = "2025-11-24";
const to = "2026-11-24";
const processorMsMax = 1_000;

type Case = {
  readonly name: keyof typeof plainStatistics;
  readonly wallets: readonly string[] | null;
  readonly read: (db: Executor, scope: StatisticScope) => Promise<unknown>;
};

const cases: readonly Case[] = [
  { name: "volume", wallets: null, read: readVolumeRows },
  { name: "volume", wallets: ["1"], read: readVolumeRows },
  { name: "fees", wallets: null, read: readFeeRows },
  { name: "confirmations", wallets: null, read: readConfirmationRows },
  { name: "callbacks", wallets: null, read: readCallbackRows },
  { name: "callbacks", wallets: ["1"], read: readCallbackRows },
];

/**
 * Daily statistics of a year with a million payments and as many callbacks: processor time of the product's statements, compared
 * with grouping all rows.
 */
export async function benchStatistics(site: BenchSite): Promise<readonly Finding[]> {
  const url = await site.createDatabase("statistics");
  await arrangeYear(site, url);
  const filters = new Map([
    ["from", from],
    ["to", to],
  ]);
  const span = readTimeSpan(filters, systemClock);
  const findings: Finding[] = [];
  for (const { name, wallets, read } of cases) {
    const own = await recordStatements((db: Database) => read(db, { accountId, wallets, span }));
    const plain = { text: plainStatistics[name], values: [accountId, from, to, "day", wallets] };
    const productMs: number[] = [];
    const floorMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      floorMs.push(await processorMs(site, url, [plain]));
      productMs.push(await processorMs(site, url, own));
    }
    const [product, floor] = [median(productMs), median(floorMs)];
    findings.push({
      what: `${name} of a year${wallets === null ? "" : ", one wallet of three"}: processor time`,
      product,
      unit: "ms",
      floor: { name: "grouping all rows", value: floor },
      better: "less",
      basis: "processor",
      target: { of: "product", bound: processorMsMax },
    });
  }
  return findings;
}

/** Processor time of PostgreSQL, parallel workers included. */
async function processorMs(
  site: BenchSite,
  url: string,
  statements: readonly { readonly text: string; readonly values: readonly unknown[] }[],
): Promise<number> {
  const micros: number[] = [];
  await metered(site, micros, { pid: null, seconds: 1 }, async () => {
    for (const { text, values } of statements) {
      const found = await site.sql(url, text, values);
      if (found.length === 0) throw new Error(`nothing is found by ${text}`);
    }
    return 1;
  });
  return (micros[0] ?? Number.NaN) / 1_000;
}

/** Four in five payments are incoming, one is outgoing, one in forty is dust; in four currencies and three wallets, half a minute apart. */
async function arrangeYear(site: BenchSite, url: string): Promise<void> {
  const created = `select at, $2::timestamptz + at * interval '31 seconds' as seen, md5(at::text) as digest
    from generate_series(1, $3::bigint) as at`;
  await site.sql(
    url,
    `insert into transfer (account_id, op_type, status, wallet_id, currency, units, commission_units, fee_units,
       fee_currency, chain, txid, output_index, first_seen_at, disposition, is_confirmed, confirmed_at, is_settled,
       created_at, updated_at)
     select $1, case when at % 5 = 0 then 2 else 1 end, 2, 1 + at % 3, (array['1000', '1002', '1003', '1010'])[1 + at % 4],
       1000000 + at, 1000 + at % 1000, case when at % 5 = 0 then 2000 else 0 end, case when at % 5 = 0 then '1002' end,
       'BTC', digest || digest, 0, seen, case when at % 40 = 0 then 'dust' else 'credited' end, true,
       seen + interval '1 hour' * (at * 7919 % 1000003) / 1000003.0, true, seen, seen
     from (${created}) as made`,
    [accountId, from, rows],
  );
  await site.sql(
    url,
    `with new_event as (
       insert into event (account_id, id, object_type, object_id, trigger, event_key, payload, created_at)
       select $1, at, case when at % 5 = 0 then 'payout' else 'deposit' end, at, 'status', digest,
         jsonb_build_object('data', jsonb_build_object('attributes', repeat(digest, 20), 'relationships',
           jsonb_build_object('wallet', jsonb_build_object('data', jsonb_build_object('id', (1 + at % 3)::text))))), seen
       from (${created}) as made
       returning account_id, id, object_type, object_id, created_at)
     insert into callback (account_id, event_id, object_type, object_id, wallet_id, credential_id, url, host, webhook_id,
       status, attempts, delivered_at, created_at, updated_at)
     select account_id, id, object_type, object_id, 1 + id % 3, 1, 'https://shop.example/', 'shop.example', 'msg_' || id,
       case when id % 100 = 0 then 'exhausted' else 'delivered' end, 1 + id % 2,
       case when id % 100 <> 0 then created_at + interval '10 seconds' * (id * 7919 % 1000003) / 1000003.0 end,
       created_at, created_at
     from new_event`,
    [accountId, from, rows],
  );
  for (const table of ["transfer", "event", "callback"])
    await site.sql(url, `vacuum analyze ${table}`);
}
