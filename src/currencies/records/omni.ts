import type { Currency } from "../currency.ts";
import { stablecoin } from "./define.ts";
import { btc } from "./utxo.ts";

/** Kept for its id: the issuer no longer serves Omni, and no adapter reads it. */
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
    // A chain of its own, since reading Bitcoin blocks does not show Omni transfers.
    chain: "OMNI",
  },
];
