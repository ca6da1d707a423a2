/**
 * Minimum payments on main networks, in whole coins or tokens by alpha code, where they exceed the record's own
 * minimum. A payment that costs more to spend than it is worth would be credited in full and paid out from other
 * coins. docs/decisions/currencies.md derives each value.
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
