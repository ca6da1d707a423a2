import type { Currency } from "../currency.ts";
import { coin } from "./define.ts";

/*
 * Minimums are above the dust limits of the reference nodes (P2PKH, the largest address type): 546 sat on BTC, BCH
 * and DASH, 5,460 on LTC, 0.01 DOGE; on ZEC above ZIP-317's minimum fee of 10,000 zat.
 */

export const btc = coin({
  id: "1000",
  alpha: "BTC",
  name: "Bitcoin",
  pricedAs: "BTC",
  exp: 8,
  chain: "BTC",
  confirmationBlocks: 2,
  minimalTransfer: "0.00001",
  supply: 21_000_000n,
  blockDelay: 600,
});

export const utxoCurrencies: readonly Currency[] = [
  btc,
  coin({
    id: "1003",
    alpha: "LTC",
    name: "Litecoin",
    pricedAs: "LTC",
    exp: 8,
    chain: "LTC",
    confirmationBlocks: 6,
    minimalTransfer: "0.0001",
    supply: 84_000_000n,
    blockDelay: 150,
  }),
  coin({
    id: "1005",
    alpha: "DASH",
    name: "Dash",
    pricedAs: "DASH",
    exp: 8,
    chain: "DASH",
    // Without ChainLocks, only a block's proof of work counts.
    confirmationBlocks: 6,
    minimalTransfer: "0.0001",
    supply: 18_920_000n,
    blockDelay: 150,
  }),
  coin({
    id: "1006",
    alpha: "BCH",
    name: "Bitcoin Cash",
    pricedAs: "BCH",
    exp: 8,
    chain: "BCH",
    confirmationBlocks: 6,
    minimalTransfer: "0.00001",
    supply: 21_000_000n,
    blockDelay: 600,
  }),
  coin({
    id: "1019",
    alpha: "DOGE",
    name: "Dogecoin",
    pricedAs: "DOGE",
    exp: 8,
    chain: "DOGE",
    confirmationBlocks: 20,
    minimalTransfer: "0.1",
    supply: 1_000_000_000_000n,
    blockDelay: 60,
  }),
  coin({
    id: "1020",
    alpha: "ZEC",
    name: "Zcash",
    pricedAs: "ZEC",
    exp: 8,
    chain: "ZEC",
    confirmationBlocks: 12,
    minimalTransfer: "0.0002",
    supply: 21_000_000n,
    blockDelay: 75,
  }),
];
