import type { Currency } from "../currency.ts";
import { stablecoin } from "./define.ts";
import { btc } from "./utxo.ts";

/** Present only because the interface assigns its id: the issuer no longer supports Omni, and no adapter reads it. */
export const omniCurrencies: readonly Currency[] = [
  {
    ...stablecoin(btc, {
      id: "2005",
      alpha: "USDT-OMNI",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 8,
      minimalTransfer: "0.01",
      token: null,
      standard: "omni",
    }),
    // Omni needs a chain of its own because Bitcoin blocks alone do not show its transfers.
    chain: "OMNI",
  },
];
