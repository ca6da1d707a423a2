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

export type TonOrder = {
  /** Our wallet. */
  readonly from: string;
  readonly call: TonCall;
  readonly comment: string | null;
  /** Whether the money comes back if the receiver's contract fails. */
  readonly bounces: boolean;
  readonly sequence: bigint;
  /** Seconds since 1970; the order is valid for `timeoutSeconds` from then on. */
  readonly createdAt: number;
  /** The public key of a wallet that has no code yet, which the message brings; otherwise null. */
  readonly deploys: Uint8Array | null;
};

/** Operations of TEP-74 and of bounced messages. */
export const operation = {
  comment: 0,
  jettonTransfer: 0x0f8a7ea5,
  jettonInternalTransfer: 0x178d4519,
  transferNotification: 0x7362d09c,
  excesses: 0xd53276db,
};

/** Gas is paid by the wallet, beside the value. */
const payGasSeparately = 1;
/** Nanotons with which a jetton's wallet tells the receiver. */
const notificationNano = 1n;

/** The draft's body: `order` is the cell that the signer signs, and the other members say what it does. */
export function writeBody(order: TonOrder): JsonObject {
  const { bounces, call, comment, createdAt, deploys, from, sequence } = order;
  const isJetton = call.type === "jetton";
  return {
    type: call.type,
    from,
    to: call.to,
    units: call.units.toString(),
    jettonWallet: isJetton ? call.jettonWallet : null,
    value: isJetton ? call.value.toString() : null,
    comment,
    bounces,
    sequence: sequence.toString(),
    createdAt: createdAt.toString(),
    init: deploys === null ? null : hexOf(initCell(deploys)),
    order: hexOf(orderCell(order)),
  };
}

function initCell(publicKey: Uint8Array): Cell {
  return beginCell()
    .store(storeStateInit(highloadStateInit(publicKey)))
    .endCell();
}

/** `MsgInner` of the highload wallet v3. */
function orderCell(order: TonOrder): Cell {
  return beginCell()
    .storeUint(subwalletId, 32)
    .storeRef(messageCell(order))
    .storeUint(payGasSeparately, 8)
    .storeUint(queryIdOf(order.sequence), 23)
    .storeUint(order.createdAt, 64)
    .storeUint(timeoutSeconds, 22)
    .endCell();
}

/** An internal message to another account; the chain fills in its sender, its time and its fees. */
function messageCell({ bounces, call, comment, from, sequence }: TonOrder): Cell {
  const isJetton = call.type === "jetton";
  const message = beginCell()
    .storeUint(0b01, 2)
    .storeBit(bounces)
    .storeUint(0, 3)
    .storeAddress(parse(isJetton ? call.jettonWallet : call.to))
    .storeCoins(isJetton ? call.value : call.units)
    .storeUint(0, 1 + 4 + 4)
    .storeUint(0, 64 + 32 + 1);
  if (!isJetton)
    return comment === null
      ? message.storeBit(false).endCell()
      : message.storeBit(true).storeRef(commentCell(comment)).endCell();
  const transfer = beginCell()
    .storeUint(operation.jettonTransfer, 32)
    .storeUint(sequence, 64)
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
