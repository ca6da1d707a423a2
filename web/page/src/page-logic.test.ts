/** Tests the page's pure functions: order of states, clocks, durations, groups, keys, QR codes and links. */
import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import type {
  CheckoutChoice,
  CheckoutPayment,
  CheckoutState,
} from "../../../src/deposits/checkout/checkout-state.ts";
import { type Accepted, acceptState } from "./accept-state.ts";
import { chunkAddress } from "./chunk-address.ts";
import { markOf, networkSymbol } from "./coin-marks.ts";
import { formatDuration } from "./format-duration.ts";
import { groupChoices } from "./group-choices.ts";
import { isFinal } from "./is-final.ts";
import { moveChoice } from "./move-choice.ts";
import { qrPath, quietZone } from "./qr-path.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { safeLink } from "./safe-link.ts";
import { clockOffsetMs, refineOffsetMs, remainingMs } from "./server-clock.ts";

const state: CheckoutState = {
  id: "7b0c4f54-12b5-4a7e-9d15-9f2d1f0a2c11",
  version: "a",
  stage: "waiting",
  reason: null,
  isSandbox: false,
  shop: null,
  embedders: [],
  brand: { logo: null, accents: null },
  order: null,
  description: null,
  receipt: { isShown: true, note: null, isMailed: false },
  helpEmail: null,
  redirect: null,
  price: { amount: "10.00", code: "EUR", precision: 2 },
  choices: null,
  payment: null,
  arrivals: [],
  expiresAt: "2026-01-01T00:15:00.000000Z",
  now: "2026-01-01T00:00:00.000000Z",
  refund: { isAsked: false, tagType: null, address: null, tag: null },
};

/** Accepts states one after the other: version, second of the server's clock, and the count at which it was requested. */
function acceptAll(
  ...received: readonly (readonly [string, number, (number | null)?])[]
): Accepted {
  const nothing: Accepted = { state: null, serverNow: null, count: 0, needsReload: false };
  return received.reduce<Accepted>((accepted, [version, second, requestedAt = null]) => {
    const now = `2026-01-01T00:00:${String(second).padStart(2, "0")}.000000Z`;
    return acceptState(accepted, { ...state, version, now }, requestedAt);
  }, nothing);
}
/** The version shown, with `?` if it needs a reload. */
const shownVersion = ({ state: shown, needsReload }: Accepted): string =>
  `${shown?.version ?? ""}${needsReload ? "?" : ""}`;

describe("acceptState", () => {
  it.each<readonly [string, string, readonly (readonly [string, number, (number | null)?])[]]>([
    [
      "shows a newer event",
      "b",
      [
        ["a", 0],
        ["b", 1],
      ],
    ],
    [
      "needs a reload after an older event",
      "b?",
      [
        ["b", 1],
        ["a", 0],
      ],
    ],
    [
      "shows a response requested after the current state arrived, even if its clock is behind",
      "b",
      [
        ["a", 9],
        ["b", 0, 1],
      ],
    ],
    [
      "needs a reload after a response that was overtaken, even if its clock is ahead",
      "b?",
      [
        ["a", 0],
        ["b", 1],
        ["a", 9, 1],
      ],
    ],
    [
      "is settled by a later request",
      "b",
      [
        ["a", 0],
        ["b", 1],
        ["a", 9, 1],
        ["b", 2, 3],
      ],
    ],
    [
      "is not settled by an earlier request",
      "b?",
      [
        ["b", 1],
        ["a", 0],
        ["b", 2, 1],
      ],
    ],
    [
      "is not settled by an event",
      "c?",
      [
        ["b", 1],
        ["a", 0],
        ["c", 2],
      ],
    ],
    [
      "ignores an overtaken response with the same version",
      "b",
      [
        ["a", 0],
        ["b", 1],
        ["b", 2, 1],
      ],
    ],
    [
      "remembers the server time of an unchanged state",
      "b?",
      [
        ["b", 1],
        ["b", 5],
        ["a", 3],
      ],
    ],
  ])("%s: %s", (_, shown, received) => {
    expect(shownVersion(acceptAll(...received))).toBe(shown);
  });

  it("keeps the object of an unchanged state and ignores another payment's state", () => {
    const first = acceptAll(["a", 0]);
    expect(acceptState(first, { ...state, version: "a" }, null).state).toBe(first.state);
    expect(acceptState(first, { ...state, version: "b", id: "another" }, null)).toBe(first);
  });
});

describe("server clock", () => {
  it("counts down by the server's clock, independent of the device's clock", () => {
    const deviceNow = Date.parse("2031-05-05T12:00:00Z");
    const offset = clockOffsetMs(state.now, deviceNow);
    expect(remainingMs(state.expiresAt, deviceNow, offset)).toBe(15 * 60_000);
    expect(remainingMs(state.expiresAt, deviceNow + 60_000, offset)).toBe(14 * 60_000);
    expect(remainingMs(state.expiresAt, deviceNow + 3_600_000, offset)).toBe(0);
    expect(remainingMs(null, deviceNow, offset)).toBeNull();
  });

  it("ignores a slow response unless it contradicts the known offset", () => {
    const arrived = Date.parse(state.now);
    const closer = (knownMs: number, askedMs: number | null) =>
      refineOffsetMs(knownMs, state.now, askedMs, arrived);
    expect(closer(-3_000, null)).toBe(0);
    expect(closer(3_000, null)).toBe(3_000);
    expect(closer(3_000, arrived - 5_000)).toBe(3_000);
    expect(closer(3_000, arrived - 2_000)).toBe(0);
    expect(closer(-3_000, arrived - 2_000)).toBe(0);
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "en", "0:00"],
    [1, "en", "0:01"],
    [59_001, "en", "1:00"],
    [245_000, "en", "4:05"],
    [3_845_000, "de", "1:04:05"],
    [3 * 86_400_000 + 5_000, "en", "3 days"],
    [3 * 86_400_000, "de", "3 Tage"],
  ])("formats %i ms in %s as %s", (ms, locale, shown) => {
    expect(formatDuration(ms, locale)).toBe(shown);
  });
});

describe("chunkAddress", () => {
  it.each([
    ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x7099", "79C8"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bc1q", "t4"],
    ["bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "bitcoincash:qpm2", "6a"],
  ])("splits %s into groups that join to the same address", (address, first, last) => {
    const chunks = chunkAddress(address);
    expect(chunks.join("")).toBe(address);
    expect([chunks[0], chunks.at(-1)]).toEqual([first, last]);
  });
});

const choice = (code: string, name: string, chain: string, chainName: string): CheckoutChoice => ({
  currency: code,
  code,
  name,
  chain,
  chainName,
  isSimulated: false,
  amount: null,
  minimum: "0.1",
  unavailable: null,
});
const choices = [
  choice("BTC", "Bitcoin", "BTC", "Bitcoin"),
  choice("USDT-ETH", "Tether", "ETH", "Ethereum"),
  choice("ETH", "Ether", "ETH", "Ethereum"),
  choice("USDT-MATIC", "Tether", "MATIC", "Polygon PoS"),
];
const grouped = (search: string): readonly string[] =>
  groupChoices(choices, search).map(
    (group) => `${group.symbol}: ${group.choices.map(({ code }) => code).join(" ")}`,
  );

describe("groupChoices", () => {
  it("groups by symbol and matches the words of currency and network", () => {
    expect(grouped("")).toEqual(["BTC: BTC", "USDT: USDT-ETH USDT-MATIC", "ETH: ETH"]);
    expect(grouped("  tether POLY ")).toEqual(["USDT: USDT-MATIC"]);
    expect(grouped("usdt eth")).toEqual(["USDT: USDT-ETH"]);
    expect(grouped("doge")).toEqual([]);
  });
});

describe("moveChoice", () => {
  it.each([
    ["ArrowDown", -1, 4, 0],
    ["ArrowDown", 3, 4, 0],
    ["ArrowUp", -1, 4, 3],
    ["ArrowUp", 2, 4, 1],
    ["PageDown", 1, 4, 3],
    ["PageUp", 2, 4, 0],
    ["a", 2, 4, null],
    ["ArrowDown", -1, 0, null],
  ])("returns for %s at %i of %i: %s", (key, active, count, next) => {
    expect(moveChoice(key, active, count)).toBe(next);
  });
});

describe("qrPath", () => {
  it("draws exactly the dark modules inside the quiet zone", () => {
    const rows = encode("bitcoin:bc1q?amount=0.1", { border: 0 }).data.map((row) =>
      row.map((isDark) => (isDark ? "1" : "0")).join(""),
    );
    const drawn = rows.map((row) => row.split("").map(() => "0"));
    for (const [, x = "", y = "", run = ""] of qrPath(rows).matchAll(
      /M(\d+) (\d+)h(\d+)v1h-\d+z/g,
    )) {
      for (let step = 0; step < Number(run); step += 1)
        drawn[Number(y) - quietZone]![Number(x) - quietZone + step] = "1";
    }
    expect(drawn.map((row) => row.join(""))).toEqual(rows);
  });
});

describe("retryDelayMs", () => {
  it("doubles the delay up to 30 seconds and respects Retry-After", () => {
    expect([1, 2, 3, 6, 20].map((failures) => retryDelayMs(failures, 0, null))).toEqual([
      1_000, 2_000, 4_000, 30_000, 30_000,
    ]);
    expect(retryDelayMs(1, 0.999, null)).toBe(1_500);
    expect(retryDelayMs(1, 0.5, 60_000)).toBe(60_000);
  });
});

describe("safeLink", () => {
  it("accepts http and https URLs only", () => {
    expect(safeLink("https://shop.example/a?b=c")).toBe("https://shop.example/a?b=c");
    expect(safeLink("http://shop.example")).toBe("http://shop.example/");
    for (const url of ["javascript:alert(1)", "data:text/html,x", "//shop.example", ""])
      expect(safeLink(url)).toBeNull();
  });
});

describe("isFinal", () => {
  it("is true for a paid state, and for an expired one after the grace period", () => {
    const isOver = (shown: Partial<CheckoutState>, at = "00:00"): boolean =>
      isFinal({ ...state, ...shown }, Date.parse(`2026-01-01T${at}:00.000000Z`));
    expect(isOver({})).toBe(false);
    expect(isOver({ stage: "paid" })).toBe(true);
    expect(isOver({ stage: "expired" }, "00:20")).toBe(false);
    expect(isOver({ stage: "expired" }, "00:50")).toBe(true);
    expect(isOver({ stage: "unresolved" }, "00:50")).toBe(false);
    const open = { requested: null } as CheckoutPayment;
    expect(isOver({ stage: "paid", price: null, payment: open })).toBe(false);
  });
});

describe("coin marks", () => {
  it("returns a stable icon for every symbol", () => {
    expect(markOf("NOVEL")).toEqual(markOf("NOVEL"));
    expect(markOf("toString").color).toMatch(/^#/);
    expect(networkSymbol("BNB-BSC")).toBe("BNB");
    expect(networkSymbol("ETH-BASE")).toBe("BASE");
  });
});
