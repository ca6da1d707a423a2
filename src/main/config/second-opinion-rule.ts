import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { NeedsOpinion } from "../../deposits/payments/decide-deposit.ts";
import type { ChainConfig } from "./config.ts";

type BoundedChain = Pick<ChainConfig, "second_opinion_above"> & {
  readonly nodes: readonly unknown[];
};

/**
 * Which credited amounts another node must confirm: those above `second_opinion_above` on chains with two or more nodes. A bound
 * with more digits than the currency has is rounded down.
 */
export function secondOpinionRule(
  { chains }: { readonly chains: Readonly<Record<string, BoundedChain>> },
  currencies: CurrencyRegistry,
): NeedsOpinion {
  const bounds = new Map(
    Object.entries(chains)
      .filter(([, { nodes }]) => nodes.length > 1)
      .map(([chain, { second_opinion_above }]) => [chain, second_opinion_above ?? "0"]),
  );
  return ({ chain, currency, units }) => {
    const bound = bounds.get(chain);
    return (
      bound !== undefined &&
      currency !== null &&
      units > unitsRoundedDown(bound, currencies.get(currency).exp)
    );
  };
}

/** For a decimal without sign or exponent. */
function unitsRoundedDown(text: string, exp: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, exp).padEnd(exp, "0"));
}
