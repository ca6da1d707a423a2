import { describe, expect, it } from "vitest";
import { bitcoin, litecoin } from "../../../test/support/known-chains.ts";
import { money } from "../../platform/kernel/money.ts";
import type { Coin, FeeQuote } from "../paying-port.ts";
import { quotePayment } from "./quote-payment.ts";
import type { UtxoChain } from "./utxo-chain.ts";

describe("quotePayment", () => {
  /* Quoted fees, with coins that suffice and coins that do not, and the quotes' warnings. */

  const rates = { relay: 1_000n, increment: 1_000n, low: 1_000n, medium: 5_000n, high: 20_000n };
  const bech32 = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
  const change = { address: bech32, addressType: "bech32", keyIndex: 3 };

  function coin(units: bigint, addressType = "bech32", vout = 0): Coin {
    return { claim: `${"ab".repeat(32)}:${vout}`, units, addressType, branch: 0, keyIndex: 1 };
  }

  function quote(
    units: bigint,
    coins: readonly Coin[],
    { balance = 10n ** 12n, address = bech32 }: { balance?: bigint; address?: string } = {},
  ): FeeQuote {
    const destination = { address, addressType: "bech32", tag: null };
    const payment = { destination, amount: money(units, bitcoin.currency) };
    const funds = { kind: "coins" as const, coins, change };
    return quotePayment(bitcoin, bitcoin.networks.main, rates, { payment, funds, balance });
  }

  it("quotes 141 virtual bytes for one coin, one payment and change", () => {
    expect(quote(100_000n, [coin(1_000_000n)])).toEqual({
      low: 141n,
      medium: 705n,
      high: 2_820n,
      dust: 294n,
      warning: null,
    });
  });

  it("quotes 110 virtual bytes without change for a coin that fits", () => {
    // At the other rates the coin does not cover payment and fee: one more input is assumed.
    expect(quote(100_000n, [coin(100_300n)])).toMatchObject({
      low: 110n,
      medium: 208n * 5n,
      high: 208n * 20n,
    });
  });

  it("depends on the address types of coins and receiver", () => {
    expect(quote(100_000n, [coin(1_000_000n, "legacy")]).low).toBe(219n);
    expect(quote(100_000n, [coin(1_000_000n, "bech32m")]).low).toBe(130n);
    expect(quote(100_000n, [coin(60_000n, "bech32", 0), coin(60_000n, "bech32", 1)]).low).toBe(
      208n,
    );
    const legacy = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    expect(quote(100_000n, [coin(1_000_000n)], { address: legacy })).toMatchObject({
      low: 144n,
      dust: 546n,
    });
  });

  it("assumes one more coin of the default type when there are too few", () => {
    expect(quote(100_000n, []).low).toBe(141n);
    expect(quote(100_000n, [coin(50_000n)]).low).toBe(208n);
  });

  it("warns of a fee above a tenth of the amount", () => {
    expect(quote(7_050n, [coin(1_000_000n)]).warning).toBeNull();
    expect(quote(7_049n, [coin(1_000_000n)]).warning).toBe(1);
  });

  it("warns of a balance that is too low or leaves less than dust", () => {
    const coins = [coin(1_000_000n)];
    expect(quote(100_000n, coins, { balance: 100_704n }).warning).toBe(2);
    expect(quote(100_000n, coins, { balance: 100_705n }).warning).toBeNull();
    expect(quote(100_000n, coins, { balance: 100_705n + 293n }).warning).toBe(2);
    expect(quote(100_000n, coins, { balance: 100_705n + 294n }).warning).toBeNull();
    expect(quote(600n, coins, { balance: 0n }).warning).toBe(2);
  });

  it("uses ten times Bitcoin's dust on Litecoin, and taproot's for script hashes", () => {
    const dustOn = (chain: UtxoChain, address: string): bigint => {
      const destination = { address, addressType: "bech32", tag: null };
      const payment = { destination, amount: money(1n, chain.currency) };
      const ours = chain === bitcoin ? bech32 : "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";
      const funds = { kind: "coins" as const, coins: [], change: { ...change, address: ours } };
      return quotePayment(chain, chain.networks.main, rates, { payment, funds, balance: 0n }).dust;
    };
    const scriptHash = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3";
    expect(dustOn(bitcoin, scriptHash)).toBe(330n);
    expect(dustOn(litecoin, "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9")).toBe(2_940n);
  });
});
