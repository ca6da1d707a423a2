import { blake2b } from "@noble/hashes/blake2.js";
import { assert } from "../../platform/kernel/assert.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import { RpcError } from "../rpc/node-error.ts";
import type { CardanoLink } from "./cardano-node.ts";
import { outputsOf } from "./kupo-matches.ts";
import { isWaiting } from "./mempool.ts";
import { readUnspent } from "./utxo-query.ts";

/**
 * Submits a signed transaction. A node that has it already sees its inputs as spent and refuses it, so the mempool and the chain are asked
 * whether they have it.
 */
export async function broadcast(link: CardanoLink, raw: Uint8Array): Promise<BroadcastOutcome> {
  const txid = transactionId(raw);
  try {
    const cbor = Buffer.from(raw).toString("hex");
    await link.ogmios("submitTransaction", { transaction: { cbor } }, () => undefined);
    return { kind: "accepted" };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const isKnown =
      (await isWaiting(link, txid)) ||
      (await readUnspent(link, [`${txid}:0`])).size > 0 ||
      (await outputsOf(link, txid)).length > 0;
    return isKnown ? { kind: "alreadyKnown" } : { kind: "rejected", reason: reasonOf(error) };
  }
}

const reasonLength = 500;

function reasonOf({ data, message }: RpcError): string {
  const detail = data === undefined ? "" : ` ${JSON.stringify(data)}`;
  return `${message}${detail}`.slice(0, reasonLength);
}

/** The hash of the body: the first of the four parts `[body, witnesses, true, null]`, of which the signer made the others. */
export function transactionId(raw: Uint8Array): string {
  assert(raw[0] === 0x84, "a signed transaction of this program");
  const end = endOfItem(raw, 1);
  return Buffer.from(blake2b(raw.subarray(1, end), { dkLen: 32 })).toString("hex");
}

/** Where the CBOR item ends that begins there. Our own transactions have no items of unknown length. */
function endOfItem(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const short = first & 0x1f;
  const length = short < 24 ? 0 : 2 ** (short - 24);
  assert(short < 28, "an item of a known length");
  const argument =
    length === 0
      ? short
      : Number(`0x${Buffer.from(bytes.subarray(at + 1, at + 1 + length)).toString("hex")}`);
  let end = at + 1 + length;
  const major = first >> 5;
  if (major === 2 || major === 3) return end + argument;
  const items = major === 4 ? argument : major === 5 ? 2 * argument : major === 6 ? 1 : 0;
  for (let item = 0; item < items; item += 1) end = endOfItem(bytes, end);
  return end;
}
