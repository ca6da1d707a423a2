import type { LockedBlock } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { readFields, readInteger, readText } from "./answer.ts";

/** Dash Core's code for "Unable to find any ChainLock". */
const internalError = -32603;

/** The newest block that the node's peers have locked; null before the first lock, and while the node lacks the block. */
export async function readNewestLocked(
  rpc: JsonRpc,
  signal: AbortSignal,
): Promise<LockedBlock | null> {
  try {
    const fields = readFields(await rpc.call("getbestchainlock", [], signal));
    if (fields["known_block"] === false) return null;
    return { height: readInteger(fields["height"]), hash: readText(fields["blockhash"]) };
  } catch (error) {
    if (error instanceof RpcError && error.code === internalError) return null;
    throw error;
  }
}
