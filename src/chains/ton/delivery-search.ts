import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { walkBack } from "./history.ts";
import { masterchainInfo } from "./questions.ts";
import {
  accountIdOf,
  blocksBetween,
  masterBlockAfter,
  newestBlockOf,
  type ShardBlock,
  transactionsIn,
} from "./shard-blocks.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction, InternalMessage } from "./transaction.ts";

/** The transaction that processed the message, in the blocks of its receiver's shard; null if it is in none of them yet. */
export type DeliverySearch = (
  ask: AskToncenter,
  message: InternalMessage,
) => Promise<ExecutedTransaction | null>;

/** Up to which block the search has not found the message. */
type Position = {
  /** The newest masterchain block when the search began. */
  readonly since: number;
  /** The masterchain block with which it continues. */
  readonly next: number;
  /** The newest block of the receiver's shard before that; null before the first block. */
  readonly top: ShardBlock | null;
};

/** After so many masterchain blocks a search begins again, in case that a node left out a transaction of a block. */
const repeatedAfter = 300;
const rememberedMax = 10_000;

/**
 * Searches the blocks of the receiver's shard from the message's creation on, whatever became of its account since. A deleted account has no
 * newest transaction from which its history could be read. toncenter's own search, `tryLocateResultTx`, looks at 40 transactions of three blocks only.
 */
export function createDeliverySearch(network: TonNetworkKind): DeliverySearch {
  const positions = new Map<string, Position>();
  return async (ask, message) => {
    const { height: newest } = await ask(masterchainInfo);
    const known = positions.get(message.hash);
    const begun =
      known === undefined || newest - known.since >= repeatedAfter
        ? await beginningOf(ask, message, newest)
        : known;
    const { found, position } = await searchUpTo(ask, network, message, begun, newest);
    positions.delete(message.hash);
    if (found !== null) return found;
    if (positions.size >= rememberedMax) positions.clear();
    positions.set(message.hash, position);
    return null;
  };
}

/** Whether the message was processed in a block to which the masterchain block at that height or one before it refers. */
export async function isDeliveredBy(
  ask: AskToncenter,
  network: TonNetworkKind,
  message: InternalMessage,
  height: number,
): Promise<boolean> {
  const begun = await beginningOf(ask, message, height);
  return (await searchUpTo(ask, network, message, begun, height)).found !== null;
}

/** Searches from that position on, up to a masterchain block and with it. */
async function searchUpTo(
  ask: AskToncenter,
  network: TonNetworkKind,
  message: InternalMessage,
  begun: Position,
  height: number,
): Promise<{ readonly found: ExecutedTransaction | null; readonly position: Position }> {
  const receiver = accountIdOf(message.to);
  let position = begun;
  while (position.next <= height) {
    const top = await ask(newestBlockOf(receiver, position.next));
    for (const block of await blocksBetween(ask, receiver, position.top, top)) {
      const found = await deliveryIn(ask, network, message, block);
      if (found !== null) return { found, position };
    }
    position = { ...position, next: position.next + 1, top };
  }
  return { found: null, position };
}

/** A message is processed in a block that the masterchain refers to no earlier than to the block that created it. */
async function beginningOf(
  ask: AskToncenter,
  { createdLt, to }: InternalMessage,
  newest: number,
): Promise<Position> {
  const next = await ask(masterBlockAfter(createdLt));
  const top = next > 1 ? await ask(newestBlockOf(accountIdOf(to), next - 1)) : null;
  return { since: newest, next, top };
}

async function deliveryIn(
  ask: AskToncenter,
  network: TonNetworkKind,
  message: InternalMessage,
  block: ShardBlock,
): Promise<ExecutedTransaction | null> {
  const listed = await transactionsIn(ask, accountIdOf(message.to), block, message.createdLt);
  const [oldest] = listed;
  if (oldest === undefined) return null;
  let below: bigint | null = null;
  for (const one of listed.toReversed()) {
    // The history of an account that was deleted in this very block ends there, and the one before begins at another transaction.
    if (below !== null && one.lt >= below) continue;
    for await (const read of walkBack(ask, network, message.to, one, oldest.lt - 1n)) {
      if (isDelivery(read, message)) return read;
      below = read.lt;
    }
  }
  return null;
}

/** Whether the transaction processed the message. */
export function isDelivery({ input }: ExecutedTransaction, { hash }: InternalMessage): boolean {
  return input?.kind === "internal" && input.message.hash === hash;
}
