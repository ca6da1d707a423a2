import type { Currency } from "../currency.ts";
import { erc20, tokenOf } from "../token-format.ts";
import { stablecoin } from "./define.ts";
import { arb, avax, base, bnb, eth, matic, opt } from "./evm.ts";

const token = (
  parent: Currency,
  id: string,
  alpha: string,
  issue: { readonly name: string; readonly pricedAs: string },
  exp: number,
  contract: string,
): Currency =>
  stablecoin(parent, {
    id,
    alpha,
    ...issue,
    exp,
    minimalTransfer: "0.01",
    token: tokenOf(erc20, contract),
    standard: erc20.standard,
  });

const usdt = { name: "Tether USD", pricedAs: "USDT" };
const usdc = { name: "USD Coin", pricedAs: "USDC" };

/** Dollar tokens on EVM chains, with their main network contracts. */
export const evmTokens: readonly Currency[] = [
  token(eth, "2015", "USDT-ETH", usdt, 6, "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
  token(eth, "2014", "USDC-ETH", usdc, 6, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
  token(
    eth,
    "2068",
    "DAI-ETH",
    { name: "Dai", pricedAs: "DAI" },
    18,
    "0x6B175474E89094C44Da98b954EedeAC495271d0F",
  ),
  token(bnb, "2102", "USDC-BSC", usdc, 18, "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"),
  {
    // Binance-Peg Tether, under its former code "Binance-Peg BSC-USD".
    ...token(bnb, "2065", "BUSD-T-BSC", usdt, 18, "0x55d398326f99059fF775485246999027B3197955"),
    alias: "USDT",
  },
  token(matic, "2900", "USDT-MATIC", usdt, 6, "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"),
  token(matic, "2901", "USDC-MATIC", usdc, 6, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
  token(arb, "2902", "USDT-ARB", usdt, 6, "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"),
  token(arb, "2903", "USDC-ARB", usdc, 6, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
  token(opt, "2904", "USDT-OPT", usdt, 6, "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58"),
  token(opt, "2905", "USDC-OPT", usdc, 6, "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"),
  token(avax, "2906", "USDT-AVAX", usdt, 6, "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7"),
  token(avax, "2907", "USDC-AVAX", usdc, 6, "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E"),
  token(base, "2908", "USDC-ETH-BASE", usdc, 6, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
];
