import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import type { Draft, SpendStatus } from "../paying-port.ts";
import type { CardanoTransaction } from "./block.ts";
import { headerOf } from "./block-content.ts";
import type { CardanoLink } from "./cardano-node.ts";
import type { ReadBlock } from "./chain-memory.ts";
import { blockOf } from "./chain-walk.ts";
import { type DraftBody, readBody } from "./draft-body.ts";
import { isWaiting } from "./mempool.ts";
import { type Point, spellPoint } from "./point.ts";
import { readSlotTimes } from "./slot-times.ts";
import { inclusionOf, rivalOf } from "./transaction-status.ts";

const unknown: SpendStatus = { kind: "unknown" };

/**
 * The status of one of our transactions. A conflict is reported only if the other transaction was read and makes other payments; one that makes
 * the same payments counts as ours, mined.
 */
export async function readSpendStatus(
  link: CardanoLink,
  network: CardanoNetworkId,
  txid: string,
  draft: Draft,
): Promise<SpendStatus> {
  if (await isWaiting(link, txid)) return { kind: "pending" };
  const included = await inclusionOf(link, txid);
  if (included !== null) return await statusIn(link, network, included.point, txid, draft);
  const rival = await rivalOf(link, txid, draft.claims);
  return rival === null ? unknown : await statusIn(link, network, rival.at, txid, draft);
}

async function statusIn(
  link: CardanoLink,
  network: CardanoNetworkId,
  point: Point,
  txid: string,
  { body, claims }: Draft,
): Promise<SpendStatus> {
  const block = await blockOf(link, point);
  if (block === null) return unknown;
  const own = block.transactions.find((one) => one.txid === txid);
  if (own !== undefined) return await mined(link, block, own, null);
  const spent = new Set(claims);
  const other = block.transactions.find((one) => one.claims.some((claim) => spent.has(claim)));
  if (other === undefined) return unknown;
  if (makesSamePayments(readBody(network, body), other))
    return await mined(link, block, other, other.feeUnits);
  const { height } = block;
  return { kind: "conflicted", by: other.txid, block: { height, hash: spellPoint(block.point) } };
}

async function mined(
  link: CardanoLink,
  block: ReadBlock,
  { hasSucceeded, txid }: CardanoTransaction,
  feeUnits: bigint | null,
): Promise<SpendStatus> {
  const header = headerOf(block, await readSlotTimes(link));
  return { kind: "mined", block: header, txid, hasSucceeded, feeUnits };
}

/** Whether it makes the same payments. Without payments: pays none but our change addresses. */
function makesSamePayments({ outputs }: DraftBody, transaction: CardanoTransaction): boolean {
  const created = [...transaction.outputs];
  const payments = outputs.filter(({ change }) => change === null);
  if (payments.length === 0)
    return created.every(({ address }) => outputs.some((output) => output.address === address));
  for (const payment of payments) {
    const at = created.findIndex(
      ({ address, units }) => address === payment.address && units === payment.units,
    );
    if (at === -1) return false;
    created.splice(at, 1);
  }
  return true;
}
