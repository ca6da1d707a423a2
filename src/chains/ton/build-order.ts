import { beginCell, type Cell, storeStateInit } from "@ton/core";
import { readTonAddress } from "../../currencies/ton-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { addressOf, highloadStateInit, subwalletId, timeoutSeconds } from "./highload-wallet.ts";
import { queryIdOf } from "./query-id.ts";

/** What a message of ours does; accounts are in their canonical spelling, units of coin are nanotons. */
export type TonCall =
  | { readonly type: "coin"; readonly to: string; readonly units: bigint }
  /** Asks our wallet of a jetton to send. `value` goes along for its cost, and what is left of it comes back. */
  | {
      readonly type: "jetton";
      readonly jettonWallet: string;
      readonly value: bigint;
      readonly to: string;
      readonly units: bigint;
    };

/** One payment of an order. */
export type TonPayment = {
  readonly call: TonCall;
  readonly comment: string | null;
  /** Whether the money comes back if the receiver's contract fails. */
  readonly bounces: boolean;
};

export type TonOrder = {
  /** Our wallet. */
  readonly from: string;
  /** At least one, at most `paymentsMax`. */
  readonly payments: readonly TonPayment[];
  readonly sequence: bigint;
  /** Seconds since 1970; the order is valid for `timeoutSeconds` from then on. */
  readonly createdAt: number;
  /** The public key of a wallet that has no code yet, which the message brings; otherwise null. */
  readonly deploys: Uint8Array | null;
  /** What each payment may cost besides what goes along with it, in nanotons: the bytes do not say it, and the signer bounds it. */
  readonly networkFee: bigint;
};

/** Operations of TEP-74 and of bounced messages. */
export const operation = {
  comment: 0,
  jettonTransfer: 0x0f8a7ea5,
  jettonInternalTransfer: 0x178d4519,
  transferNotification: 0x7362d09c,
  excesses: 0xd53276db,
  /** The highload wallet asks itself to send several messages. */
  internalTransfer: 0xae42e5a4,
};

/** The most payments of an order: the wallet would take 254, but a message has to stay small. */
export const paymentsMax = 50;

/** Gas is paid by the wallet, beside the value. */
const payGasSeparately = 1;
/** A message that the wallet cannot send is left out, and the others are sent. */
const ignoreErrors = 2;
/** `action_send_msg`. */
const sendMessage = 0x0ec3c86d;
/** Nanotons that the wallet sends to itself for the gas of sending several messages; what is left stays in it. */
const ownValue = 50_000_000n;
/** Nanotons with which a jetton's wallet tells the receiver. */
const notificationNano = 1n;

/** The draft's body: `order` is the cell that the signer signs, and the other members say what it does. */
export function writeBody(order: TonOrder): JsonObject {
  const { createdAt, deploys, from, networkFee, payments, sequence } = order;
  const members = payments.map(membersOf);
  return {
    ...(members.length === 1 ? members[0] : { payments: members }),
    from,
    sequence: sequence.toString(),
    createdAt: createdAt.toString(),
    networkFee: networkFee.toString(),
    init: deploys === null ? null : hexOf(initCell(deploys)),
    order: hexOf(orderCell(order)),
  };
}

function membersOf({ bounces, call, comment }: TonPayment): JsonObject {
  const isJetton = call.type === "jetton";
  return {
    type: call.type,
    to: call.to,
    units: call.units.toString(),
    jettonWallet: isJetton ? call.jettonWallet : null,
    value: isJetton ? call.value.toString() : null,
    comment,
    bounces,
  };
}

function initCell(publicKey: Uint8Array): Cell {
  return beginCell()
    .store(storeStateInit(highloadStateInit(publicKey)))
    .endCell();
}

/** `MsgInner` of the highload wallet v3. One payment is its message; for several, the wallet first sends their messages to itself. */
function orderCell(order: TonOrder): Cell {
  const { from, payments, sequence } = order;
  const messages = payments.map((payment, place) =>
    messageCell(payment, from, answerNumber(sequence, place)),
  );
  return beginCell()
    .storeUint(subwalletId, 32)
    .storeRef(
      messages.length === 1
        ? present(messages[0], "a message")
        : passOnCell(from, sequence, messages),
    )
    .storeUint(payGasSeparately, 8)
    .storeUint(queryIdOf(sequence), 23)
    .storeUint(order.createdAt, 64)
    .storeUint(timeoutSeconds, 22)
    .endCell();
}

/** An internal message to another account; the chain fills in its sender, its time and its fees. */
function headOf(to: string, value: bigint, bounces: boolean) {
  return beginCell()
    .storeUint(0b01, 2)
    .storeBit(bounces)
    .storeUint(0, 3)
    .storeAddress(parse(to))
    .storeCoins(value)
    .storeUint(0, 1 + 4 + 4)
    .storeUint(0, 64 + 32 + 1);
}

/** With which a jetton's contracts answer the payment at that place of an order. */
function answerNumber(sequence: bigint, place: number): bigint {
  return (BigInt(place) << 56n) | sequence;
}

/** The wallet's message to itself: a list of actions, of which each cell holds the one before. */
function passOnCell(from: string, sequence: bigint, messages: readonly Cell[]): Cell {
  let actions = beginCell().endCell();
  for (const message of messages)
    actions = beginCell()
      .storeRef(actions)
      .storeUint(sendMessage, 32)
      .storeUint(payGasSeparately | ignoreErrors, 8)
      .storeRef(message)
      .endCell();
  const body = beginCell()
    .storeUint(operation.internalTransfer, 32)
    .storeUint(queryIdOf(sequence), 64)
    .storeRef(actions)
    .endCell();
  return headOf(from, ownValue, false).storeBit(true).storeRef(body).endCell();
}

/** The messages of a list of actions, in their order; null if it is no such list. */
export function messagesIn(actions: Cell): readonly Cell[] | null {
  const messages: Cell[] = [];
  let list = actions;
  while (list.bits.length > 0) {
    const slice = list.beginParse();
    if (slice.remainingBits !== 40 || slice.remainingRefs !== 2) return null;
    if (slice.loadUint(32) !== sendMessage) return null;
    list = slice.loadRef();
    messages.unshift(slice.loadRef());
  }
  return messages;
}

function messageCell(
  { bounces, call, comment }: TonPayment,
  from: string,
  answersTo: bigint,
): Cell {
  const isJetton = call.type === "jetton";
  const message = isJetton
    ? headOf(call.jettonWallet, call.value, bounces)
    : headOf(call.to, call.units, bounces);
  if (!isJetton)
    return comment === null
      ? message.storeBit(false).endCell()
      : message.storeBit(true).storeRef(commentCell(comment)).endCell();
  const transfer = beginCell()
    .storeUint(operation.jettonTransfer, 32)
    .storeUint(answersTo, 64)
    .storeCoins(call.units)
    .storeAddress(parse(call.to))
    .storeAddress(parse(from))
    .storeBit(false)
    .storeCoins(notificationNano);
  if (comment === null) transfer.storeBit(false);
  else transfer.storeBit(true).storeRef(commentCell(comment));
  return message.storeBit(true).storeRef(transfer).endCell();
}

function commentCell(comment: string): Cell {
  return beginCell()
    .storeUint(operation.comment, 32)
    .storeBuffer(Buffer.from(comment, "utf8"))
    .endCell();
}

function parse(account: string) {
  return addressOf(present(readTonAddress(account), "an address").id);
}

/** A bag of cells without index and checksum. */
function hexOf(cell: Cell): string {
  return cell.toBoc({ idx: false, crc32: false }).toString("hex");
}
