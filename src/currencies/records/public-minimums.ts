/**
 * Least that is worth taking along on the main networks, in whole coins or tokens by alpha code, where that is more than the record's
 * own minimum: a payment below what it costs to spend later would be credited in full and paid out from other money. How each of
 * them comes about is in docs/decisions/currencies.md.
 */
export const publicMinimums: Readonly<Record<string, string>> = {
  BTC: "0.00005",
  ETH: "0.00015",
  "USDT-ETH": "1",
  "USDC-ETH": "1",
  "DAI-ETH": "1",
  "USDC-BSC": "0.05",
  "BUSD-T-BSC": "0.05",
  "USDT-ARB": "0.02",
  "USDC-ARB": "0.02",
  "USDT-OPT": "0.02",
  "USDC-OPT": "0.02",
  "USDC-ETH-BASE": "0.02",
};
