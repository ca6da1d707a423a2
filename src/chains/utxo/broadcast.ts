import type { TransactionFormat } from "../../currencies/utxo-facts.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import type { BlockRef } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { absentAsNull, readFields, readText } from "./answer.ts";
import type { BlockSource } from "./block-source.ts";
import { headerByHash } from "./headers.ts";
import { doubleHash, idText, plainTransaction } from "./parse-transaction.ts";
import type { UtxoChain } from "./utxo-chain.ts";
import { idOfV5 } from "./v5-id.ts";

/** `RPC_VERIFY_ALREADY_IN_UTXO_SET`, once `RPC_VERIFY_ALREADY_IN_CHAIN`. */
const alreadyInChain = -27;
/** Bitcoin Core, and Zebra. */
const isKnownText = /txn-already-(?:in-mempool|known)|transaction already exists in mempool/;
/** The draft limits the fee rate, so the node's own limit is disabled. */
const anyRate = 0;
/** The same where it is a switch. */
const allowsHighFees = true;

/**
 * Broadcasts a signed transaction. A node silently accepts a transaction that it already has, so the mempool is checked first. It
 * gets the transaction all the same: nodes of Dogecoin and Bitcoin Cash announce one only to the peers of that moment and never
 * again, so one that no peer was there for stays with the node until it is sent again. If the same transaction has spent the coins
 * in a block, the node may only report spent coins.
 */
export async function broadcast(
  rpc: JsonRpc,
  source: Pick<BlockSource, "isPending">,
  chain: Pick<UtxoChain, "highFeeSwitch" | "signatureHash" | "transactionFormat">,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const bytes = Buffer.from(raw);
  const txid =
    chain.signatureHash === "zip244"
      ? idOfV5(bytes)
      : transactionId(bytes, chain.transactionFormat);
  const isPending = await source.isPending(txid, signal);
  try {
    // Broadcasting twice is harmless, so transport faults are retried.
    const limit = chain.highFeeSwitch === true ? allowsHighFees : anyRate;
    const params = chain.signatureHash === "zip244" ? [] : [limit];
    await rpc.call("sendrawtransaction", [bytes.toString("hex"), ...params], signal);
    return { kind: isPending ? "alreadyKnown" : "accepted" };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const isKnown =
      isPending ||
      error.code === alreadyInChain ||
      isKnownText.test(error.message) ||
      (await blockOf(rpc, txid, signal)) !== null;
    return isKnown ? { kind: "alreadyKnown" } : { kind: "rejected", reason: error.message };
  }
}

function transactionId(bytes: Buffer, format: TransactionFormat): string {
  return idText(Buffer.from(doubleHash(plainTransaction(bytes, format)), "binary"));
}

/**
 * The best chain's block that contains the transaction; null if the node knows none. An index still returns a transaction
 * whose block was orphaned, with that block's hash, so the block itself is requested too. A node without an index finds a mined
 * transaction only if the request names its block.
 */
async function blockOf(rpc: JsonRpc, txid: string, signal: AbortSignal): Promise<BlockRef | null> {
  const result = await absentAsNull(rpc.call<unknown>("getrawtransaction", [txid, 1], signal));
  if (result === null) return null;
  const { blockhash } = readFields(result) as { blockhash?: unknown };
  return blockhash === undefined ? null : await headerByHash(rpc, readText(blockhash), signal);
}
