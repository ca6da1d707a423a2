/*
 * Each source is read from a recorded response (test/recorded) over the real HTTP client and a local server, then
 * from hostile variants.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { parseTimestamp } from "../../platform/kernel/timestamp.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type LocalServer, startLocalServer } from "../../sandbox/local-server.ts";
import { type RateSourceName, rateSources } from "./create-rate-providers.ts";
import { createFetchText } from "./fetch-text.ts";
import type { Quote } from "./quote.ts";

const recorded = (file: string) =>
  readFileSync(new URL(`../../../test/recorded/${file}`, import.meta.url), "utf8");

const answers: Readonly<Record<string, string>> = {
  "/v2/exchange-rates": recorded("coinbase.json"),
  "/0/public/Ticker": recorded("kraken.json"),
  "/api/v2/ticker/": recorded("bitstamp.json"),
  "/api/v3/simple/price": recorded("coingecko.json"),
  "/stats/eurofxref/eurofxref-daily.xml": recorded("ecb.xml"),
};

const symbols = [
  "BTC",
  "ETH",
  "DOGE",
  "ADA",
  "POL",
  "XLM",
  "XMR",
  "USDT",
  "EUR",
  "CHF",
  "GBP",
  "IDR",
];
const clock: Clock = {
  now: () => parseTimestamp("2024-03-25T09:00:00Z") as Instant,
  sleep: systemClock.sleep,
};
const neverAborts = new AbortController().signal;

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer(({ path }) => {
    const body = answers[path];
    return body === undefined ? { status: 404, body: "" } : { status: 200, body };
  });
});
afterAll(() => server.close());

function shown(quotes: ReadonlyMap<string, Quote>): readonly string[] {
  return [...quotes].map(
    ([symbol, { bid, ask }]) =>
      `${symbol} ${formatDecimal(bid, 18)} ${bid === ask ? "=" : formatDecimal(ask, 18)}`,
  );
}

function read(source: RateSourceName, fetchText: FetchText, baseUrl: string) {
  return rateSources[source].create(fetchText, { baseUrl, symbols }, clock).fetch(neverAborts);
}

describe("rate sources", () => {
  it.each<[RateSourceName, readonly string[]]>([
    [
      "coinbase",
      [
        "BTC 67275.029770871448974975 67275.029770871448974976",
        "ETH 3522.401292705732461331 3522.401292705732461332",
        "USDT 0.999649999999990018 0.999649999999990019",
        "EUR 1.084245906971701181 1.084245906971701182",
        "CHF 1.130901894260672886 1.130901894260672887",
        "IDR 0.000062990142042770 0.000062990142042771",
      ],
    ],
    [
      "kraken",
      [
        "BTC 67263.100000000000000000 67263.200000000000000000",
        "ETH 3522.400000000000000000 3522.410000000000000000",
        "DOGE 0.157150000000000000 0.157200900000000000",
        "ADA 0.452100000000000000 0.452310000000000000",
        "USDT 0.999650000000000000 0.999660000000000000",
        "EUR 1.084310000000000000 1.084400000000000000",
        "CHF 1.130710085933966530 1.131093767673340120",
      ],
    ],
    [
      "bitstamp",
      [
        "BTC 67262.000000000000000000 67264.000000000000000000",
        "ETH 3522.100000000000000000 3522.600000000000000000",
        "EUR 1.084290000000000000 1.084470000000000000",
      ],
    ],
    [
      "coingecko",
      [
        "BTC 67187.335893656600000000 =",
        "ETH 3521.200000000000000000 =",
        "POL 0.431200000000000000 =",
        "XLM 0.130000000000000000 =",
        "USDT 0.999741000000000000 =",
      ],
    ],
    [
      "ecb",
      [
        "EUR 1.082300000000000000 =",
        "GBP 1.257610969091331629 1.257610969091331630",
        "IDR 0.000063342775540780 0.000063342775540781",
      ],
    ],
  ])("reads %s exactly", async (source, expected) => {
    const fetchText = createFetchText({ clock: systemClock, timeoutMs: 60_000 });
    const quotes = await read(source, fetchText, server.url);
    expect(shown(quotes)).toEqual(expected);
  });

  const answering =
    (text: string): FetchText =>
    () =>
      Promise.resolve(text);

  it.each<[RateSourceName, string]>([
    ["coinbase", "not json"],
    ["coinbase", "null"],
    ["coinbase", '{"data":{"currency":"EUR","rates":{"BTC":"0.00001"}}}'],
    ["coinbase", '{"data":{"currency":"USD"}}'],
    ["kraken", '{"error":["EService:Unavailable"]}'],
    ["kraken", '{"error":[],"result":null}'],
    ["bitstamp", '{"status":"error"}'],
    ["coingecko", '"rate limited"'],
    ["ecb", "<html></html>"],
    ["ecb", recorded("ecb.xml").replace("2024-03-22", "2024-03-17")],
    ["ecb", recorded("ecb.xml").replace("2024-03-22", "2024-03-27")],
    ["ecb", recorded("ecb.xml").replace("2024-03-22", "2024-02-30")],
    ["ecb", recorded("ecb.xml").replace("'USD'", "'XXX'")],
  ])("rejects an unexpected response of %s: %s", async (source, text) => {
    await expect(read(source, answering(text), "http://source")).rejects.toThrow(Unavailable);
  });

  it.each(["-1", "0", "0.0", "NaN", "Infinity", "", " 1", "1,5", "0x10", "1e999", "9".repeat(61)])(
    "skips the price %j and keeps its neighbor",
    async (price) => {
      const rates = { BTC: price, ETH: "0.0004" };
      const text = JSON.stringify({ data: { currency: "USD", rates } });
      const quotes = await read("coinbase", answering(text), "http://source");
      expect(shown(quotes)).toEqual(["ETH 2500.000000000000000000 ="]);
    },
  );

  it.each([
    "null",
    "true",
    "[]",
    "{}",
    '{"b":[],"a":[]}',
    '{"b":["1"]}',
    '{"b":{"0":null},"a":"1"}',
  ])("skips the ticker %s", async (ticker) => {
    const text = `{"error":[],"result":{"XXBTZUSD":${ticker},"__proto__":{"XETHZUSD":{"a":["1"],"b":["1"]}}}}`;
    expect(shown(await read("kraken", answering(text), "http://source"))).toEqual([]);
  });

  it("reads a JSON number from its text, not through a double", async () => {
    const text = '{"bitcoin":{"usd":67187.335893656612345678},"stellar":{"usd":1.3e-7}}';
    expect(shown(await read("coingecko", answering(text), "http://source"))).toEqual([
      "BTC 67187.335893656612345678 =",
      "XLM 0.000000130000000000 =",
    ]);
  });
});
