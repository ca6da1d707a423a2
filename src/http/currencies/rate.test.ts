/* The rate list over HTTP, with prices as a refresh publishes them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { createRateProviders } from "../../currencies/rates/create-rate-providers.ts";
import { createFetchText } from "../../currencies/rates/fetch-text.ts";
import { createRateList } from "../../currencies/rates/list-rates.ts";
import { refreshRates } from "../../currencies/rates/refresh-rates.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { startRateServer } from "../../sandbox/rate-server.ts";
import { createServer, type Server } from "../server/server.ts";
import { rateRoutes } from "./rate.ts";

type Resource = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> };
type Listed = {
  readonly data: readonly Resource[];
  readonly meta: { readonly pagination: { readonly count: number } };
};

const { db } = useDatabase();
const clock = manualClock("2026-01-02T03:04:05Z");
const registry = createRegistry(builtInCurrencies);

let server: Server;
beforeAll(async () => {
  const source = await startRateServer({ BTC: "50000", ETH: "2500", EUR: "1.25" }, 0n);
  const fetchText = createFetchText({ clock: systemClock });
  const providers = createRateProviders(source.sources, registry, fetchText, clock);
  await refreshRates({ db, providers, clock, logger: silentLogger }, new AbortController().signal);
  await source.close();
  server = createServer(
    {
      baseUrl: "http://sluice.test",
      clock,
      random: systemRandom,
      logger: silentLogger,
      authenticate: () =>
        Promise.resolve({
          accountId: "1",
          memberId: "1",
          credentialId: "1",
          role: "read_only",
          accountIsReady: true,
          wallets: "all",
        }),
      throttle: () =>
        Promise.resolve({
          isAllowed: true,
          limit: 10,
          remaining: 9,
          windowSeconds: 60,
          resetSeconds: 60,
        }),
      loaders: [],
    },
    rateRoutes({ rates: createRateList(db, registry, clock, () => 0n) }),
  );
});
afterAll(() => server.close());

async function get(path: string) {
  const response = await server.inject({ url: path, headers: { authorization: "Bearer x" } });
  return { status: response.statusCode, body: response.json<unknown>() };
}

async function list(query: string): Promise<Listed> {
  const { status, body } = await get(`/rates/?${query}`);
  expect(status).toBe(200);
  return body as Listed;
}

describe("GET /rates/", () => {
  it("returns one rate by the ids of its currencies", async () => {
    expect(await get("/rates/1000-840/")).toEqual({
      status: 200,
      body: {
        data: {
          type: "rate",
          id: "1000-840",
          attributes: {
            left: "BTC",
            right: "USD",
            bid: "50000.00000000",
            ask: "50000.00000000",
            exp: 8,
            created_at: "2026-01-02T03:04:05.000000Z",
            expired_at: "2026-01-02T03:05:05.000000Z",
          },
        },
      },
    });
  });

  it.each(["1000-1000", "1000-826", "1000", "840-", "BTC-USD", "1000-840-1"])(
    "returns 404 for /rates/%s/",
    async (id) => {
      expect((await get(`/rates/${id}/`)).status).toBe(404);
    },
  );

  it("filters by one or several codes and ids", async () => {
    for (const query of [
      "filter[left]=BTC&filter[right]=USD",
      "filter[left]=1000&filter[right]=840",
    ])
      expect((await list(query)).data.map(({ id }) => id)).toEqual(["1000-840"]);
    expect(
      (await list("filter[left]=ETH,BTC&filter[right]=840,EUR")).data.map(({ id }) => id),
    ).toEqual(["1000-840", "1000-978", "1002-840", "1002-978"]);
    expect((await list("filter[left]=NOPE")).data).toEqual([]);
  });

  it("lists every ordered pair of priced currencies once, in order, across pages", async () => {
    const priced = ["USD", "EUR", "BTC", "ETH", "ARB", "OPT", "ETH-BASE"].length;
    const { meta } = await list("");
    expect(meta.pagination.count).toBe(priced * (priced - 1));
    const walked: string[] = [];
    let next: string | null = "/rates/?page[after]=&page[size]=7";
    while (next !== null) {
      const { body } = await get(next);
      const page = body as Listed & { readonly links: { readonly next: string | null } };
      walked.push(...page.data.map(({ id }) => id));
      next = page.links.next === null ? null : page.links.next.replace("http://sluice.test", "");
    }
    expect(walked.length).toBe(priced * (priced - 1));
    expect(new Set(walked).size).toBe(walked.length);
    const byNumber = ([left = 0, right = 0]: readonly number[]) => left * 10 ** 8 + right;
    const places = walked.map((id) => byNumber(id.split("-").map(Number)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it("sorts by code and rejects unknown sort keys and filters", async () => {
    const { data } = await list("filter[right]=USD&sort=-left");
    expect(data.map(({ attributes }) => attributes["left"])).toEqual([
      "OPT",
      "EUR",
      "ETH-BASE",
      "ETH",
      "BTC",
      "ARB",
    ]);
    expect((await get("/rates/?sort=bid")).status).toBe(400);
    expect((await get("/rates/?filter[exp]=8")).status).toBe(400);
  });

  it("omits expired rates", async () => {
    clock.advance(60.000001);
    expect((await list("filter[left]=BTC")).data).toEqual([]);
    expect((await get("/rates/1000-840/")).status).toBe(404);
  });
});
