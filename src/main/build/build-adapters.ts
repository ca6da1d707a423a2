import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { AccountKey } from "../../signer/protocol.ts";
import type { ClaimCoins } from "../families/connection.ts";
import { connectChain } from "../families/connections.ts";
import { familyOf } from "../families/families.ts";
import type { Family } from "../families/family.ts";
import type { Foundation } from "./foundation.ts";

/** A chain to follow: its adapter, and the height at which reading starts. */
export type FollowedChain = {
  readonly adapter: ChainAdapter;
  /** Closes the connections to the chain's nodes. */
  readonly close: () => Promise<void>;
  readonly startHeight: number | null;
  /** True on a private test chain, where a block appears only when someone mines it. */
  readonly isIdle: boolean;
  /** See `Family`. */
  readonly balances: Family["balances"];
};

/** Inputs of `buildAdapters`. */
export type AdapterContext = World & Pick<Foundation, "config" | "currencies">;

/** Builds the adapters of all configured chains from the signer's account public keys, see `ConnectedChain`. */
export async function buildAdapters(
  foundation: AdapterContext,
  keys: readonly AccountKey[],
  claimCoins: ClaimCoins,
): Promise<readonly FollowedChain[]> {
  const building = Object.entries(foundation.config.chains).map(async ([chain, config]) => {
    const family = familyOf(chain);
    const { createAdapter, close } = await connectChain(chain, { ...foundation, config });
    return {
      adapter: withReorgLimit(createAdapter(keys, claimCoins), config.reorg_limit),
      close,
      startHeight: config.start_height ?? null,
      isIdle: config.network === "regtest",
      balances: family.balances,
    };
  });
  return Promise.all(building);
}

/** Applies the configured reorg limit, if there is one. */
function withReorgLimit(adapter: ChainAdapter, reorgLimit: number | undefined): ChainAdapter {
  const { reader } = adapter;
  if (reorgLimit === undefined || reader.finality.kind === "final") return adapter;
  return { ...adapter, reader: { ...reader, finality: { kind: "probable", reorgLimit } } };
}
