import type { UtxoFacts } from "../../currencies/utxo-facts.ts";
import { type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { absentAsNull, readFields, readInteger, readText } from "./answer.ts";

const zeroHash = "0".repeat(64);
/** A reorg between the two calls repeats them; this many reorgs in a row do not happen. */
const attemptsMax = 5;

/** See `UtxoFacts.blockLocks`. Null: every block of the best chain counts as settled. */
export type BlockLocks = UtxoFacts["blockLocks"];

type Header = { readonly block: BlockRef; readonly isSettled: boolean };

/** The header of that hash if it is on the node's best chain and settled, else null. */
export async function headerByHash(
  rpc: JsonRpc,
  hash: string,
  signal: AbortSignal,
  locks: BlockLocks = null,
): Promise<BlockRef | null> {
  return settledOnly(await readHeader(rpc, hash, signal, locks));
}

async function readHeader(
  rpc: JsonRpc,
  hash: string,
  signal: AbortSignal,
  locks: BlockLocks,
): Promise<Header | null> {
  const result = await absentAsNull(rpc.call("getblockheader", [hash, true], signal));
  return parseHeader(result, locks);
}

function settledOnly(header: Header | null): BlockRef | null {
  return header?.isSettled === true ? header.block : null;
}

/** Parses the result of `getblockheader`; null for null and for a block that is not on the best chain. */
export function bestChainHeader(result: unknown): BlockRef | null {
  return parseHeader(result, null)?.block ?? null;
}

function parseHeader(result: unknown, locks: BlockLocks): Header | null {
  if (result === null) return null;
  const fields = readFields(result);
  const confirmations = readInteger(fields["confirmations"]);
  if (confirmations < 0) return null;
  const parentHash = fields["previousblockhash"];
  const block = {
    height: readInteger(fields["height"]),
    hash: readText(fields["hash"]),
    parentHash: parentHash === undefined ? zeroHash : readText(parentHash),
    time: readTime(fields["time"]),
  };
  const isSettled =
    locks === null ||
    fields["chainlock"] === true ||
    confirmations >= locks.confirmationsWithout ||
    block.height === 0;
  return { block, isSettled };
}

/** Headers hold 32 bits of it. */
function readTime(value: unknown): Instant {
  const seconds = readInteger(value);
  if (seconds < 0 || seconds >= 2 ** 32)
    throw new Unavailable("node", `answered something unexpected as a time: ${seconds}`);
  return instantFromSeconds(seconds);
}

/** The header at a height of the best chain; null above its tip, which is its newest settled block. */
export async function headerAt(
  rpc: JsonRpc,
  height: number,
  signal: AbortSignal,
  locks: BlockLocks = null,
): Promise<BlockRef | null> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const hash = await absentAsNull(rpc.call<unknown>("getblockhash", [height], signal));
    if (hash === null) return null;
    const header = await readHeader(rpc, readText(hash), signal, locks);
    if (header !== null) return settledOnly(header);
  }
  throw new Unavailable("node", `its best chain keeps changing at height ${height}`);
}

/** The newest settled block of the node's best chain. Throws `Unavailable` when it changes at every reading. */
export async function readTip(
  rpc: JsonRpc,
  signal: AbortSignal,
  locks: BlockLocks = null,
): Promise<BlockRef> {
  return (await readNewest(rpc, signal, locks)).tip;
}

/** The tip, and the blocks above it, newest first. Throws `Unavailable` when they change at every reading. */
export async function readNewest(
  rpc: JsonRpc,
  signal: AbortSignal,
  locks: BlockLocks,
): Promise<{ readonly tip: BlockRef; readonly above: readonly BlockRef[] }> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const above: BlockRef[] = [];
    let hash = readText(await rpc.call("getbestblockhash", [], signal));
    let header = await readHeader(rpc, hash, signal, locks);
    while (header?.isSettled === false) {
      above.push(header.block);
      hash = header.block.parentHash;
      header = await readHeader(rpc, hash, signal, locks);
    }
    if (header !== null) return { tip: header.block, above };
  }
  throw new Unavailable("node", "its best chain keeps changing at the tip");
}

/** Whether the block at that height is above the node's tip, so that a reorg may still replace what it says. */
export async function isAboveTip(
  rpc: JsonRpc,
  locks: BlockLocks,
  height: number | null,
  signal: AbortSignal,
): Promise<boolean> {
  if (locks === null || height === null) return false;
  return height > (await readTip(rpc, signal, locks)).height;
}
