import type { BlockRef, TransactionStatus } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import {
  absentAsNull,
  type Fields,
  readFields,
  readInteger,
  readList,
  readText,
  resultOrNull,
} from "./answer.ts";
import type { BlockSource } from "./block-source.ts";
import { headerByHash, readTip } from "./headers.ts";
import { inputsOf } from "./senders.ts";

/** How many generations of lost parents are traced. */
const generationsMax = 25;
/** How many blocks are searched for the winning transaction; further back it stays unnamed. */
const searchedBlocks = 20;
/** How many outputs are tried to find a transaction on a node without an index. */
const triedOutputs = 10;

const unknown: TransactionStatus = { kind: "unknown" };

/**
 * The status of a transaction. A conflict is reported only with proof: the node has a transaction index up to its tip, does
 * not have the transaction on its best chain, and an output that it spends was created and spent there, or it is the coinbase of
 * another branch. Without an index the status is `unknown`. So is that of a payment whose unconfirmed parent was replaced: nodes
 * forget the parent, and with it what it spent.
 */
export async function readTransactionStatus(
  rpc: JsonRpc,
  source: BlockSource,
  txid: string,
  spends: readonly string[],
  signal: AbortSignal,
): Promise<TransactionStatus> {
  if (await source.isPending(txid, signal)) return { kind: "pending" };
  const tip = await readTip(rpc, signal);
  let indexed = await source.indexedHeight(signal);
  if (indexed === null) return await statusWithoutIndex(rpc, txid, tip, signal);
  let status = await statusOf(rpc, txid, signal);
  if (indexed < tip.height && status.kind !== "onBestChain") {
    // The index follows shortly behind each new block. The query made the node wait for it, so this answer is proof.
    indexed = (await source.indexedHeight(signal)) ?? indexed;
    status = await statusOf(rpc, txid, signal);
  }
  if (status.kind === "onBestChain") return { kind: "included", height: status.block.height };
  if (indexed < tip.height) return unknown;
  const isElsewhere = isLostCoinbase(status);
  const lost = isElsewhere ? null : await lostOutpoint(rpc, spends, generationsMax, signal);
  if (lost === null && !isElsewhere) return unknown;
  // All answers above must come from the same chain.
  if (readText(await rpc.call("getbestblockhash", [], signal)) !== tip.hash) return unknown;
  const winner = lost === null ? null : await findSpender(source, lost, tip, signal);
  // It was mined after all, between two queries or in another node's view.
  if (winner?.txid === txid) return { kind: "included", height: winner.height };
  return { kind: "conflicted", by: winner?.txid ?? null, height: winner?.height ?? null };
}

/** A transaction with an unspent output on the best chain is in that chain. */
async function statusWithoutIndex(
  rpc: JsonRpc,
  txid: string,
  tip: BlockRef,
  signal: AbortSignal,
): Promise<TransactionStatus> {
  const calls = Array.from({ length: triedOutputs }, (_, vout) => ({
    method: "gettxout",
    params: [txid, vout, false],
  }));
  for (const answer of await rpc.batch(calls, signal)) {
    const coin = resultOrNull(answer);
    if (coin === null) continue;
    const fields = readFields(coin);
    const base = await headerByHash(rpc, readText(fields["bestblock"]), signal);
    const height = (base ?? tip).height - readInteger(fields["confirmations"]) + 1;
    return { kind: "included", height };
  }
  return unknown;
}

type Status =
  | { readonly kind: "absent" }
  | { readonly kind: "waiting" }
  | { readonly kind: "onBestChain"; readonly block: BlockRef }
  /** Its block was orphaned and it is not pending. An index still returns it, with 0 confirmations. */
  | { readonly kind: "orphaned"; readonly transaction: Fields };

async function statusOf(rpc: JsonRpc, txid: string, signal: AbortSignal): Promise<Status> {
  const result = await absentAsNull(rpc.call<unknown>("getrawtransaction", [txid, 1], signal));
  if (result === null) return { kind: "absent" };
  const transaction = readFields(result);
  if (transaction["blockhash"] === undefined) return { kind: "waiting" };
  const block = await headerByHash(rpc, readText(transaction["blockhash"]), signal);
  return block === null ? { kind: "orphaned", transaction } : { kind: "onBestChain", block };
}

/** Whether only another branch can contain it: a coinbase is part of its block. */
function isLostCoinbase(status: Status): boolean {
  if (status.kind !== "orphaned") return false;
  const [input] = readList(status.transaction["vin"]);
  return input !== undefined && readFields(input)["coinbase"] !== undefined;
}

/**
 * The first outpoint that another transaction has spent on the best chain: one of these, or one that a lost ancestor needed; or
 * one that a coinbase of another branch created. Only for transactions that are not on the best chain themselves.
 */
async function lostOutpoint(
  rpc: JsonRpc,
  outpoints: readonly string[],
  generations: number,
  signal: AbortSignal,
): Promise<string | null> {
  if (generations === 0) return null;
  const coins = await rpc.batch(
    outpoints.map((outpoint) => ({
      method: "gettxout",
      params: [...splitOutpoint(outpoint), false],
    })),
    signal,
  );
  const spent = outpoints.filter((_, index) => {
    const answer = coins[index];
    return answer !== undefined && resultOrNull(answer) === null;
  });
  for (const outpoint of spent) {
    const [parent] = splitOutpoint(outpoint);
    const status = await statusOf(rpc, parent, signal);
    if (status.kind === "onBestChain" || isLostCoinbase(status)) return outpoint;
    if (status.kind !== "orphaned") continue;
    const needed = inputsOf(status.transaction).map((input) => input.outpoint);
    const lost = await lostOutpoint(rpc, needed, generations - 1, signal);
    if (lost !== null) return lost;
  }
  return null;
}

function splitOutpoint(outpoint: string): readonly [string, number] {
  const [txid = "", vout = ""] = outpoint.split(":");
  return [txid, Number(vout)];
}

async function findSpender(
  source: BlockSource,
  outpoint: string,
  tip: BlockRef,
  signal: AbortSignal,
): Promise<{ readonly txid: string; readonly height: number } | null> {
  let { hash } = tip;
  const lowest = Math.max(1, tip.height - searchedBlocks + 1);
  for (let { height } = tip; height >= lowest; height -= 1) {
    const block = await source.findSpender(hash, new Set([outpoint]), signal);
    if (block === null) return null;
    if (block.spender !== null) return { txid: block.spender.txid, height };
    hash = block.parentHash;
  }
  return null;
}
