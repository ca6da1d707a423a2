import type { ChainRecord } from "./chain-record.ts";
import { omniChain } from "./coins/omni.ts";
import { coins } from "./coins.ts";
import type { ChainId, Currency } from "./currency.ts";

const byId = new Map(
  [...coins.map(({ chain }) => chain), omniChain].map((chain) => [chain.id, chain]),
);

/** The chain's record; null for an unknown id. */
export function findChain(id: ChainId): ChainRecord | null {
  return byId.get(id) ?? null;
}

/**
 * Whether a payout of the currency may take the network fee out of its amount: never for tokens; for coins, as their
 * chain says.
 */
export function mayIncludeFee({ kind, chain }: Pick<Currency, "kind" | "chain">): boolean {
  return kind === "coin" && chain !== null && findChain(chain)?.canIncludeFee === true;
}
