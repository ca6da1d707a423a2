import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { present } from "../../src/platform/kernel/assert.ts";

/** Amounts in thousandths of the coin, or of the dollar. */
type Range = { readonly from: number; readonly to: number };

/** A currency of the run, and how much of it moves. */
export type Asset = {
  readonly alpha: string;
  readonly id: string;
  readonly chain: string;
  readonly exp: number;
  /** The confirmation count, low enough that many payments count within the run. */
  readonly confirmations: number;
  /** Of a deposit: far above dust, and small enough for the faucets. */
  readonly deposit: Range;
  /** Null: it is only received. */
  readonly payout: Range | null;
  /** The initial balance of the paying wallet, decimal; null: it pays nothing. */
  readonly firstMoney: string | null;
  /** How often it is chosen, compared with others. */
  readonly weight: number;
};

export const assets: readonly Asset[] = [
  asset("ETH", 3, { from: 10, to: 200 }, { from: 5, to: 90 }, "3"),
  asset("USDT-ETH", 3, { from: 5_000, to: 90_000 }, { from: 1_000, to: 40_000 }, "2000"),
  asset("USDC-ETH", 3, { from: 5_000, to: 90_000 }),
  asset("DAI-ETH", 3, { from: 5_000, to: 90_000 }),
  asset("BTC", 2, { from: 1, to: 40 }, { from: 1, to: 15 }, "0.4", 2),
  asset("LTC", 2, { from: 10, to: 400 }, { from: 5, to: 150 }, "8"),
  asset("TRX", 2, { from: 2_000, to: 90_000 }, { from: 1_000, to: 40_000 }, "2000"),
  asset("USDT-TRX", 2, { from: 5_000, to: 90_000 }, { from: 1_000, to: 40_000 }, "2000"),
  asset("XRP", 2, { from: 2_000, to: 90_000 }, { from: 2_000, to: 40_000 }, "2000"),
  asset("XLM", 2, { from: 2_000, to: 90_000 }, { from: 2_000, to: 40_000 }, "2000"),
  asset("TON", 2, { from: 500, to: 9_000 }, { from: 300, to: 4_000 }, "200"),
  asset("ADA", 3, { from: 2_000, to: 90_000 }, { from: 1_500, to: 40_000 }, "2000"),
  asset("ALGO", 2, { from: 500, to: 90_000 }, { from: 200, to: 40_000 }, "2000"),
  // An output can be spent after ten blocks.
  asset("XMR", 10, { from: 50, to: 900 }, { from: 20, to: 300 }, "20"),
  asset("USDC-ALGO", 2, { from: 5_000, to: 90_000 }),
];

/** The asset of a currency id. Throws for a currency that is not part of the run. */
export function assetOf(id: string): Asset {
  return present(
    assets.find((one) => one.id === id),
    `the asset ${id}`,
  );
}

function asset(
  alpha: string,
  confirmations: number,
  deposit: Range,
  payout: Range | null = null,
  firstMoney: string | null = null,
  weight = 1,
): Asset {
  const found = builtInCurrencies.find((currency) => currency.alpha === alpha);
  const { id, exp, chain } = present(found, `the currency ${alpha}`);
  return {
    alpha,
    id,
    exp,
    chain: present(chain, `the chain of ${alpha}`),
    confirmations,
    deposit,
    payout,
    firstMoney,
    weight,
  };
}
