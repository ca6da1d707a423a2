import { type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { absentAsNull, readFields, readInteger, readText } from "./answer.ts";

const zeroHash = "0".repeat(64);
/** A reorg between the two calls repeats them; this many reorgs in a row do not happen. */
const attemptsMax = 5;

/** The header of that hash if it is on the node's best chain, else null. */
export async function headerByHash(
  rpc: JsonRpc,
  hash: string,
  signal: AbortSignal,
): Promise<BlockRef | null> {
  return bestChainHeader(await absentAsNull(rpc.call("getblockheader", [hash, true], signal)));
}

/** Parses the result of `getblockheader`; null for null and for a block that is not on the best chain. */
export function bestChainHeader(result: unknown): BlockRef | null {
  if (result === null) return null;
  const fields = readFields(result);
  if (readInteger(fields["confirmations"]) < 0) return null;
  const parentHash = fields["previousblockhash"];
  return {
    height: readInteger(fields["height"]),
    hash: readText(fields["hash"]),
    parentHash: parentHash === undefined ? zeroHash : readText(parentHash),
    time: readTime(fields["time"]),
  };
}

/** Headers hold 32 bits of it. */
function readTime(value: unknown): Instant {
  const seconds = readInteger(value);
  if (seconds < 0 || seconds >= 2 ** 32)
    throw new Unavailable("node", `answered something unexpected as a time: ${seconds}`);
  return instantFromSeconds(seconds);
}

/** The header at a height of the best chain; null above its tip. */
export async function headerAt(
  rpc: JsonRpc,
  height: number,
  signal: AbortSignal,
): Promise<BlockRef | null> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const hash = await absentAsNull(rpc.call<unknown>("getblockhash", [height], signal));
    if (hash === null) return null;
    const header = await headerByHash(rpc, readText(hash), signal);
    if (header !== null) return header;
  }
  throw new Unavailable("node", `its best chain keeps changing at height ${height}`);
}

/** The newest block of the node's best chain. Throws `Unavailable` when it changes at every reading. */
export async function readTip(rpc: JsonRpc, signal: AbortSignal): Promise<BlockRef> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const hash = readText(await rpc.call("getbestblockhash", [], signal));
    const header = await headerByHash(rpc, hash, signal);
    if (header !== null) return header;
  }
  throw new Unavailable("node", "its best chain keeps changing at the tip");
}
