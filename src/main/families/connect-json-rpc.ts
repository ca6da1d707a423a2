import { createJsonRpc, type JsonRpc, type JsonRpcOptions } from "../../chains/rpc/json-rpc.ts";
import type { ChainContext } from "./family.ts";

const timeoutMs = 15_000;

/** Connects to a chain's configured nodes. Each must pass `verify`, the proof of its network, before its answers count. */
export function connectJsonRpc(
  { clock, config, logger, random }: ChainContext,
  chain: string,
  verify: NonNullable<JsonRpcOptions["verify"]>,
): JsonRpc {
  return createJsonRpc({
    urls: config.nodes,
    chain,
    clock,
    logger,
    random,
    verify,
    timeoutMs,
  });
}
