import jsqr from "jsqr";
import { describe, expect, it } from "vitest";
import { createDrawQr } from "../deposits/checkout/draw-qr.ts";
import { parseDecimal } from "../platform/kernel/decimal.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { builtInCurrencies } from "./built-in-currencies.ts";
import type { Currency } from "./currency.ts";
import { paymentUri } from "./payment-uri.ts";
import { createRegistry } from "./registry.ts";

const currencies = createRegistry(builtInCurrencies);
const named = (alpha: string): Currency => currencies.byAlpha(alpha)!;
const account = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const usdt = named("USDT-ETH");
const contract = usdt.token!.contract;
const untagged = { tag: null, combined: null };

const rows: readonly (readonly [
  alpha: string,
  address: string,
  units: bigint | null,
  uri: string,
])[] = [
  ["BTC", "bc1qaddress", 100_000n, "bitcoin:bc1qaddress?amount=0.001"],
  ["BTC", "bc1qaddress", 200_000_000n, "bitcoin:bc1qaddress?amount=2"],
  ["BTC", "bc1qaddress", 1n, "bitcoin:bc1qaddress?amount=0.00000001"],
  ["BTC", "bc1qaddress", 2_100_000_000_000_000n, "bitcoin:bc1qaddress?amount=21000000"],
  ["BTC", "bc1qaddress", null, "bitcoin:bc1qaddress"],
  ["LTC", "ltc1qaddress", 150_000_000n, "litecoin:ltc1qaddress?amount=1.5"],
  ["DOGE", "Daddress", 10_000_000_000n, "dogecoin:Daddress?amount=100"],
  ["DASH", "Xaddress", 1_000n, "dash:Xaddress?amount=0.00001"],
  ["BCH", "qaddress", 10n, "bitcoincash:qaddress?amount=0.0000001"],
  ["BCH", "bitcoincash:qaddress", 10n, "bitcoincash:qaddress?amount=0.0000001"],
  ["BCH", "bchreg:qaddress", 10n, "bchreg:qaddress?amount=0.0000001"],
  ["ZEC", "t1address", 120n, "zcash:t1address?amount=0.0000012"],
  [
    "ETH",
    account,
    2_014_000_000_000_000_001n,
    `ethereum:${account}@1337?value=2014000000000000001`,
  ],
  ["ETH", account, null, `ethereum:${account}@1337`],
  [
    "USDT-ETH",
    account,
    1_500_000n,
    `ethereum:${contract}@1337/transfer?address=${account}&uint256=1500000`,
  ],
  ["USDT-ETH", account, null, `ethereum:${contract}@1337/transfer?address=${account}`],
  ["ALGO", "ADDRESS", 1_500_000n, "algorand://ADDRESS?amount=1500000"],
  ["ALGO", "ADDRESS", null, "algorand://ADDRESS"],
  ["USDC-ALGO", "ADDRESS", 5n, "algorand://ADDRESS?amount=5&asset=31566704"],
  ["USDC-ALGO", "ADDRESS", null, "algorand://ADDRESS?asset=31566704"],
  ["TON", "UQaddress", 1_500_000_000n, "ton://transfer/UQaddress?amount=1500000000"],
  ["TON", "UQaddress", null, "ton://transfer/UQaddress"],
  [
    "USDT-TON",
    "UQaddress",
    5n,
    "ton://transfer/UQaddress?amount=5&jetton=EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs",
  ],
  ["ADA", "addr1address", 1_500_000n, "web+cardano:addr1address?amount=1.5"],
  ["ADA", "addr1address", null, "web+cardano:addr1address"],
  ["XMR", "8address", 1_500_000_000_001n, "monero:8address?tx_amount=1.500000000001"],
  ["XMR", "8address", 20_000_000_000_000n, "monero:8address?tx_amount=20"],
  ["XMR", "8address", null, "monero:8address"],
  ["TRX", "Taddress", 5n, "Taddress"],
  ["USDT-OMNI", "1address", 5n, "1address"],
];

describe("paymentUri", () => {
  it.each(rows)("encodes a payment in %s to %s of %s units as %s", (alpha, address, units, uri) => {
    const currency = named(alpha);
    const evmChainId = currency.chain === "ETH" ? 1337 : null;
    expect(paymentUri({ currency, address, ...untagged, units, evmChainId })).toBe(uri);
  });

  it("falls back to the plain address without the network's id or the token's contract", () => {
    const request = { address: account, ...untagged, units: 5n };
    expect(paymentUri({ ...request, currency: named("ETH"), evmChainId: null })).toBe(account);
    expect(paymentUri({ ...request, currency: { ...usdt, token: null }, evmChainId: 1 })).toBe(
      account,
    );
  });

  /* SEP-7: the amount in whole units, the memo as a number. */
  it("names the memo and the asset of a payment on Stellar", () => {
    const address = "GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO";
    const issuer = "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN";
    const request = { address, tag: "1000000010", combined: "Maddress", evmChainId: null };
    expect(paymentUri({ ...request, currency: named("XLM"), units: 1_201_234_567n })).toBe(
      `web+stellar:pay?destination=${address}&amount=120.1234567&memo=1000000010&memo_type=MEMO_ID`,
    );
    expect(paymentUri({ ...request, currency: named("USDC-XLM"), units: null })).toBe(
      `web+stellar:pay?destination=${address}&asset_code=USDC&asset_issuer=${issuer}&memo=1000000010&memo_type=MEMO_ID`,
    );
  });

  it("names the comment of a payment on TON, escaped", () => {
    const request = { address: "UQaddress", combined: null, evmChainId: null };
    expect(paymentUri({ ...request, currency: named("TON"), tag: "1000000010", units: 5n })).toBe(
      "ton://transfer/UQaddress?amount=5&text=1000000010",
    );
    expect(paymentUri({ ...request, currency: named("TON"), tag: "a & b", units: null })).toBe(
      "ton://transfer/UQaddress?text=a%20%26%20b",
    );
  });

  it("names the tag of a payment in XRP by an address that contains it", () => {
    const request = { currency: named("XRP"), units: 5n, evmChainId: null };
    const classic = { ...request, address: "raddress", tag: "7" };
    expect(paymentUri({ ...classic, combined: "Xaddress" })).toBe("Xaddress");
    expect(paymentUri({ ...request, address: "Xaddress", tag: "7", combined: null })).toBe(
      "Xaddress",
    );
  });

  /** What a wallet reads: parsed with the standards' own grammars, without our code. */
  function read(uri: string): { currency: CurrencyId; address: string; units: bigint | null } {
    const evm = /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)(\/transfer)?(?:\?(.*))?$/.exec(uri);
    if (evm !== null) {
      const [, target = "", , transfer, query = ""] = evm;
      const members = new URLSearchParams(query);
      const amount = members.get(transfer === undefined ? "value" : "uint256");
      return {
        currency: transfer === undefined ? named("ETH").id : usdt.id,
        address: transfer === undefined ? target : (members.get("address") ?? ""),
        units: amount === null ? null : BigInt(amount),
      };
    }
    const url = new URL(uri);
    const alpha = { "bitcoin:": "BTC", "litecoin:": "LTC" }[url.protocol]!;
    const amount = url.searchParams.get("amount");
    const parsed = amount === null ? null : parseDecimal(amount, named(alpha).exp);
    return {
      currency: named(alpha).id,
      address: url.pathname,
      units: parsed?.kind === "units" ? parsed.units : null,
    };
  }

  /** The image as a camera sees it: black on white with a quiet zone, four pixels per module. */
  function scan(rows: readonly string[]): string | null {
    const scale = 4;
    const quiet = 4;
    const size = (rows.length + 2 * quiet) * scale;
    const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
    rows.forEach((row, y) => {
      row.split("").forEach((module, x) => {
        if (module === "0") return;
        for (let dy = 0; dy < scale; dy += 1)
          for (let dx = 0; dx < scale; dx += 1) {
            const at = ((quiet + y) * scale + dy) * size + (quiet + x) * scale + dx;
            pixels.fill(0, at * 4, at * 4 + 3);
          }
      });
    });
    return jsqr.default(pixels, size, size)?.data ?? null;
  }

  it.each([
    ["BTC", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", 123_456_789n],
    ["LTC", "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", 1n],
    ["ETH", account, 40_000_000_000_000_001n],
    ["USDT-ETH", account, 100_000_000n],
    ["USDT-ETH", account, null],
  ] as const)(
    "encodes a payment in %s to %s of %s units in a QR code that reads back unchanged",
    (alpha, address, units) => {
      const currency = named(alpha);
      const evmChainId = currency.chain === "ETH" ? 1337 : null;
      const uri = paymentUri({ currency, address, ...untagged, units, evmChainId });
      const rows = createDrawQr()(uri);
      expect(new Set(rows.map((row) => row.length))).toEqual(new Set([rows.length]));
      const scanned = scan(rows);
      expect(scanned).toBe(uri);
      expect(read(scanned!)).toEqual({ currency: currency.id, address, units });
    },
  );

  it("evicts the oldest QR codes from the cache", () => {
    const draw = createDrawQr();
    const first = draw("first");
    expect(draw("first")).toBe(first);
    for (let index = 0; index < 2_000; index += 1) {
      draw("first");
      draw(`${index}`);
    }
    expect(draw("first")).toBe(first);
  });
});
