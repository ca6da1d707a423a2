import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockContent, BlockRef, MayBeWatched } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { absentAsNull, readText, resultOrNull } from "./answer.ts";
import { spendsOfBlock } from "./block-spends.ts";
import { paysAny, transfersByReceiver, transfersOfBlock } from "./block-transfers.ts";
import { bestChainHeader } from "./headers.ts";
import { isWorkedFor } from "./merged-mining.ts";
import { type BlockParts, identify, type RawBlock, splitBlock } from "./parse-block.ts";
import { doubleHash, idText, MalformedBytes } from "./parse-transaction.ts";
import { hasWork, headerLength, isTargetPermitted } from "./proof-of-work.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** The chain that a node is read for: its rules decide which blocks are valid. */
export type ChainRules = { readonly chain: UtxoChain; readonly network: UtxoNetwork };

/**
 * The blocks that were read, checked and hashed, by the object that names them. As long as their reader holds that object, such as a
 * follower until it has committed the block, the senders of their payments need no second reading.
 */
export type KeptBlocks = WeakMap<BlockRef, RawBlock>;

/**
 * Every output of the block that pays an address; null when the block is unknown or not on the best chain.
 * Reads the block's raw bytes: a block of 2,150 transactions with 5,400 outputs took 25 ms in total (7 of them in the node, 13 to
 * parse and hash), against 160 ms to fetch the same block as JSON (`getblock`, verbosity 2). The transactions of a block that
 * pays no key in `mayBeWatched` are not hashed; its header is always checked.
 */
export async function readBlock(
  rpc: JsonRpc,
  rules: ChainRules,
  block: BlockRef,
  signal: AbortSignal,
  mayBeWatched?: MayBeWatched,
  kept?: KeptBlocks,
): Promise<BlockContent | null> {
  const { chain, network } = rules;
  const read = await readCheckedBlock(rpc, rules, block, signal);
  if (read === null) return null;
  const { header, parts } = read;
  const spends = spendsOfBlock(chain, network, parts);
  if (mayBeWatched !== undefined && !paysAny(parts, mayBeWatched))
    return { block: header, transfers: [], spends };
  const raw = rejectMalformed(() => identify(parts));
  kept?.set(block, raw);
  return {
    block: header,
    get transfers() {
      return transfersOfBlock(chain, raw, header.height);
    },
    byReceiver: transfersByReceiver(chain, raw, header.height),
    spends,
  };
}

/**
 * Ids of the block's transactions, proven by its header's Merkle root and proof of work; null when the block is unknown or not on
 * the best chain.
 */
export async function readTxids(
  rpc: JsonRpc,
  rules: ChainRules,
  block: BlockRef,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const read = await readCheckedBlock(rpc, rules, block, signal);
  return read === null ? null : rejectMalformed(() => identify(read.parts)).txids;
}

/** The raw block of that hash, with its proof of work and Merkle root checked; null when the node does not have it. */
export async function readRawBlock(
  rpc: JsonRpc,
  rules: ChainRules,
  hash: string,
  signal: AbortSignal,
): Promise<RawBlock | null> {
  const hex = await absentAsNull(rpc.call<unknown>("getblock", [hash, 0], signal));
  if (hex === null) return null;
  return rejectMalformed(() => identify(splitMinedBlock(rules, hash, hex)));
}

/** Fetches a block and checks its header: hash, proof of work, target, parent and time. Does not hash the body. */
async function readCheckedBlock(
  rpc: JsonRpc,
  rules: ChainRules,
  block: BlockRef,
  signal: AbortSignal,
): Promise<{ readonly header: BlockRef; readonly parts: BlockParts } | null> {
  const isTargetChecked = rules.network.retargetBlocks !== null && block.height > 0;
  const [headerAnswer, bytesAnswer, parentAnswer] = await rpc.batch(
    [
      { method: "getblockheader", params: [block.hash, true] },
      { method: "getblock", params: [block.hash, 0] },
      ...(isTargetChecked ? [{ method: "getblockheader", params: [block.parentHash, false] }] : []),
    ],
    signal,
  );
  if (headerAnswer === undefined || bytesAnswer === undefined) return null;
  const header = bestChainHeader(resultOrNull(headerAnswer));
  const hex = resultOrNull(bytesAnswer);
  if (header === null || hex === null) return null;
  const parts = splitMinedBlock(rules, block.hash, hex);
  const { hash, parentHash, time } = parts;
  if (header.parentHash !== parentHash || header.time !== instantFromSeconds(time))
    throw new Unavailable("node", `answered block ${hash} with another block's header`);
  if (isTargetChecked) {
    const parent = parentAnswer === undefined ? null : resultOrNull(parentAnswer);
    if (parent === null) return null;
    assertTarget(rules, parts, readParent(parent, parentHash), header.height);
  }
  return { header, parts };
}

function splitMinedBlock({ chain, network }: ChainRules, hash: string, hex: unknown): BlockParts {
  const { blockHash, mergedMiningId, transactionFormat } = chain;
  const bytes = Buffer.from(readText(hex), "hex");
  const split = rejectMalformed(() =>
    splitBlock(bytes, transactionFormat, mergedMiningId !== undefined),
  );
  const parts = blockHash === null ? { ...split, hash } : split;
  if (parts.hash !== hash)
    throw new Unavailable("node", `answered block ${parts.hash} when asked for ${hash}`);
  if (!isMined(chain, network, parts))
    throw new Unavailable("node", `answered block ${parts.hash}, which lacks its proof of work`);
  return parts;
}

/** Whether the block's work is there, as far as the chain's is checked: that of its own header, or that of the parent's. */
function isMined(
  { mergedMiningId, workHash }: UtxoChain,
  network: UtxoNetwork,
  { bytes, hash, mergedMining }: BlockParts,
): boolean {
  if (workHash === null) return true;
  if (mergedMining === null || mergedMiningId === undefined)
    return hasWork(bytes, hash, workHash, network);
  const terms = { chainId: mergedMiningId, isStrict: network.name === "main" };
  return (
    isWorkedFor(mergedMining, hash, terms) &&
    hasWork(bytes, hash, workHash, network, mergedMining.parent)
  );
}

function readParent(hex: unknown, parentHash: string): Buffer {
  const header = Buffer.from(readText(hex), "hex");
  const hash = idText(Buffer.from(doubleHash(header), "binary"));
  if (header.length !== headerLength || hash !== parentHash)
    throw new Unavailable("node", `answered header ${hash} when asked for ${parentHash}`);
  return header;
}

function assertTarget(
  { network }: ChainRules,
  { bytes, hash }: BlockParts,
  parent: Buffer,
  height: number,
): void {
  if (!isTargetPermitted(bytes, parent, height, network))
    throw new Unavailable(
      "node",
      `answered block ${hash}, whose difficulty may not follow its parent's`,
    );
}

function rejectMalformed<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedBytes)
      throw new Unavailable("node", `answered ${error.message}`, error);
    throw error;
  }
}
