/*
 * Monthly statements over HTTP, compared with the ledger's balances and with the payments and payouts themselves, which were moved into
 * several months.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeTwoTenants, type TwoTenants } from "../../../test/support/two-tenants.ts";
import { describeResponse, useWholeApi } from "../../../test/support/whole-api.ts";
import { newInternalPayout, postPayout } from "../../../test/support/whole-payouts.ts";
import { present } from "../../platform/kernel/assert.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";

const database = useDatabase();
const api = useWholeApi(database);
let tenants: TwoTenants;

beforeAll(async () => {
  tenants = await arrangeTwoTenants(api);
  const { token, wallets, accountId } = tenants.shop;
  await database.sql(
    `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
     values ($1::bigint, '1002', 'payout', 5000, 0, 0)`,
    [accountId],
  );
  const order = newInternalPayout(wallets.ether, wallets.merchant, "1002", { amount: "0.1" });
  expect(describeResponse(await postPayout(api, token, order))).toBe("201");
  // Whatever one payment or payout booked moves together; holds may be placed in one month and used in another.
  await database.sql(
    `update posting set created_at = (created_at at time zone 'UTC' - (abs(hashtext(cause)) % 3) * interval '40 days') at time zone 'UTC'
     where account_id = $1`,
    [accountId],
  );
  await database.sql(
    `update posting set created_at = (created_at at time zone 'UTC' - interval '40 days') at time zone 'UTC'
     where cause like 'payout:%' and debit like 'wallet/%/available'
       and credit like 'wallet/%/held'`,
  );
});

const get = (query: string, as = tenants.shop.token) =>
  api.ask({ method: "GET", path: `/monthly-statement/?page[size]=100${query}`, as });

type Row = Readonly<Record<string, bigint>> & { readonly wallet: bigint };
const amounts = [
  ...["opening_balance", "payments", "transfers_in", "refunds", "payouts", "fees"],
  ...["adjustments", "closing_balance"],
];
/** Statements with their amounts in units of 18 digits, oldest first. */
async function statements(query = ""): Promise<readonly Row[]> {
  const { resources } = await get(`&sort=id${query}`);
  return resources.map(({ attributes, relationships }) => ({
    ...Object.fromEntries(
      amounts.map((name) => {
        const parsed = parseDecimal(attributes[name] as string, 18);
        if (parsed.kind !== "units") throw new Error(`${name} is no amount`);
        return [name, parsed.units];
      }),
    ),
    wallet: BigInt(present(relationships["wallet"]?.data, "the wallet").id),
  }));
}

const total = (rows: readonly Row[], name: string): bigint =>
  rows.reduce((sum, row) => sum + (row[name] ?? 0n), 0n);

describe("/monthly-statement/", () => {
  it("adds up: each row by itself, each month with the next, and the last with the ledger's balance", async () => {
    const rows = await statements();
    const byWallet = Map.groupBy(rows, ({ wallet }) => wallet);
    expect(Math.max(...[...byWallet.values()].map((own) => own.length))).toBeGreaterThan(2);
    for (const own of byWallet.values())
      for (const [index, row] of own.entries()) {
        const change =
          total([row], "payments") +
          total([row], "transfers_in") -
          total([row], "refunds") -
          total([row], "payouts") -
          total([row], "fees") +
          total([row], "adjustments");
        expect(row["closing_balance"]).toBe((row["opening_balance"] ?? 0n) + change);
        expect(row["opening_balance"]).toBe(own[index - 1]?.["closing_balance"] ?? 0n);
      }
    const balances = await database.sql<{ wallet: string; units: bigint; currency: string }>(
      `select b.wallet_id as wallet, b.available + b.held - b.deficit as units, w.currency
       from wallet_balance b join wallet w on w.id = b.wallet_id where w.account_id = $1`,
      [tenants.shop.accountId],
    );
    expect(balances.filter(({ units }) => units > 0n).length).toBeGreaterThan(2);
    for (const { wallet, units, currency } of balances) {
      const exp = present(digits[currency], `digits of currency ${currency}`);
      expect([wallet, byWallet.get(BigInt(wallet))?.at(-1)?.["closing_balance"] ?? 0n]).toEqual([
        wallet,
        units * 10n ** (18n - exp),
      ]);
    }
  });

  it("sums payments, payouts and fees to those of the wallet's own records", async () => {
    const wallet = tenants.shop.wallets.ether;
    const rows = await statements(`&filter[wallet]=${wallet}`);
    const [records] = await database.sql<{ payments: bigint; payouts: bigint; fees: bigint }>(
      `select
         (select coalesce(sum(target_units), 0) from transfer t where t.wallet_id = $1 and t.disposition in ('credited', 'refunded')) as payments,
         (select coalesce(sum(paid_units), 0) from payout p where p.wallet_id = $1 and p.stage in ('included', 'confirmed', 'internal')) as payouts,
         (select coalesce(sum(fee_units + commission_units), 0) from payout p
          where p.wallet_id = $1 and p.stage in ('included', 'confirmed', 'internal')) as fees`,
      [wallet],
    );
    const { payments, payouts, fees } = present(records, "sums");
    expect([payments > 0n, payouts > 0n, fees > 0n]).toEqual([true, true, true]);
    const received = await statements(`&filter[wallet]=${tenants.shop.wallets.merchant}`);
    expect(total(received, "transfers_in")).toBeGreaterThan(0n);
    expect({
      payments: total(rows, "payments"),
      payouts: total(rows, "payouts") + total(rows, "refunds"),
      fees: total(rows, "fees"),
    }).toEqual({ payments, payouts, fees });
  });

  it("shows a span of months, of the caller's wallets only", async () => {
    const all = (await get("")).resources;
    const months = [...new Set(all.map(({ attributes }) => attributes["month"] as string))];
    expect(months).toEqual(months.toSorted().toReversed());
    const [newest = ""] = months;
    const one = (await get(`&filter[month_from]=${newest}&filter[month_to]=${newest}`)).resources;
    expect(one.map(({ id }) => id)).toEqual(
      all.filter(({ attributes }) => attributes["month"] === newest).map(({ id }) => id),
    );
    const ofClerk = (await get("", tenants.clerk.token)).resources;
    expect(new Set(ofClerk.map(({ relationships }) => relationships["wallet"]?.data?.id))).toEqual(
      new Set([tenants.shop.wallets.ether]),
    );
    const own = new Set(all.map(({ id }) => id.split("-").at(-1)));
    const ofStranger = (await get("", tenants.stranger.token)).resources;
    expect(ofStranger.filter(({ id }) => own.has(id.split("-").at(-1)))).toEqual([]);
  });

  it("counts a last month in the future as the current one, and finds nothing in months far from today", async () => {
    const newest = (await get("")).resources;
    const open = (await get("&filter[month_to]=9989-12")).resources;
    expect(open.map(({ id }) => id)).toEqual(newest.map(({ id }) => id));
    const [oldest = ""] = newest.map(({ attributes }) => attributes["month"] as string).toSorted();
    const since = (await get(`&filter[month_from]=${oldest}&filter[month_to]=9999-12`)).resources;
    expect(since).toEqual(newest);
    for (const query of [
      "&filter[month_from]=9989-01&filter[month_to]=9989-12",
      "&filter[month_from]=9990-01&filter[month_to]=9999-12",
      "&filter[month_to]=0000-05",
    ])
      expect([query, (await get(query)).resources]).toEqual([query, []]);
  });

  it("opens a span with the balance of the months before it", async () => {
    const all = await statements();
    const [month = ""] = (await get("")).resources.map(
      ({ attributes }) => attributes["month"] as string,
    );
    const newest = await statements(`&filter[month_from]=${month}`);
    expect(newest.some((row) => row["opening_balance"] !== 0n)).toBe(true);
    for (const row of newest)
      expect(all.filter(({ wallet }) => wallet === row.wallet).at(-1)).toEqual(row);
  });

  it("refuses months that are none, spans that end before they start, and wallets of others", async () => {
    for (const query of [
      "&filter[month_from]=2026-13",
      "&filter[month_from]=2026-02&filter[month_to]=2026-01",
      "&filter[month_from]=1990-01&filter[month_to]=2026-01",
    ])
      expect(describeResponse(await get(query))).toContain("400 1007");
    const hidden = await get(
      `&filter[wallet]=${tenants.shop.wallets.bitcoin}`,
      tenants.clerk.token,
    );
    expect(hidden.resources).toEqual([]);
    expect((await get(`&filter[wallet]=${tenants.stranger.wallets.ether}`)).resources).toEqual([]);
  });
});

const digits: Readonly<Record<string, bigint>> = {
  "1000": 8n,
  "1002": 18n,
  "2015": 6n,
  "2014": 6n,
  "840": 2n,
};
