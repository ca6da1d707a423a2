import type { Currency } from "../currency.ts";
import { coin } from "./define.ts";

/* Confirmations of L1 chains exceed every reorg seen on them; those of layer 2 chains outlast a sequencer's mistake. */

export const eth = coin({
  id: "1002",
  alpha: "ETH",
  name: "Ethereum",
  pricedAs: "ETH",
  exp: 18,
  chain: "ETH",
  confirmationBlocks: 12,
  minimalTransfer: "0.00001",
  supply: 200_000_000n,
  blockDelay: 12,
});

export const bnb = coin({
  id: "1125",
  alpha: "BNB-BSC",
  alias: "BNB",
  name: "BNB",
  pricedAs: "BNB",
  exp: 18,
  chain: "BNB-BSC",
  confirmationBlocks: 15,
  minimalTransfer: "0.0001",
  supply: 200_000_000n,
  blockDelay: 1,
});

export const matic = coin({
  id: "1146",
  alpha: "MATIC",
  alias: "POL",
  name: "Polygon Ecosystem Token",
  pricedAs: "POL",
  exp: 18,
  chain: "MATIC",
  confirmationBlocks: 128,
  minimalTransfer: "0.01",
  supply: 20_000_000_000n,
  blockDelay: 2,
});

export const avax = coin({
  id: "1142",
  alpha: "AVAX",
  name: "Avalanche",
  pricedAs: "AVAX",
  exp: 18,
  chain: "AVAX",
  confirmationBlocks: 12,
  minimalTransfer: "0.001",
  supply: 720_000_000n,
  blockDelay: 2,
});

export const arb = coin({
  id: "1143",
  alpha: "ARB",
  name: "Ether on Arbitrum One",
  pricedAs: "ETH",
  exp: 18,
  chain: "ARB",
  confirmationBlocks: 30,
  minimalTransfer: "0.00001",
  supply: 200_000_000n,
  blockDelay: 1,
});

export const opt = coin({
  id: "1144",
  alpha: "OPT",
  name: "Ether on OP Mainnet",
  pricedAs: "ETH",
  exp: 18,
  chain: "OPT",
  confirmationBlocks: 30,
  minimalTransfer: "0.00001",
  supply: 200_000_000n,
  blockDelay: 2,
});

export const base = coin({
  id: "1145",
  alpha: "ETH-BASE",
  name: "Ether on Base",
  pricedAs: "ETH",
  exp: 18,
  chain: "ETH-BASE",
  confirmationBlocks: 30,
  minimalTransfer: "0.00001",
  supply: 200_000_000n,
  blockDelay: 2,
});

export const evmCoins: readonly Currency[] = [eth, bnb, matic, avax, arb, opt, base];
