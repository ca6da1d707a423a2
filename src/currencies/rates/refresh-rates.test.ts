/* From source to deposit rate: the real providers fetch two local sources over HTTP, at times that the test chooses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Clock, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type RateServer, startRateServer } from "../../sandbox/rate-server.ts";
import { builtInCurrencies } from "../built-in-currencies.ts";
import { createRegistry } from "../registry.ts";
import { createFindRate } from "./create-find-rate.ts";
import { createRateProviders } from "./create-rate-providers.ts";
import { createFetchText } from "./fetch-text.ts";
import type { RateProvider } from "./provider.ts";
import { refreshRates } from "./refresh-rates.ts";

const { db, sql } = useDatabase();
const registry = createRegistry(builtInCurrencies);
const id = (alpha: string) => present(registry.byAlpha(alpha), alpha).id;

let now = instantFromSeconds(1_800_000_000);
const clock: Clock = { now: () => now, sleep: systemClock.sleep };
const pass = (seconds: number) => {
  now = addSeconds(now, seconds);
};

let server: RateServer;
beforeAll(async () => {
  server = await startRateServer(
    {
      BTC: "50000",
      ETH: "2500",
      EUR: "1.25",
      JPY: "0.00625",
      USDT: "0.998",
    },
    0n,
  );
});
afterAll(() => server.close());
beforeEach(async () => {
  server.setAnswering(true);
  await sql("truncate rate_quote, rate_source_quote");
});

const { findRate } = createFindRate(db, registry, clock, () => 0n);
const fetchText = createFetchText({ clock: systemClock, timeoutMs: 60_000 });

function refresh(
  providers = createRateProviders(server.sources, registry, fetchText, clock),
): ReturnType<typeof refreshRates> {
  const context = { db, providers, clock, logger: silentLogger };
  return refreshRates(context, new AbortController().signal);
}

/** The rate as text. Advances the clock by a second first, past the process's cache. */
async function rate(left: string, right: string): Promise<string | null> {
  pass(1);
  const found = await findRate(id(left), id(right));
  return found === null ? null : formatDecimal(found.bid.units, found.bid.exp);
}

describe("refreshRates", () => {
  it("publishes the rate of every pair", async () => {
    expect(await rate("BTC", "USD")).toBeNull();
    expect(await refresh()).toEqual({
      answered: ["kraken", "bitstamp"],
      failed: [],
      published: 5,
      withheld: 0,
    });
    expect(await rate("BTC", "USD")).toBe("50000.00000000");
    expect(await rate("BTC", "EUR")).toBe("40000.00000000");
    expect(await rate("USDT-TRX", "USD")).toBe("0.99800000");
    expect(await rate("JPY", "USD")).toBe("0.0062500000");
    expect(await rate("USD", "BTC")).toBe("0.000020000000");
    expect(await rate("LTC", "USD")).toBeNull();
  });

  it("prices ether equally on every chain, and equal currencies at one", async () => {
    await refresh();
    for (const alpha of ["ETH", "ARB", "OPT", "ETH-BASE"])
      expect(await rate(alpha, "USD")).toBe("2500.00000000");
    expect(await rate("ARB", "ETH")).toBe("1");
    expect(await rate("USDT-ETH", "USDT-TRX")).toBe("1");
    server.setAnswering(false);
    pass(3_600);
    expect(await rate("ETH", "ETH")).toBe("1");
  });

  it("keeps a rate for two refreshes after its sources stop responding", async () => {
    await refresh();
    const fetchedAt = now;
    server.setAnswering(false);
    pass(30);
    expect(await refresh()).toMatchObject({ answered: [], failed: ["kraken", "bitstamp"] });
    expect(await rate("BTC", "USD")).toBe("50000.00000000");
    expect((await findRate(id("BTC"), id("USD")))?.expiresAt).toBe(addSeconds(fetchedAt, 60));
    now = addSeconds(fetchedAt, 60.000001);
    expect(await rate("BTC", "USD")).toBeNull();
    server.setAnswering(true);
    await refresh();
    expect(await rate("BTC", "USD")).toBe("50000.00000000");
  });

  it("follows a moving price and lets a delisted one expire", async () => {
    await refresh();
    server.setPrice("ETH", "5000");
    server.setPrice("BTC", null);
    pass(30);
    await refresh();
    expect(await rate("ETH", "USD")).toBe("5000.00000000");
    expect(await rate("BTC", "USD")).toBe("50000.00000000");
    pass(30);
    await refresh();
    expect(await rate("BTC", "USD")).toBeNull();
    server.setPrice("ETH", "2500");
    server.setPrice("BTC", "50000");
  });

  it("reads the database once per second, however many callers ask", async () => {
    let reads = 0;
    const { findRate: counted } = createFindRate(
      { query: (...statement) => ((reads += 1), db.query(...statement)) },
      registry,
      clock,
      () => 0n,
    );
    await refresh();
    await Promise.all([1, 2, 3].map(() => counted(id("BTC"), id("USD"))));
    pass(0.9);
    await counted(id("ETH"), id("USD"));
    expect(reads).toBe(1);
    pass(0.1);
    await counted(id("ETH"), id("USD"));
    expect(reads).toBe(2);
  });

  it("widens the rate of a pair with a margin on both sides, and no other pair", async () => {
    const { findRate: wide } = createFindRate(db, registry, clock, (left, right) =>
      left.alpha === "ETH" && right.alpha === "USD" ? 10_000n : 0n,
    );
    await refresh();
    expect(await wide(id("ETH"), id("USD"))).toMatchObject({
      bid: { units: 2475_00000000n, exp: 8 },
      ask: { units: 2525_00000000n, exp: 8 },
    });
    expect((await wide(id("BTC"), id("USD")))?.bid).toEqual({ units: 50000_00000000n, exp: 8 });
  });

  it("ignores a source that is no longer configured", async () => {
    await sql(
      `insert into rate_source_quote (source, symbol, bid, ask, fetched_at) values ('gone', 'BTC', $1, $1, to_timestamp($2))`,
      [10n ** 18n, now / 1_000_000],
    );
    await refresh();
    expect(await rate("BTC", "USD")).toBe("50000.00000000");
  });

  it("asks for fixings once an hour, whichever worker does, and says since when it has them", async () => {
    const answers: boolean[] = [];
    let isAway = false;
    const euro = { bid: 11n * 10n ** 17n, ask: 11n * 10n ** 17n };
    const fixings: RateProvider = {
      name: "ecb",
      fixingSeconds: 3_600,
      fetch: () => {
        answers.push(!isAway);
        if (isAway) return Promise.reject(new Unavailable("ecb", "no answer"));
        return Promise.resolve(new Map([["EUR", euro]]));
      },
    };
    const heardAt = async () =>
      (
        await sql<{ at: bigint }>(
          "select extract(epoch from max(fetched_at))::bigint as at from rate_source_quote",
        )
      )[0]?.at;
    const firstAt = BigInt(Math.floor(now / 1_000_000));
    expect(await refresh([fixings])).toMatchObject({ answered: ["ecb"], failed: [] });
    pass(3_599);
    expect(await refresh([fixings])).toMatchObject({ answered: [], failed: [], published: 1 });
    expect(String(await heardAt())).toBe(String(firstAt));
    expect(await rate("EUR", "USD")).toBe("1.10000000");
    expect(await refresh([fixings])).toMatchObject({ answered: ["ecb"] });
    expect(answers).toEqual([true, true]);
    isAway = true;
    pass(3_600);
    expect(await refresh([fixings])).toMatchObject({ answered: [], failed: ["ecb"] });
    expect(await rate("EUR", "USD")).toBe("1.10000000");
    pass(60);
    await refresh([fixings]);
    expect(await rate("EUR", "USD")).toBeNull();
  });

  it("publishes the same prices from two workers that refresh at once", async () => {
    await Promise.all([refresh(), refresh(), refresh()]);
    expect(await sql("select symbol, sources from rate_quote order by symbol")).toEqual(
      ["BTC", "ETH", "EUR", "JPY", "USDT"].map((symbol) => ({ symbol, sources: 2 })),
    );
  });

  it("replaces prices dated in the future, before a clock was set back, in the next round", async () => {
    pass(86_400);
    await refresh();
    pass(-86_400);
    await refresh();
    expect(await rate("BTC", "USD")).not.toBeNull();
    pass(200);
    expect(await rate("BTC", "USD")).toBeNull();
  });
});
