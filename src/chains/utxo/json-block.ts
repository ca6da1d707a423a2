import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type BlockRef, ImpossibleAnswer } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { readFields, readInteger, readList, readText, resultOrNull } from "./answer.ts";
import type { ChainTransaction } from "./block-source.ts";
import { bestChainHeader } from "./headers.ts";
import { merkleRootOf } from "./parse-block.ts";
import { doubleHash, idText } from "./parse-transaction.ts";

/** Positions in a header of version 4; the nonce and the solution of the proof of work follow. */
const parentAt = 4;
const merkleRootAt = 36;
const merkleRootEnd = 68;
const timeAt = 100;
const shortestHeader = 140;

export type JsonBlock = {
  /** Null for a block that is not on the node's best chain. */
  readonly header: BlockRef | null;
  readonly parentHash: string;
  readonly transactions: readonly ChainTransaction[];
};

/**
 * The block of that hash from the node's JSON (`getblock`, verbosity 2); null when the node does not have it. Its header is read
 * as bytes: they hash to the block's hash, name its parent and time, and contain the Merkle root of the transactions' ids, so the
 * node cannot add, leave out or exchange one. What each transaction spends and pays is the node's word.
 */
export async function readJsonBlock(
  rpc: JsonRpc,
  hash: string,
  signal: AbortSignal,
): Promise<JsonBlock | null> {
  const answers = await rpc.batch(
    [
      { method: "getblockheader", params: [hash, true] },
      { method: "getblockheader", params: [hash, false] },
      { method: "getblock", params: [hash, 2] },
    ],
    signal,
  );
  const [described, headerHex, block] = answers.map(resultOrNull);
  if ([described, headerHex, block].some((result) => result === null || result === undefined))
    return null;
  const bytes = headerBytes(readText(headerHex), hash);
  const transactions = readList(readFields(block)["tx"]).map(readJsonTransaction);
  const txids = transactions.map(({ txid }) => txid);
  // Repeating the last transactions does not change the root (CVE-2012-2459).
  const isDistinct = new Set(txids).size === txids.length;
  if (!isDistinct || !merkleRootOf(txids).equals(bytes.subarray(merkleRootAt, merkleRootEnd)))
    throw new ImpossibleAnswer(
      "node",
      `answered block ${hash} with transactions that are not those of its header`,
    );
  const header = bestChainHeader(described);
  const parentHash = idText(bytes.subarray(parentAt, parentAt + 32));
  if (
    header !== null &&
    (header.hash !== hash ||
      header.parentHash !== parentHash ||
      header.time !== instantFromSeconds(bytes.readUInt32LE(timeAt)))
  )
    throw new Unavailable("node", `answered block ${hash} with another block's header`);
  return { header, parentHash, transactions };
}

function headerBytes(hex: string, hash: string): Buffer {
  const bytes = Buffer.from(hex, "hex");
  const found = idText(Buffer.from(doubleHash(bytes), "binary"));
  if (bytes.length <= shortestHeader || found !== hash)
    throw new ImpossibleAnswer("node", `answered header ${found} when asked for ${hash}`);
  return bytes;
}

/** The transparent part of a transaction as `getblock` and `getrawtransaction` describe it. Its amounts are integers there. */
export function readJsonTransaction(value: unknown): ChainTransaction {
  const fields = readFields(value);
  const claims = readList(fields["vin"]).flatMap((one) => {
    const input = readFields(one);
    if (input["coinbase"] !== undefined) return [];
    return [`${readId(input["txid"])}:${readInteger(input["vout"])}`];
  });
  const outputs = readList(fields["vout"]).map((one, place) => {
    const { n, valueZat, scriptPubKey } = readFields(one) as Record<string, unknown>;
    const units = readInteger(valueZat);
    const script = readText(readFields(scriptPubKey)["hex"]);
    if (n !== place || units < 0 || !/^(?:[0-9a-f]{2})*$/.test(script))
      throw new Unavailable("node", `answered something unexpected as output ${place}`);
    return { units: BigInt(units), script };
  });
  return { txid: readId(fields["txid"]), claims, outputs };
}

function readId(value: unknown): string {
  const text = readText(value);
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new Unavailable("node", `answered something unexpected as an id: ${text.slice(0, 80)}`);
  return text;
}
