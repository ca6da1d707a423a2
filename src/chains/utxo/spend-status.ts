import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Draft, SpendStatus } from "../paying-port.ts";
import type { BlockRef } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { absentAsNull } from "./answer.ts";
import type { BlockSource, ChainTransaction } from "./block-source.ts";
import { type DraftBody, outpointOf, readBody } from "./draft-body.ts";
import { headerAt, readTip } from "./headers.ts";
import { changePartsMax } from "./plan-spend.ts";
import type { ChainRules } from "./read-block.ts";
import { readTransactionStatus } from "./transaction-status.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** How many blocks are searched for the transaction that spent a coin if no source names it. */
const searchedBlocks = 1_000;

const unknown: SpendStatus = { kind: "unknown" };

type Spender = { readonly block: BlockRef; readonly transaction: ChainTransaction };

/**
 * The status of one of our transactions. A conflict is reported only if the other transaction was read and makes other
 * payments; one that makes the same payments (re-signed by us, or altered by a third party) counts as ours, mined.
 */
export async function readSpendStatus(
  rpc: JsonRpc,
  source: BlockSource,
  { chain, network }: ChainRules,
  txid: string,
  draft: Draft,
  signal: AbortSignal,
): Promise<SpendStatus> {
  const status = await readTransactionStatus(rpc, source, txid, draft.claims, signal);
  if (status.kind === "pending" || status.kind === "unknown") return status;
  if (status.kind === "included") {
    const block = await headerAt(rpc, status.height, signal);
    const isIn = block !== null && (await holds(rpc, source, chain, block, txid, signal));
    // The block was orphaned between the two queries; the next reading is consistent again.
    return isIn ? { kind: "mined", block, txid, hasSucceeded: true, feeUnits: null } : unknown;
  }
  const body = readBody(network, draft.body);
  const spender = await findSpender(rpc, source, new Set(draft.claims), status.height, signal);
  // Without the other transaction's payments, it cannot be concluded that ours were not made.
  if (spender === null) return status.by === null ? unknown : await conflictOf(rpc, status, signal);
  const { block, transaction } = spender;
  const other = transaction.txid;
  if (!makesSamePayments(body, transaction))
    return { kind: "conflicted", by: other, block: { height: block.height, hash: block.hash } };
  const feeUnits = await burntBy(source, body, transaction, signal);
  return { kind: "mined", block, txid: other, hasSucceeded: true, feeUnits };
}

/** Finds a conflict through what spent an output that an ancestor of this transaction needed. */
async function conflictOf(
  rpc: JsonRpc,
  { by, height }: { readonly by: string | null; readonly height: number | null },
  signal: AbortSignal,
): Promise<SpendStatus> {
  const header = height === null ? null : await headerAt(rpc, height, signal);
  const block = header === null ? null : { height: header.height, hash: header.hash };
  return { kind: "conflicted", by, block };
}

async function holds(
  rpc: JsonRpc,
  source: BlockSource,
  { findsById }: UtxoChain,
  block: BlockRef,
  txid: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (findsById === true) return (await source.txidsIn(block, signal))?.includes(txid) === true;
  const params = [txid, 0, block.hash];
  return (await absentAsNull(rpc.call<unknown>("getrawtransaction", params, signal))) !== null;
}

/** The transaction that spends one of these, in the block at that height, or searched from the tip down. */
async function findSpender(
  rpc: JsonRpc,
  source: BlockSource,
  claims: ReadonlySet<string>,
  height: number | null,
  signal: AbortSignal,
): Promise<Spender | null> {
  let block = height === null ? await readTip(rpc, signal) : await headerAt(rpc, height, signal);
  for (let left = height === null ? searchedBlocks : 1; left > 0 && block !== null; left -= 1) {
    const found = await source.findSpender(block.hash, claims, signal);
    if (found === null) return null;
    if (found.spender !== null) return { block, transaction: found.spender };
    block = left > 1 ? await headerAt(rpc, block.height - 1, signal) : null;
  }
  return null;
}

/** Whether it makes the same payments, and no more other outputs than change may have. Without payments: the same receivers. */
function makesSamePayments({ outputs }: DraftBody, transaction: ChainTransaction): boolean {
  const created = [...transaction.outputs];
  const payments = outputs.filter(({ change }) => change === null);
  if (payments.length === 0)
    return created.every(({ script }) => outputs.some((output) => output.script === script));
  for (const payment of payments) {
    const at = created.findIndex(
      ({ script, units }) => script === payment.script && units === payment.units,
    );
    if (at === -1) return false;
    created.splice(at, 1);
  }
  return created.length <= changePartsMax;
}

/** The transaction's inputs less its outputs, in units. */
async function burntBy(
  source: BlockSource,
  { coins }: DraftBody,
  { claims, outputs }: ChainTransaction,
  signal: AbortSignal,
): Promise<bigint> {
  const known = new Map(coins.map(({ claim, units }) => [claim, units]));
  const foreign = claims.filter((claim) => !known.has(claim)).map(outpointOf);
  const parents = await source.transactions([...new Set(foreign.map(({ txid }) => txid))], signal);
  for (const { txid, vout } of foreign) {
    const output = parents.get(txid)?.outputs[vout];
    if (output === undefined)
      throw new Unavailable("node", `lacks the transaction that created ${txid}:${vout}`);
    known.set(`${txid}:${vout}`, output.units);
  }
  const taken = claims.reduce((sum, claim) => sum + (known.get(claim) ?? 0n), 0n);
  return outputs.reduce((rest, { units }) => rest - units, taken);
}
