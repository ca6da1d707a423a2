import type { JsonRpc } from "../rpc/json-rpc.ts";
import { readFields, readInteger, readList, readText } from "./answer.ts";

/** Addresses per request. */
const chunkLength = 1_000;

/**
 * The balance of each address by the node's index of addresses (`getaddressutxos`), at the block of that hash; null if the node's
 * tip is another block. Pending transactions do not count.
 */
export async function readIndexedBalances(
  rpc: JsonRpc,
  addresses: readonly string[],
  hash: string,
  signal: AbortSignal,
): Promise<readonly bigint[] | null> {
  const held = new Map<string, bigint>();
  const distinct = [...new Set(addresses)];
  for (let from = 0; from < distinct.length; from += chunkLength) {
    const question = { addresses: distinct.slice(from, from + chunkLength), chainInfo: true };
    const answer = readFields(await rpc.call("getaddressutxos", [question], signal));
    if (answer["hash"] !== hash) return null;
    for (const utxo of readList(answer["utxos"])) {
      const { address, satoshis } = readFields(utxo) as Record<string, unknown>;
      const owner = readText(address);
      held.set(owner, (held.get(owner) ?? 0n) + BigInt(readInteger(satoshis)));
    }
  }
  return addresses.map((address) => held.get(address) ?? 0n);
}
