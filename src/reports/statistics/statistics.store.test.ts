/*
 * Reading bucket by bucket from an index gives the same as grouping all rows: both run on the same random payments and callbacks,
 * for many spans.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { plainStatistics } from "../../../test/support/plain-statistics.ts";
import { fc } from "../../../test/support/property.ts";
import type { SqlValue } from "../../platform/db/database.ts";
import { type Instant, microsPerSecond } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import {
  readCallbackRows,
  readConfirmationRows,
  readFeeRows,
  readVolumeRows,
  type StatisticScope,
} from "./statistics.store.ts";
import { type Bucket, readTimeSpan } from "./time-span.ts";

const database = useDatabase();

const accounts = ["1", "2"] as const;
const walletIds = ["11", "12", "13"] as const;
const hour = 3_600 * microsPerSecond;
/** 2026-02-27T00:00Z, a Friday, so that the data crosses weeks and a month. */
const firstDay = 1_772_150_400 * microsPerSecond;
const days = 24;

/** Often exactly on the hour, where buckets meet. */
const moment = fc
  .tuple(fc.nat(days * 24 - 1), fc.oneof(fc.constant(0), fc.nat(hour - 1)))
  .map(([hours, micros]) => (firstDay + hours * hour + micros) as Instant);

/** Up to three days, also negative (a corrected clock), and often equal. */
const duration = fc.oneof(
  fc.integer({ min: -5, max: 60 }).map((seconds) => seconds * microsPerSecond),
  fc.integer({ min: 0, max: 72 * hour }),
);

const units = fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 24n));

const transfer = fc.record({
  account: fc.constantFrom(...accounts),
  wallet: fc.constantFrom(...walletIds),
  opType: fc.constantFrom(1, 2, 14),
  status: fc.constantFrom(2, 2, 2, 1, -3),
  currency: fc.constantFrom("1000", "1002", "2010", null),
  units,
  commission: units,
  fee: units,
  feeCurrency: fc.constantFrom("1000", "1002", null),
  disposition: fc.constantFrom(
    ...["credited", "credited", "payout", "unresolved", "refunded", "dust", "blocked", "none"],
  ),
  createdAt: moment,
  confirmedAfter: fc.option(duration, { freq: 5 }),
  isOnChain: fc.boolean(),
});

const callback = fc.record({
  account: fc.constantFrom(...accounts),
  wallet: fc.constantFrom(...walletIds, null),
  objectType: fc.constantFrom("deposit", "payout", "test"),
  status: fc.constantFrom("delivered", "delivered", "exhausted", "pending"),
  attempts: fc.integer({ min: 0, max: 3 }),
  createdAt: moment,
  deliveredAfter: duration,
});

const span = fc
  .record({
    bucket: fc.constantFrom<Bucket>("hour", "day", "week"),
    from: fc.integer({ min: -2, max: days * 24 }),
    hours: fc.integer({ min: 1, max: 300 }),
    isUneven: fc.boolean(),
  })
  .map(({ bucket, from, hours, isUneven }) => {
    const start = firstDay + from * hour;
    const end = start + hours * hour + (isUneven ? 123_456 : 0);
    const filters = new Map([
      ["bucket", bucket],
      ["from", formatTimestamp(start as Instant)],
      ["to", formatTimestamp(end as Instant)],
    ]);
    return readTimeSpan(filters, { now: () => firstDay as Instant });
  });

const scope: fc.Arbitrary<StatisticScope> = fc.record({
  accountId: fc.constantFrom(...accounts, "3"),
  wallets: fc.oneof(fc.constant(null), fc.subarray([...walletIds])),
  span,
});

beforeAll(async () => {
  const transfers = fc.sample(transfer, 1_500).map((one, index) => ({
    account_id: one.account,
    wallet_id: one.wallet,
    op_type: one.opType,
    status: one.status,
    currency: one.currency,
    disposition: one.disposition,
    fee_currency: one.feeCurrency,
    units: String(one.units),
    commission_units: String(one.commission),
    chain: "BTC",
    fee_units: String(one.fee),
    txid: one.isOnChain ? `tx${index}` : null,
    output_index: 0,
    first_seen_at: formatTimestamp(one.createdAt),
    confirmed_at:
      one.confirmedAfter === null
        ? null
        : formatTimestamp((one.createdAt + one.confirmedAfter) as Instant),
    created_at: formatTimestamp(one.createdAt),
  }));
  await database.sql(
    `insert into transfer (account_id, wallet_id, op_type, status, currency, disposition, fee_currency, units,
       commission_units, fee_units, chain, txid, output_index, first_seen_at, confirmed_at, created_at, updated_at)
     select account_id, wallet_id, op_type, status, currency, disposition, fee_currency, units,
       commission_units, fee_units, chain, txid, output_index, first_seen_at, confirmed_at, created_at, created_at
     from jsonb_populate_recordset(null::transfer, $1::jsonb)`,
    [JSON.stringify(transfers)],
  );
  const callbacks = fc.sample(callback, 1_000).map((one, index) => ({
    account_id: one.account,
    id: String(index + 1),
    event_id: String(index + 1),
    object_type: one.objectType,
    object_id: String(index + 1),
    credential_id: "1",
    url: "https://shop.example/",
    host: "shop.example",
    webhook_id: `msg_${index}`,
    status: one.status,
    attempts: one.attempts,
    wallet: one.wallet,
    wallet_id: one.wallet,
    due_at: one.status === "pending" ? formatTimestamp(one.createdAt) : null,
    delivered_at:
      one.status === "delivered"
        ? formatTimestamp((one.createdAt + one.deliveredAfter) as Instant)
        : null,
    created_at: formatTimestamp(one.createdAt),
  }));
  await database.sql(
    `with input as (
       select made.*, one ->> 'wallet' as wallet
       from jsonb_array_elements($1::jsonb) as one
       cross join lateral jsonb_populate_record(null::callback, one) as made
     ), inserted as (
       insert into event (account_id, id, object_type, object_id, trigger, event_key, payload, created_at)
       select account_id, event_id, case object_type when 'test' then 'deposit' else object_type end, object_id, 'status',
         webhook_id, jsonb_build_object('data', jsonb_build_object('relationships', jsonb_build_object(
           'wallet', jsonb_build_object('data', jsonb_build_object('type', 'wallet', 'id', wallet))))), created_at
       from input
     )
     insert into callback (account_id, id, event_id, object_type, object_id, wallet_id, credential_id, url, host,
       webhook_id, status, attempts, due_at, delivered_at, created_at, updated_at)
     select account_id, id, event_id, object_type, object_id, wallet_id, credential_id, url, host,
       webhook_id, status, attempts, due_at, delivered_at, created_at, created_at
     from input`,
    [JSON.stringify(callbacks)],
  );
});

function grouped(text: string, { accountId, wallets, span: asked }: StatisticScope) {
  const { from, to, bucket } = asked;
  const values: SqlValue[] = [accountId, formatTimestamp(from), formatTimestamp(to)];
  return database.sql<object>(text, [...values, bucket, wallets]);
}

/** Rows with the same start are in no order. */
function texts(rows: readonly object[]): readonly string[] {
  const ordered = rows.map((row) =>
    JSON.stringify(Object.entries(row).sort(), (_name, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  );
  return ordered.toSorted();
}

describe("statistics read from an index", () => {
  it.each([
    ["volume", readVolumeRows],
    ["fees", readFeeRows],
    ["confirmations", readConfirmationRows],
    ["callbacks", readCallbackRows],
  ] as const)("%s", async (name, read) => {
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(scope, async (asked) => {
        const found = await read(database.db, asked);
        rows += found.length;
        expect(texts(found)).toEqual(texts(await grouped(plainStatistics[name], asked)));
        const starts = found.map((row) => row.start ?? 0);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
    expect(rows).toBeGreaterThan(100);
  });
});
