import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import {
  defaultFollowerSettings,
  type FollowerContext,
  type FollowerSettings,
  type Progress,
  type Session,
  startSession,
} from "../../src/chains/follow/follower-session.ts";
import { createJsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { createUtxoAdapter } from "../../src/chains/utxo/adapter.ts";
import { verifyUtxoNode } from "../../src/chains/utxo/verify-network.ts";
import { buildSinks } from "../../src/main/build/build-sink.ts";
import { bitcoin } from "../support/known-chains.ts";
import type { Deployment } from "./deployment.ts";

/** A worker's Bitcoin adapter on a private chain. It has no keys, because nothing here derives addresses. */
export function openBitcoin({ site, foundation }: Deployment, url: string): ChainAdapter {
  const { clock, random, logger } = foundation;
  const rpc = createJsonRpc({
    nodes: [{ url }],
    chain: "BTC",
    clock,
    random,
    logger,
    timeoutMs: 60_000,
    verify: verifyUtxoNode(bitcoin.networks.regtest),
  });
  site.teardown.add("node client", () => rpc.close());
  return createUtxoAdapter({ chain: bitcoin, network: "regtest", rpc, accountKeys: {}, clock });
}

/** The context of a worker's follower. */
export function followerContext(
  { foundation }: Deployment,
  adapter: ChainAdapter,
  settings: Partial<FollowerSettings>,
  startHeight: number,
  onProgress: (progress: Progress) => void,
): FollowerContext {
  const { db, clock, random, logger } = foundation;
  const { sink, ownTxids } = buildSinks(foundation, [{ adapter }]);
  return {
    db,
    clock,
    random,
    logger,
    adapter,
    startHeight,
    onProgress,
    sink,
    ownTxids,
    supplyOf: (currency) => foundation.currencies.get(currency).supplyUnits,
    holder: "bench",
    settings: { ...defaultFollowerSettings, ...settings },
  };
}

export async function holdChain({ site }: Deployment, context: FollowerContext): Promise<Session> {
  const session = await startSession(context, new AbortController().signal);
  if (session === null) throw new Error("another follower has the chain");
  site.teardown.add("follower", () => session.end());
  return session;
}
