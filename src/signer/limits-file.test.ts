import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fc } from "../../test/support/property.ts";
import { LimitsFault, parseLimits, readLimits } from "./limits-file.ts";

const valid = `{
  "chains": {
    "BTC": {
      "kinds": ["payout", "consolidation", "cold"],
      "fee_per_transaction": "2000000",
      "fees_per_day": "none",
      "cold": "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
      "currencies": {
        "1000": { "per_payout": "100000000", "per_hour": "500000000", "per_day": "none" }
      }
    },
    "ETH": { "fee_per_transaction": "none", "fees_per_day": "0", "currencies": "none" }
  }
}
`;

const faultsOf = (text: string): string[] => {
  try {
    parseLimits(text, "limits.json");
  } catch (error) {
    if (error instanceof LimitsFault) return error.message.split("\n");
    throw error;
  }
  return [];
};

describe("readLimits", () => {
  it("parses a valid file", () => {
    const limits = parseLimits(valid, "limits.json");
    if (limits === "none") throw new Error("limits are set");
    const bitcoin = limits.get("BTC")!;
    expect([...bitcoin.kinds]).toEqual(["payout", "consolidation", "cold"]);
    expect(bitcoin.feePerTransaction).toBe(2_000_000n);
    expect(bitcoin.feesPerDay).toBeNull();
    expect(bitcoin.cold).toBe("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
    expect(bitcoin.currencies?.get("1000")).toEqual({
      locator: null,
      perPayout: 100_000_000n,
      perHour: 500_000_000n,
      perDay: null,
    });
    const ether = limits.get("ETH")!;
    expect(ether.kinds.size).toBe(9);
    expect(ether).toMatchObject({ feesPerDay: 0n, cold: null, currencies: null });
    expect(parseLimits('"none"', "limits.json")).toBe("none");
  });

  it.each([
    [
      "a number instead of text",
      valid.replace('"2000000"', "2000000"),
      "5:30 chains.BTC.fee_per_transaction must be smallest units as text",
    ],
    [
      "a fraction",
      valid.replace('"100000000"', '"0.5"'),
      "9:33 chains.BTC.currencies.1000.per_payout must be smallest units",
    ],
    [
      "an unknown kind",
      valid.replace('"cold"]', '"loan"]'),
      "4:44 chains.BTC.kinds must be one of payout, ",
    ],
    [
      "kinds that are not a list",
      valid.replace('["payout", "consolidation", "cold"]', "{}"),
      "4:16 chains.BTC.kinds must be a list",
    ],
    [
      "an unknown member",
      valid.replace('"fees_per_day": "0"', '"fees_per_day": "0", "fee": "1"'),
      "12:66 chains.ETH.fee is not a known member",
    ],
    [
      "a missing member",
      valid.replace(', "per_day": "none"', ""),
      "9:17 chains.BTC.currencies.1000.per_day is missing",
    ],
    [
      "a repeated member",
      valid.replace('"ETH": {', '"ETH": { "fees_per_day": "9",'),
      "12:66 chains.ETH.fees_per_day is repeated",
    ],
    ["a repeated chain", valid.replace('"ETH"', '"BTC"'), "12:5 chains.BTC is repeated"],
    [
      "an alpha code instead of an id",
      valid.replace('"1000"', '"BTC"'),
      "9:9 chains.BTC.currencies.BTC is not a valid name",
    ],
    [
      "an address with a space",
      valid.replace('"bc1q', '"bc1 q'),
      "7:15 chains.BTC.cold must be an address or null",
    ],
    [
      "a malformed contract",
      valid.replace('"per_day": "none"', '"per_day": "none", "contract": "0x12"'),
      "9:102 chains.BTC.currencies.1000.contract must be a token's contract, issuer or id; after 0x, 40 hexadecimal digits",
    ],
    ["an array instead of an object", "[]", "1:1 must be an object"],
    ["another word than none", '"all"', "1:1 must be an object"],
    ["nothing", "", "1:1 ValueExpected"],
    ["an extra comma", '{ "chains": {}, }', "1:17 PropertyNameExpected"],
    ["broken syntax", valid.replace('"BTC": {', '"BTC" {'), "3:11 ColonExpected"],
  ])("reports %s with its position", (_name, text, expected) => {
    const faults = faultsOf(text);
    expect(faults[0]).toContain(`limits.json:${expected}`);
  });

  it("refuses two currencies with one contract, however it is spelled", () => {
    const entry = (contract: string) =>
      `{ "per_payout": "1", "per_hour": "1", "per_day": "1", "contract": "${contract}" }`;
    const currencies = `{ "2014": ${entry(`0x${"a".repeat(40)}`)}, "2015": ${entry(`0x${"A".repeat(40)}`)} }`;
    const faults = faultsOf(
      valid.replace('"0", "currencies": "none"', `"0", "currencies": ${currencies}`),
    );
    expect(faults).toEqual([
      "limits.json:12:80 chains.ETH.currencies.2015.contract is also the contract of 2014",
    ]);
  });

  it("reports all faults at once", () => {
    const faults = faultsOf(valid.replace('"none",\n', '"some",\n').replace('"0"', "0"));
    expect(faults).toHaveLength(2);
  });

  it("reports any other text as a fault and never throws another error", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          parseLimits(text, "limits.json");
        } catch (error) {
          expect(error).toBeInstanceOf(LimitsFault);
        }
      }),
    );
  });

  it("uses the default without a file, and signs nothing without either", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-limits-"));
    const path = join(folder, "limits.json");
    expect(await readLimits(path, "none")).toBe("none");
    expect(await readLimits(path, null)).toBeNull();
    await expect(readLimits(path, {})).rejects.toThrow("default limits:1:1 chains is missing");
    await writeFile(path, valid);
    expect((await readLimits(path, "none")) === "none").toBe(false);
    await writeFile(path, "{");
    await expect(readLimits(path, "none")).rejects.toThrow(LimitsFault);
    await rm(folder, { recursive: true });
  });
});
