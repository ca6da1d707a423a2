import type { JsonRpc } from "../rpc/json-rpc.ts";
import type { BlockSource } from "./block-source.ts";
import { createByteSource } from "./byte-source.ts";
import { createJsonSource } from "./json-source.ts";
import type { ChainRules } from "./read-block.ts";

/** The source for the chain's fact `blocks`. */
export function createBlockSource(rpc: JsonRpc, rules: ChainRules): BlockSource {
  return rules.chain.blocks === "json"
    ? createJsonSource(rpc, rules)
    : createByteSource(rpc, rules);
}
