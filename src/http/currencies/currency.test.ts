/* The currency list over HTTP: built-in records, requested by two accounts, one of which has a currency blocked. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  saveAccountCurrencyBlock,
  saveCurrencyState,
} from "../../currencies/currency-state.store.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { createFindAvailability } from "../../currencies/find-availability.ts";
import { createCurrencyList } from "../../currencies/list-currencies.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { createServer, type Server } from "../server/server.ts";
import { currencyLoader, currencyRoutes } from "./currency.ts";

type Resource = {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: { readonly parent: { readonly data: { readonly id: string } | null } };
};
type Listed = {
  readonly data: readonly Resource[];
  readonly included?: readonly Resource[];
  readonly meta: { readonly pagination: { readonly count: number; readonly pages: number } };
};

const { db, sql } = useDatabase();
const { currencies: records } = deploymentCurrencies({
  mainnetChains: new Set(["ETH"]),
  tokens: [],
  overrides: [],
});
const registry = createRegistry(records);
const currencies = createCurrencyList(
  db,
  registry,
  createFindAvailability({ enabled: new Set(["ETH"]), disabled: new Set() }),
);

let accounts: readonly string[];
let server: Server;
beforeAll(async () => {
  const rows = await sql<{ id: string }>(
    `insert into account (name, webhook_secret_sealed, created_at)
     select 'a', '', '2026-01-01Z' from generate_series(1, 2) returning id`,
  );
  accounts = rows.map((row) => row.id);
  server = createServer(
    {
      baseUrl: "http://sluice.test",
      clock: manualClock(),
      random: systemRandom,
      logger: silentLogger,
      authenticate: ({ authorization }) =>
        Promise.resolve({
          accountId: authorization ?? "",
          memberId: "1",
          credentialId: "1",
          role: "read_only",
          accountIsReady: true,
          wallets: new Map(),
        }),
      throttle: () =>
        Promise.resolve({
          isAllowed: true,
          limit: 10,
          remaining: 9,
          windowSeconds: 60,
          resetSeconds: 60,
        }),
      loaders: [currencyLoader({ currencies })],
    },
    currencyRoutes({ currencies }),
  );
});
afterAll(() => server.close());
beforeEach(() => sql("truncate currency_state, account_currency_block"));

async function get(path: string, account = accounts[0]!) {
  const response = await server.inject({ url: path, headers: { authorization: account } });
  return { status: response.statusCode, body: response.json<unknown>() };
}

async function list(query: string, account?: string): Promise<Listed> {
  const { status, body } = await get(`/currency/?${query}`, account);
  expect(status).toBe(200);
  return body as Listed;
}

const idsOf = ({ data }: Listed) => data.map(({ id }) => id);

describe("GET /currency/", () => {
  it("lists every currency by id, ten per page", async () => {
    const { data, meta } = await list("");
    expect(data.length).toBe(10);
    expect(data[0]?.id).toBe("32");
    expect(meta.pagination).toEqual({ page: 1, pages: Math.ceil(82 / 10), count: 82 });
    const all = await list("page[size]=100");
    expect(idsOf(all)).toEqual(records.map(({ id }) => id));
  });

  it("returns one currency with all attributes, with and without the trailing slash", async () => {
    for (const path of ["/currency/2015/", "/currency/2015"])
      expect(await get(path)).toEqual({
        status: 200,
        body: {
          data: {
            type: "currency",
            id: "2015",
            attributes: {
              iso: 2015,
              name: "Tether USD",
              alpha: "USDT-ETH",
              alias: null,
              exp: 6,
              confirmation_blocks: 12,
              minimal_transfer_amount: "1.000000",
              block_delay: 12,
              blockchain_name: "Ethereum",
              tags: ["stablecoin", "erc-20"],
            },
            relationships: { parent: { data: { type: "currency", id: "1002" } } },
          },
        },
      });
  });

  it.each(["/currency/9999/", "/currency/USDT-ETH/", "/currency/02015/"])(
    "returns 404 for %s",
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it.each([
    ["filter[alpha]=BTC", ["1000"]],
    ["filter[alias]=USDT", ["2065"]],
    ["filter[id]=840", ["840"]],
    ["filter[iso]=840", ["840"]],
    ["filter[name]=tETHER&filter[chain]=ETH", ["2015"]],
    ["filter[parent]=1002", ["2014", "2015", "2068"]],
    ["filter[blockchain_name]=smart", ["1125", "2065", "2102"]],
    ["filter[tag]=memo", ["1021"]],
    ["filter[chain]=ETH&filter[is_available]=true", ["1002", "2014", "2015", "2068"]],
    ["filter[chain]=ETH&sort=-alpha", ["2015", "2014", "1002", "2068"]],
    ["filter[alpha]=NOPE", []],
  ])("filters by %s", async (query, ids) => {
    expect(idsOf(await list(query))).toEqual(ids);
  });

  it.each([
    "filter[id]=01",
    "filter[alpha]=",
    "filter[nope]=1",
    "sort=exp",
    "filter[is_available]=2",
  ])("rejects %s", async (query) => {
    expect((await get(`/currency/?${query}`)).status).toBe(400);
  });

  it("includes the parent coin", async () => {
    const { included } = await list("filter[alpha]=USDT-ETH&include=parent");
    expect(included?.map(({ id }) => id)).toEqual(["1002"]);
  });

  it("shows availability for the requesting account, at once", async () => {
    const isAvailable = async (alpha: string, account: string) => {
      const listBy = (value: boolean) =>
        list(`filter[alpha]=${alpha}&filter[is_available]=${value}`, account);
      const [there, away] = [await listBy(true), await listBy(false)];
      expect(there.data.length + away.data.length).toBe(1);
      return there.data.length === 1;
    };
    const [one, other] = [accounts[0]!, accounts[1]!];
    expect(await isAvailable("BTC", one)).toBe(false);
    expect(await isAvailable("USDC-BSC", one)).toBe(false);
    expect(await isAvailable("ETH", one)).toBe(true);
    await saveAccountCurrencyBlock(db, one, "1002", true);
    expect(await isAvailable("ETH", one)).toBe(false);
    expect(await isAvailable("ETH", other)).toBe(true);
    await saveCurrencyState(db, "1002", {
      isDisabled: true,
      isUnavailable: false,
      isUnpaid: false,
    });
    expect(await isAvailable("ETH", other)).toBe(false);
  });
});
