import { type Cell, loadMessageRelaxed } from "@ton/core";
import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { messagesIn, operation } from "./build-order.ts";
import { walkBack } from "./history.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import { type ExecutedTransaction, type InternalMessage, textOfAddress } from "./transaction.ts";

/*
 * One payment leaves the wallet in the transaction of its owner's order. For several, the order's transaction sends a message to the wallet
 * itself, and the wallet's next transaction sends the payments.
 */

/** The list of actions that a message asks the wallet to carry out, which only the wallet itself can ask; otherwise null. */
function actionsOf({ body, from, isBounced, to }: InternalMessage): Cell | null {
  if (from !== to || isBounced) return null;
  const slice = body.beginParse();
  if (slice.remainingBits !== 32 + 64 || slice.remainingRefs !== 1) return null;
  return slice.loadUint(32) === operation.internalTransfer ? slice.loadRef() : null;
}

/** The message with which an order's transaction passes several payments on to the wallet's next one; null for other transactions. */
export function passedOn({ input, sent }: ExecutedTransaction): InternalMessage | null {
  const [message] = sent;
  if (input?.kind !== "external" || message === undefined) return null;
  return actionsOf(message) === null ? null : message;
}

/** The message that asks for this transaction's payments, where it came from the wallet itself; otherwise null. */
export function passedOnTo({ input }: ExecutedTransaction): InternalMessage | null {
  return input?.kind === "internal" && actionsOf(input.message) !== null ? input.message : null;
}

/**
 * The messages of the payments that the owner ordered, in the order's order; null for one that the wallet could not send. Null for a
 * transaction that carries out no order.
 */
export function orderedMessages(
  transaction: ExecutedTransaction,
  network: TonNetworkKind,
): readonly (InternalMessage | null)[] | null {
  const { input, sent } = transaction;
  if (input?.kind === "external") {
    if (passedOn(transaction) !== null) return null;
    return sent.length === 0 ? [null] : sent;
  }
  const request = passedOnTo(transaction);
  const actions = request === null ? null : actionsOf(request);
  if (actions === null) return null;
  const ordered = messagesIn(actions);
  return ordered === null ? sent : match(ordered, sent, network);
}

/** What was left out is missing among the messages that were sent, whose order is that of the list. */
function match(
  ordered: readonly Cell[],
  sent: readonly InternalMessage[],
  network: TonNetworkKind,
): readonly (InternalMessage | null)[] {
  let next = 0;
  return ordered.map((cell) => {
    const message = sent[next];
    if (message === undefined || !isSame(cell, message, network)) return null;
    next += 1;
    return message;
  });
}

function isSame(
  cell: Cell,
  { body, to, value }: InternalMessage,
  network: TonNetworkKind,
): boolean {
  const { info, body: ordered } = loadMessageRelaxed(cell.beginParse());
  return (
    info.type === "internal" &&
    textOfAddress(info.dest, network) === to &&
    info.value.coins === value &&
    ordered.equals(body)
  );
}

/** A transaction creates its messages directly after its own logical time. */
const createdAfterMax = 300n;

/** The transaction of the order that was passed on to this one; null if there is none. */
export async function orderBefore(
  ask: AskToncenter,
  network: TonNetworkKind,
  { account, previous }: Pick<ExecutedTransaction, "account" | "previous">,
  { createdLt, hash }: InternalMessage,
): Promise<ExecutedTransaction | null> {
  const since = createdLt - createdAfterMax;
  for await (const one of walkBack(ask, network, account, previous, since))
    if (one.sent.some((message) => message.hash === hash)) return one;
  return null;
}
