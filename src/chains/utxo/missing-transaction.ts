import type { JsonRpc } from "../rpc/json-rpc.ts";
import { absentAsNull, readFields, readText } from "./answer.ts";
import type { BlockSource } from "./block-source.ts";
import { headerByHash } from "./headers.ts";

/**
 * See `ChainWriter.isMissingUpTo`. False on a node without a complete index of transactions, since it can prove nothing; on Zcash that is
 * zcashd without its index of addresses.
 */
export async function isMissingUpTo(
  rpc: JsonRpc,
  source: Pick<BlockSource, "indexedHeight">,
  txid: string,
  { height, hash }: { readonly height: number; readonly hash: string },
  signal: AbortSignal,
): Promise<boolean> {
  const block = await headerByHash(rpc, hash, signal);
  if (block?.height !== height) return false;
  const indexed = await source.indexedHeight(signal);
  if (indexed === null || indexed < height) return false;
  const result = await absentAsNull(rpc.call<unknown>("getrawtransaction", [txid, 1], signal));
  const blockHash = result === null ? undefined : readFields(result)["blockhash"];
  if (blockHash === undefined) return true;
  const including = await headerByHash(rpc, readText(blockHash), signal);
  return including === null || including.height > height;
}
