import type { Currency } from "./currency.ts";
import { accountChainCurrencies } from "./records/account-chains.ts";
import { evmCoins } from "./records/evm.ts";
import { evmTokens } from "./records/evm-tokens.ts";
import { fiatCurrencies } from "./records/fiat.ts";
import { omniCurrencies } from "./records/omni.ts";
import { utxoCurrencies } from "./records/utxo.ts";

/** Every built-in currency, ordered by id. */
export const builtInCurrencies: readonly Currency[] = [
  ...fiatCurrencies,
  ...utxoCurrencies,
  ...evmCoins,
  ...evmTokens,
  ...accountChainCurrencies,
  ...omniCurrencies,
].sort((a, b) => Number(a.id) - Number(b.id));
