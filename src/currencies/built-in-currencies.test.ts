import { StrKey } from "@stellar/stellar-sdk";
import { Address } from "@ton/core";
import { isAddress } from "viem/utils";
import { describe, expect, it } from "vitest";
import { builtInCurrencies } from "./built-in-currencies.ts";
import { findChain } from "./chains.ts";
import { createRegistry } from "./registry.ts";
import { canonicalTronAddress } from "./tron-address.ts";

const registry = createRegistry(builtInCurrencies);

/** Id, alpha code, alias and precision as spec/decisions.md defines them; a change here breaks every integrator. */
const settled = `
  1000 BTC - 8
  1002 ETH - 18
  1003 LTC - 8
  1005 DASH - 8
  1006 BCH - 8
  1007 XMR - 12
  1010 XRP - 6
  1018 ADA - 6
  1019 DOGE - 8
  1020 ZEC - 8
  1021 XLM - 7
  1026 TRX - 6
  1125 BNB-BSC BNB 18
  2005 USDT-OMNI - 8
  2014 USDC-ETH - 6
  2015 USDT-ETH - 6
  2068 DAI-ETH - 18
  2102 USDC-BSC - 18
  2065 BUSD-T-BSC USDT 18
  2142 USDC-TRX - 6
  2145 USDT-TRX - 6
  1140 TON GRAM 9
  1141 ALGO - 6
  1142 AVAX - 18
  1143 ARB - 18
  1144 OPT - 18
  1145 ETH-BASE - 18
  1146 MATIC POL 18
  2900 USDT-MATIC - 6
  2901 USDC-MATIC - 6
  2902 USDT-ARB - 6
  2903 USDC-ARB - 6
  2904 USDT-OPT - 6
  2905 USDC-OPT - 6
  2906 USDT-AVAX - 6
  2907 USDC-AVAX - 6
  2908 USDC-ETH-BASE - 6
  2909 USDT-TON - 6
  2910 USDC-XLM - 7
  2911 USDC-ALGO - 6
  840 USD - 2
  978 EUR - 2
  826 GBP - 2`;

describe("built-in currencies", () => {
  it("have the specified ids, codes, aliases and precisions", () => {
    for (const line of settled.trim().split("\n")) {
      const [id = "", alpha = "", alias = "", exp = ""] = line.trim().split(" ");
      expect(registry.byAlpha(alpha)).toMatchObject({
        id,
        alias: alias === "-" ? null : alias,
        exp: Number(exp),
      });
    }
  });

  it("use ISO 4217 numbers as fiat ids and higher numbers for everything else", () => {
    for (const currency of builtInCurrencies) {
      expect(currency.id).toMatch(/^[1-9][0-9]{0,7}$/);
      expect(Number(currency.id) < 1000).toBe(currency.kind === "fiat");
      if (currency.kind === "fiat") expect(currency.alpha).toMatch(/^[A-Z]{3}$/);
    }
  });

  it("name a chain for every coin and token, and the fee coin for every token", () => {
    for (const currency of builtInCurrencies.filter(({ kind }) => kind !== "fiat")) {
      expect(findChain(currency.chain ?? "")).not.toBeNull();
      const parent = currency.parent === null ? null : registry.get(currency.parent);
      expect(parent?.kind ?? null).toBe(currency.kind === "token" ? "coin" : null);
      if (currency.kind === "coin") expect(currency.alpha).toBe(currency.chain);
      expect(currency.confirmationBlocks).toBeGreaterThan(0);
      expect(currency.minimalTransferUnits).toBeGreaterThan(0n);
      expect(currency.blockDelay).toBeGreaterThan(0);
    }
  });

  it("have contracts with a valid checksum, EIP-55, base58check, base32 or CRC-16", () => {
    const contracts = builtInCurrencies.flatMap(({ token }) => token?.contract ?? []);
    const [ethereums, others] = [true, false].map((isHex) =>
      contracts.filter((contract) => contract.startsWith("0x") === isHex),
    );
    const [tether = "", toncoin = "", stellar = "", algorand = "", ...more] = others ?? [];
    expect(canonicalTronAddress(tether)).toBe("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
    const [code, issuer = ""] = stellar.split(":");
    expect([code, StrKey.isValidEd25519PublicKey(issuer), more]).toEqual(["USDC", true, []]);
    expect(Address.isFriendly(toncoin)).toBe(true);
    expect(algorand).toMatch(/^\d+$/);
    expect(ethereums?.length).toBe(14);
    for (const contract of ethereums ?? []) {
      expect(contract).toMatch(/[A-F]/);
      expect(isAddress(contract, { strict: true })).toBe(true);
    }
  });

  it("have UTXO minimums above the dust limit of a P2PKH output", () => {
    const dust = { BTC: 546n, LTC: 5_460n, BCH: 546n, DASH: 546n, DOGE: 1_000_000n, ZEC: 10_000n };
    for (const [alpha, units] of Object.entries(dust))
      expect(registry.byAlpha(alpha)?.minimalTransferUnits).toBeGreaterThan(units);
  });
});
