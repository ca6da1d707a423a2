/*
 * Statistics over HTTP: of real deposits, payouts and callbacks, of the wallets that the caller may view, in bounded time spans.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeTwoTenants, type TwoTenants } from "../../../test/support/two-tenants.ts";
import { describeResponse, useWholeApi } from "../../../test/support/whole-api.ts";
import { fillCallbackWallets } from "../../callbacks/callback-wallets.store.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

const database = useDatabase();
const api = useWholeApi(database);

let tenants: TwoTenants;

beforeAll(async () => {
  tenants = await arrangeTwoTenants(api);
});

const get = (path: string, as: string = tenants.shop.token) =>
  api.ask({ method: "GET", path: `/statistics/${path}`, as });

type Bucket = Readonly<Record<string, string | number | null>>;

describe("volume", () => {
  it("sums confirmed amounts by currency and direction, in the currency's digits and in fiat", async () => {
    const { resources } = await get("volume/?include=currency");
    const ether = resources.find(({ id }) => id === "volume-deposit-1002")!;
    // Three deposits of 1.5 and three of 0.25 ether at 2000 dollars.
    expect(ether.attributes).toMatchObject({
      direction: "deposit",
      count: 6,
      amount: "5.250000000000000000",
      fiat: "USD",
      fiat_amount: "10500.00",
      bucket: "day",
    });
    const bitcoin = resources.find(({ id }) => id === "volume-deposit-1000")!;
    expect(bitcoin.attributes).toMatchObject({
      amount: expect.stringMatching(/^\d+\.\d{8}$/) as unknown,
    });
    const buckets = ether.attributes["buckets"] as unknown as readonly Bucket[];
    expect(buckets.reduce((sum, { count }) => sum + Number(count), 0)).toBe(6);
    expect(buckets[0]!["start"]).toMatch(/T00:00:00\.000000Z$/);
  });

  it("converts to another fiat currency, or to none if there is no price", async () => {
    const { resources } = await get(
      "volume/?filter[fiat]=978&filter[direction]=deposit&filter[currency]=1002",
    );
    expect(
      resources.map(({ attributes }) => [attributes["fiat"], attributes["fiat_amount"]]),
    ).toEqual([["EUR", null]]);
    expect(describeResponse(await get("volume/?filter[fiat]=1002"))).toContain("400 1007");
  });

  it("counts by hour and ignores everything outside the span", async () => {
    const { resources } = await get(
      "volume/?filter[bucket]=hour&filter[currency]=1002&filter[direction]=deposit",
    );
    expect(resources).toHaveLength(1);
    const none = await get("volume/?filter[from]=2020-01-01&filter[to]=2020-02-01");
    expect(none.resources).toEqual([]);
  });

  it("takes no time beyond those that can be stored for one", async () => {
    const open = await get("volume/?filter[from]=2255-06-01&filter[to]=9999-12-31T23:59:59-15:00");
    expect([open.status, open.resources], open.text).toEqual([200, []]);
    for (const query of [
      "filter[to]=9999-12-31T23:59:59-15:00",
      "filter[to]=0100-01-01",
      "filter[to]=0100-01-01T00:00:00%2B15:00&filter[bucket]=week",
    ]) {
      const answer = await get(`volume/?${query}`);
      expect([query, answer.status, answer.resources]).toEqual([query, 200, []]);
    }
    const long = await get("volume/?filter[from]=0100-01-01&filter[to]=9999-12-31T23:59:59-15:00");
    expect(describeResponse(long)).toContain("400 1007");
  });
});

describe("statistics", () => {
  it("show fees by kind as they were charged", async () => {
    await database.sql(
      `update transfer set commission_units = 10000000000000000 where account_id = $1 and op_type = 1 and currency = '1002'`,
      [tenants.shop.accountId],
    );
    const { resources } = await get("fee/?filter[fee]=commission");
    expect(
      resources.map(({ id, attributes }) => [id, attributes["amount"], attributes["fiat_amount"]]),
    ).toEqual([["commission-deposit-1002", "0.060000000000000000", "120.00000000"]]);
  });

  it("show confirmation times as percentiles of the whole span and of each bucket", async () => {
    const { resources } = await get("confirmation-time/?sort=-count");
    const ether = resources.find(({ id }) => id === "deposit-1002")!;
    const { count, p50_seconds, p90_seconds, p99_seconds } = ether.attributes;
    expect(count).toBe(6);
    expect(Number(p50_seconds)).toBeLessThanOrEqual(Number(p90_seconds));
    expect(Number(p90_seconds)).toBeLessThanOrEqual(Number(p99_seconds));
    const buckets = ether.attributes["buckets"] as unknown as readonly Bucket[];
    expect(buckets.reduce((sum, bucket) => sum + Number(bucket["count"]), 0)).toBe(6);
  });

  it("count callbacks by outcome", async () => {
    const at = formatTimestamp(api.clock.now());
    await database.sql(
      `with mine as (select id, row_number() over (order by id) as place from callback
       where account_id = $1 and object_type = 'deposit')
     update callback c set status = case when place <= 4 then 'delivered' else 'exhausted' end,
       attempts = case when place <= 3 then 1 else 3 end, due_at = null,
       delivered_at = case when place <= 4 then (created_at at time zone 'UTC' + place * interval '1 second') at time zone 'UTC' end, updated_at = $2
     from mine where c.account_id = $1 and mine.id = c.id and place <= 6`,
      [tenants.shop.accountId, at],
    );
    const { resources } = await get("callback/");
    const deposits = resources.find(({ id }) => id === "deposit")!;
    expect(deposits.attributes).toMatchObject({
      delivered_at_once: 3,
      delivered_later: 1,
      failed: 2,
      p50_seconds: 2,
      p90_seconds: 4,
      p99_seconds: 4,
    });
    expect(Number(deposits.attributes["waiting"])).toBeGreaterThan(0);
  });

  it("count callbacks that an old process wrote during an upgrade for their wallet once the job has run", async () => {
    const objects = await database.sql<{ type: string; wallet_id: string }>(
      `with old as (
       insert into callback (account_id, event_id, object_type, object_id, credential_id, url, host, webhook_id,
                             status, due_at, created_at, updated_at)
       select account_id, event_id, object_type, object_id, credential_id, url, host, webhook_id, 'pending', made, made, made
       from (select distinct on (object_type) callback.*, $2::timestamptz as made from callback
             where account_id = $1 order by object_type, id) as known
       returning account_id, object_type, object_id
     )
     select old.object_type as type, coalesce(deposit.wallet_id, payout.wallet_id) as wallet_id
     from old
     left join deposit on object_type = 'deposit' and (deposit.account_id, deposit.id) = (old.account_id, object_id)
     left join payout on object_type = 'payout' and (payout.account_id, payout.id) = (old.account_id, object_id)
     order by 1`,
      [tenants.shop.accountId, formatTimestamp(api.clock.now())],
    );
    expect(objects.map(({ type }) => type)).toEqual(["deposit", "payout"]);
    const count = async () =>
      Promise.all(
        objects.map(async ({ type, wallet_id }) => {
          const { resources } = await get(`callback/?filter[wallet]=${wallet_id}`);
          return Number(resources.find(({ id }) => id === type)?.attributes["waiting"] ?? 0);
        }),
      );
    const before = await count();
    await fillCallbackWallets(database.db, new AbortController().signal);
    expect(await count()).toEqual(before.map((waiting) => waiting + 1));
    expect(await database.sql("select id from callback where wallet_id is null")).toEqual([]);
  });

  describe("visibility", () => {
    it("excludes objects of other accounts", async () => {
      const { resources } = await get("volume/?filter[direction]=deposit", tenants.stranger.token);
      const ether = resources.find(({ id }) => id === "volume-deposit-1002")!;
      expect(ether.attributes).toMatchObject({ count: 4, amount: "3.500000000000000000" });
      for (const path of ["volume", "fee", "confirmation-time"])
        expect(
          (
            await get(
              `${path}/?filter[wallet]=${tenants.shop.wallets.ether}`,
              tenants.stranger.token,
            )
          ).resources,
        ).toEqual([]);
      const theirs = await get("callback/", tenants.stranger.token);
      expect(theirs.resources.every(({ attributes }) => attributes["failed"] === 0)).toBe(true);
    });

    it("is limited to the wallets granted to a member", async () => {
      const { resources } = await get("volume/?filter[direction]=deposit", tenants.clerk.token);
      expect(resources.map(({ id, attributes }) => [id, attributes["amount"]])).toEqual([
        ["volume-deposit-1002", "4.500000000000000000"],
      ]);
      for (const path of ["volume", "fee", "confirmation-time", "callback"])
        expect([path, (await get(`${path}/`, tenants.newcomer.token)).resources]).toEqual([
          path,
          [],
        ]);
      const hidden = await get(
        `volume/?filter[wallet]=${tenants.shop.wallets.bitcoin}`,
        tenants.clerk.token,
      );
      expect(describeResponse(hidden)).toContain("400 5001");
      const created = (resources: readonly { attributes: Readonly<Record<string, unknown>> }[]) =>
        resources.reduce(
          (sum, { attributes }) =>
            sum +
            Number(attributes["delivered_at_once"]) +
            Number(attributes["delivered_later"]) +
            Number(attributes["failed"]) +
            Number(attributes["waiting"]),
          0,
        );
      const own = await get("callback/", tenants.clerk.token);
      const all = await get("callback/");
      expect(created(own.resources)).toBeGreaterThan(0);
      expect(created(own.resources)).toBeLessThan(created(all.resources));
    });

    it("is the same for every role", async () => {
      for (const { token } of Object.values(tenants.roles))
        expect((await get("volume/", token)).status).toBe(200);
    });
  });

  it.each([
    ["filter[from]=2020-01-01&filter[to]=2026-01-01", "filter[from]"],
    ["filter[from]=2026-01-01&filter[to]=2026-02-01&filter[bucket]=hour", "filter[from]"],
    ["filter[from]=2026-02-01&filter[to]=2026-01-01", "filter[to]"],
    ["filter[from]=yesterday", "filter[from]"],
    ["filter[bucket]=century", "filter[bucket]"],
    ["filter[planet]=1", "filter[planet]"],
  ])("reject %s", async (query, parameter) => {
    const answer = await get(`volume/?${query}`);
    expect([answer.status, answer.errors[0]?.source?.["parameter"]]).toEqual([400, parameter]);
  });

  it("accept 400 days and reject 401", async () => {
    const span = (to: string) => get(`volume/?filter[from]=2025-01-01&filter[to]=${to}`);
    expect((await span("2026-02-05")).status).toBe(200);
    expect((await span("2026-02-06")).status).toBe(400);
  });
});
