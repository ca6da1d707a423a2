import type { Currency } from "../../../../../client/src/api-types.gen.ts";
import { findChain } from "../../../../../src/currencies/chains.ts";

/** Whether a payout may take the network fee out of its amount. A chain is named by the alpha code of its coin. */
export function canIncludeFee({ attributes, relationships }: Currency): boolean {
  return relationships.parent.data === null && findChain(attributes.alpha)?.canIncludeFee === true;
}
