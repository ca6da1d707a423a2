import type { DeploymentCurrencySettings } from "../../currencies/deployment-currencies.ts";
import type { Config } from "./config.ts";

/** The part of the configuration that defines the deployment's currencies. */
export function currencySettings(
  config: Pick<Config, "chains" | "tokens" | "currencies">,
): DeploymentCurrencySettings {
  return {
    mainnetChains: new Set(
      Object.entries(config.chains)
        .filter(([, chain]) => chain.network === "mainnet")
        .map(([id]) => id),
    ),
    tokens: config.tokens.map((token) => ({
      id: token.id,
      alpha: token.alpha,
      name: token.name,
      chain: token.chain,
      contract: token.contract,
      exp: token.exp,
      ...(token.minimal_transfer === undefined ? {} : { minimalTransfer: token.minimal_transfer }),
      ...(token.supply_max === undefined ? {} : { supplyMax: token.supply_max }),
      ...(token.confirmation_blocks === undefined
        ? {}
        : { confirmationBlocks: token.confirmation_blocks }),
      ...(token.priced_as === undefined ? {} : { pricedAs: token.priced_as }),
      ...(token.is_stablecoin === undefined ? {} : { isStablecoin: token.is_stablecoin }),
    })),
    overrides: config.currencies.map((override) => ({
      currency: override.currency,
      ...(override.contract === undefined ? {} : { contract: override.contract }),
      ...(override.confirmation_blocks === undefined
        ? {}
        : { confirmationBlocks: override.confirmation_blocks }),
      ...(override.minimal_transfer === undefined
        ? {}
        : { minimalTransfer: override.minimal_transfer }),
    })),
  };
}
