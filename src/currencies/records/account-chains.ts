import type { Currency } from "../currency.ts";
import { coin, stablecoin } from "./define.ts";

const trx = coin({
  id: "1026",
  alpha: "TRX",
  name: "TRON",
  pricedAs: "TRX",
  exp: 6,
  chain: "TRX",
  confirmationBlocks: 20,
  minimalTransfer: "1",
  supply: 200_000_000_000n,
  blockDelay: 3,
});

const xlm = coin({
  id: "1021",
  alpha: "XLM",
  name: "Stellar Lumens",
  pricedAs: "XLM",
  exp: 7,
  chain: "XLM",
  confirmationBlocks: 1,
  minimalTransfer: "0.1",
  supply: 105_443_902_088n,
  blockDelay: 5,
  tags: ["memo"],
});

const ton = coin({
  id: "1140",
  alpha: "TON",
  // The coin was renamed in June 2026; its code stays.
  alias: "GRAM",
  name: "Toncoin",
  pricedAs: "TON",
  exp: 9,
  chain: "TON",
  confirmationBlocks: 1,
  minimalTransfer: "0.05",
  supply: 10_000_000_000n,
  blockDelay: 5,
  tags: ["comment"],
});

const algo = coin({
  id: "1141",
  alpha: "ALGO",
  name: "Algorand",
  pricedAs: "ALGO",
  exp: 6,
  chain: "ALGO",
  confirmationBlocks: 1,
  minimalTransfer: "0.1",
  supply: 10_000_000_000n,
  blockDelay: 3,
});

const xrp = coin({
  id: "1010",
  alpha: "XRP",
  name: "XRP",
  pricedAs: "XRP",
  exp: 6,
  chain: "XRP",
  confirmationBlocks: 1,
  minimalTransfer: "0.1",
  supply: 100_000_000_000n,
  blockDelay: 4,
  tags: ["destination-tag"],
});

const ada = coin({
  id: "1018",
  alpha: "ADA",
  name: "Cardano",
  pricedAs: "ADA",
  exp: 6,
  chain: "ADA",
  confirmationBlocks: 15,
  // The protocol does not allow smaller UTXOs (about 4310 lovelace per byte).
  minimalTransfer: "1",
  supply: 45_000_000_000n,
  blockDelay: 20,
});

const xmr = coin({
  id: "1007",
  alpha: "XMR",
  name: "Monero",
  pricedAs: "XMR",
  exp: 12,
  chain: "XMR",
  confirmationBlocks: 10,
  minimalTransfer: "0.0001",
  supply: 100_000_000n,
  blockDelay: 120,
});

const dollar = (
  parent: Currency,
  id: string,
  alpha: string,
  pricedAs: "USDT" | "USDC",
  exp: number,
  standard: string,
): Currency =>
  stablecoin(parent, {
    id,
    alpha,
    name: pricedAs === "USDT" ? "Tether USD" : "USD Coin",
    pricedAs,
    exp,
    minimalTransfer: "0.01",
    token: null,
    standard,
  });

/** Coins and tokens of the families without an adapter. */
export const accountChainCurrencies: readonly Currency[] = [
  xmr,
  xrp,
  ada,
  xlm,
  trx,
  ton,
  algo,
  dollar(trx, "2145", "USDT-TRX", "USDT", 6, "trc-20"),
  dollar(trx, "2142", "USDC-TRX", "USDC", 6, "trc-20"),
  dollar(ton, "2909", "USDT-TON", "USDT", 6, "jetton"),
  dollar(xlm, "2910", "USDC-XLM", "USDC", 7, "stellar-asset"),
  dollar(algo, "2911", "USDC-ALGO", "USDC", 6, "asa"),
];
