import { describe, expect, it } from "vitest";
import { utxoChain } from "../../../test/support/known-chains.ts";
import { quotePayment as quoteCardano } from "../../chains/cardano/quote-payment.ts";
import { quotePayment as quoteMonero } from "../../chains/monero/pay/quote-payment.ts";
import type { QuoteRequest } from "../../chains/paying-port.ts";
import { quotePayment as quoteUtxo } from "../../chains/utxo/quote-payment.ts";
import type { AddressTypeName } from "../../currencies/utxo-facts.ts";
import { type CurrencyId, money } from "../../platform/kernel/money.ts";
import { mergingFeeMax } from "../../treasury/sweeping/consolidate-coins.ts";
import { consolidationSettings } from "./consolidation-settings.ts";

/*
 * When coins are merged at the fee rates of the real networks: what the job asks about the coins is quoted by each family's own code.
 */

type Coins = {
  readonly count: number;
  readonly units: bigint;
  readonly address: string;
  readonly addressType?: AddressTypeName;
};

/** What the job asks: all that the coins hold, paid from them. */
function request({ count, units, address, addressType = "" }: Coins, currency: CurrencyId) {
  const balance = units * BigInt(count);
  const coins = Array.from({ length: count }, (_, place) => ({
    claim: `${"ab".repeat(32)}:${place}`,
    units,
    addressType,
    branch: 0 as const,
    keyIndex: place,
  }));
  return {
    payment: {
      destination: { address, addressType, tag: null },
      amount: money(balance, currency),
    },
    funds: { kind: "coins", coins, change: { address, addressType, keyIndex: 0 } },
    balance,
  } satisfies QuoteRequest;
}

function quoteOf(alpha: "BTC" | "DOGE", rate: bigint, coins: Coins): bigint {
  const chain = utxoChain(alpha);
  const rates = { relay: rate, increment: 1_000n, low: rate, medium: rate, high: rate };
  return quoteUtxo(chain, chain.networks.main, rates, request(coins, chain.currency)).medium;
}

const bitcoinAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const bitcoinCoins = (count: number): Coins => ({
  count,
  units: 10_000n,
  address: bitcoinAddress,
  addressType: "bech32",
});
const dogeAddress = "DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE";
const dogeCoins = (count: number): Coins => ({
  count,
  units: 1_000_000_000n,
  address: dogeAddress,
});

/** Monero's address is not read for a quote. */
function quoteXmr(medium: bigint, count: number): bigint {
  const rates = { low: medium / 4n, medium, high: medium * 4n, step: 10_000n };
  const currency = "XMR" as CurrencyId;
  const asked = request({ count, units: 10n ** 11n, address: "" }, currency);
  return quoteMonero(currency, rates, asked).medium;
}

/** The parameters of the main network. */
const cardanoParameters = {
  feePerByte: 44n,
  feeConstant: 155_381n,
  coinsPerByte: 4_310n,
  transactionBytesMax: 16_384,
  valueBytesMax: 5_000,
  scriptFee: { base: 15, range: 25_600, multiplier: 1.2 },
};
const cardanoAddress =
  "addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x";

function quoteAda(count: number): bigint {
  const asked = request({ count, units: 2_000_000n, address: cardanoAddress }, "ADA" as CurrencyId);
  return quoteCardano({ kind: "main", magic: 764_824_073 }, cardanoParameters, asked).medium;
}

describe("coins are merged", () => {
  it.each([
    // chain, number of coins, circumstance; quote, whether it is low
    ["BTC", 2, "3 satoshis per byte", quoteOf("BTC", 3_000n, bitcoinCoins(2)), true],
    ["BTC", 100, "3 satoshis per byte", quoteOf("BTC", 3_000n, bitcoinCoins(100)), true],
    ["BTC", 2, "4 satoshis per byte", quoteOf("BTC", 4_000n, bitcoinCoins(2)), false],
    ["BTC", 100, "4 satoshis per byte", quoteOf("BTC", 4_000n, bitcoinCoins(100)), false],
    ["DOGE", 2, "the recommended rate", quoteOf("DOGE", 1_000_000n, dogeCoins(2)), true],
    ["DOGE", 100, "twice that rate", quoteOf("DOGE", 2_000_000n, dogeCoins(100)), false],
    ["XMR", 5, "the usual rate", quoteXmr(80_000n, 5), true],
    ["XMR", 100, "the usual rate", quoteXmr(80_000n, 100), true],
    ["XMR", 100, "twice that rate", quoteXmr(160_000n, 100), false],
    ["ADA", 10, "the only rate", quoteAda(10), false],
    ["ADA", 60, "the only rate", quoteAda(60), true],
  ] as const)("on %s, %i of them, at %s: %i, %s", (chain, count, _when, quoted, isLow) => {
    const settings = consolidationSettings(chain);
    expect(quoted <= mergingFeeMax(settings, count)).toBe(isLow);
  });
});

describe("the number of coins left alone", () => {
  it.each([
    // chain, payouts.coins_max; the number
    ["BTC", undefined, 200],
    ["BTC", 300, 300],
    ["XMR", undefined, 60],
    ["ADA", undefined, 60],
    ["ADA", 300, 60],
    ["ADA", 20, 20],
  ] as const)("is on %s, with %s configured, %i", (chain, configured, coinsMax) => {
    expect(consolidationSettings(chain, configured).coinsMax).toBe(coinsMax);
  });

  it.each([
    ["ADA", 118],
    ["XMR", 120],
  ])(
    "on %s leaves no more coins unmerged than the %i that one transaction spends",
    (chain, inputsMax) => {
      const settings = consolidationSettings(chain);
      const quote = chain === "ADA" ? quoteAda : (count: number) => quoteXmr(80_000n, count);
      const isMerged = (held: number) => {
        const count = held - settings.coinsMax + 1;
        return quote(count) <= mergingFeeMax(settings, count);
      };
      expect(isMerged(inputsMax)).toBe(true);
    },
  );
});
