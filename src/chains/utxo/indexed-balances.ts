import type { JsonRpc } from "../rpc/json-rpc.ts";
import { readFields, readInteger, readList, readText, resultOrNull } from "./answer.ts";

/** Addresses per request. */
const chunkLength = 1_000;

type Unspent = {
  readonly address: string;
  readonly txid: string;
  readonly vout: number;
  readonly units: bigint;
};

/**
 * The balance of each address by the node's index of addresses (`getaddressutxos`), at the block of that hash; null if the node's
 * tip is another block. Pending transactions do not count, and neither do outputs of coinbases, which are no payments to us (see
 * `createJsonSource`): the index does not tell them apart, so the node is asked about each output.
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
    const paid = await withoutMinted(rpc, readList(answer["utxos"]).map(readUnspent), signal);
    if (paid === null) return null;
    for (const { address, units } of paid) held.set(address, (held.get(address) ?? 0n) + units);
  }
  return addresses.map((address) => held.get(address) ?? 0n);
}

function readUnspent(utxo: unknown): Unspent {
  const { address, outputIndex, satoshis, txid } = readFields(utxo) as Record<string, unknown>;
  return {
    address: readText(address),
    txid: readText(txid),
    vout: readInteger(outputIndex),
    units: BigInt(readInteger(satoshis)),
  };
}

/** The outputs of ordinary transactions; null if one of them is spent by now, so that the tip has moved. */
async function withoutMinted(
  rpc: JsonRpc,
  outputs: readonly Unspent[],
  signal: AbortSignal,
): Promise<readonly Unspent[] | null> {
  const answers = await rpc.batch(
    outputs.map(({ txid, vout }) => ({ method: "gettxout", params: [txid, vout, false] })),
    signal,
  );
  const coins = answers.map(resultOrNull);
  if (coins.includes(null)) return null;
  return outputs.filter((_, index) => readFields(coins[index])["coinbase"] !== true);
}
