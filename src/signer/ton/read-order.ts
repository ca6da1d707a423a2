import { DraftRefused } from "../draft-signer.ts";
import { subwallet, timeout } from "./account.ts";
import type { Cell } from "./cell.ts";
import { type CellReader, readCell } from "./cell-reader.ts";

/** What a message of an order does. Accounts are ids of 32 bytes, units of coin are nanotons. */
export type TonCall =
  | { readonly type: "coin"; readonly to: Uint8Array; readonly units: bigint }
  /** Asks our wallet of a jetton to send; `value` goes along for its cost, and what is left comes back. */
  | {
      readonly type: "jetton";
      readonly wallet: Uint8Array;
      readonly value: bigint;
      readonly to: Uint8Array;
      readonly units: bigint;
      /** With which the jetton's contracts answer. */
      readonly answersTo: bigint;
    };

/** One payment of an order. */
export type TonPayment = {
  readonly call: TonCall;
  /** Null for none. */
  readonly comment: string | null;
  /** Whether the money comes back if the receiver's contract fails. */
  readonly bounces: boolean;
};

/** An order to the highload wallet, executed once for the query before its time has passed. */
export type TonOrder = {
  readonly payments: readonly TonPayment[];
  /** 13 bits of shift and 10 bits of number. */
  readonly query: bigint;
  /** Seconds since 1970. */
  readonly createdAt: bigint;
};

/** Gas is paid by the wallet, beside the value. */
const payGasSeparately = 1n;
/** What cannot be sent is left out. */
const ignoreErrors = 2n;
const jettonTransfer = 0x0f8a7ea5n;
/** The wallet asks itself to send several messages. */
const internalTransfer = 0xae42e5a4n;
/** `action_send_msg`. */
const sendMessage = 0x0ec3c86dn;
/** Nanotons that tell the receiver's contract about a jetton. */
const notificationValue = 1n;
/** Nanotons that the wallet sends to itself with several messages, for their gas. */
const ownValue = 50_000_000n;

/**
 * Reads what the wallet's owner signs (`MsgInner` of the highload wallet v3): one internal message, to another account, with a comment or a
 * transfer of a jetton; or several of them, in a list that the wallet sends to itself. `own` is the wallet, to which the rest of a jetton's cost
 * has to return. Throws `DraftRefused` for anything else.
 */
export function readOrder(cell: Cell, own: Uint8Array): TonOrder {
  const reader = readCell(cell);
  reader.expect(32, subwallet, "another wallet's number");
  const message = reader.ref();
  reader.expect(8, payGasSeparately, "another way of sending");
  const query = reader.uint(23);
  const createdAt = reader.uint(64);
  reader.expect(22, timeout, "another timeout");
  reader.end();
  return { payments: readMessages(message, own, query), query, createdAt };
}

function readMessages(cell: Cell, own: Uint8Array, query: bigint): readonly TonPayment[] {
  const { body, bounces, to, value } = readEnvelope(cell);
  if (!isSame(to, own)) return [readPayment(cell, own)];
  if (bounces || value !== ownValue || body === null)
    throw new DraftRefused("has a message to the wallet itself that is no list of payments");
  const content = readCell(body);
  content.expect(32, internalTransfer, "a message to the wallet itself that is no list");
  content.expect(64, query, "a list for another query");
  const messages = readActions(content.ref());
  content.end();
  if (messages.length < 2) throw new DraftRefused("has a list of fewer than two payments");
  return messages.map((message) => readPayment(message, own));
}

/** The messages of a list of actions: each cell holds the ones before it. */
function readActions(list: Cell): readonly Cell[] {
  const messages: Cell[] = [];
  for (let left = list; left.bitLength > 0 || left.refs.length > 0; ) {
    const reader = readCell(left);
    left = reader.ref();
    reader.expect(32, sendMessage, "an action other than to send");
    reader.expect(8, payGasSeparately | ignoreErrors, "another way of sending");
    messages.unshift(reader.ref());
    reader.end();
  }
  return messages;
}

type Envelope = {
  readonly bounces: boolean;
  readonly to: Uint8Array;
  readonly value: bigint;
  readonly body: Cell | null;
};

/** An internal message, without instant routing. */
function readEnvelope(cell: Cell): Envelope {
  const reader = readCell(cell);
  reader.expect(2, 0b01n, "no internal message");
  const bounces = reader.uint(1) === 1n;
  reader.expect(3, 0n, "a sender of its own");
  const to = reader.account("the receiver");
  const value = reader.coins();
  // No other currencies, no fees of its own, no time, no code.
  reader.expect(1 + 4 + 4 + 64 + 32 + 1, 0n, "more than a value");
  const body = readBody(reader);
  reader.end();
  return { bounces, to, value, body };
}

function readPayment(cell: Cell, own: Uint8Array): TonPayment {
  const { body, bounces, to, value } = readEnvelope(cell);
  if (isSame(to, own)) throw new DraftRefused("pays the wallet itself");
  if (body === null) return { call: { type: "coin", to, units: value }, comment: null, bounces };
  const content = readCell(body);
  const operation = content.uint(32);
  if (operation === 0n)
    return { call: { type: "coin", to, units: value }, comment: readText(content), bounces };
  if (operation !== jettonTransfer) throw new DraftRefused("has another operation than a transfer");
  const { comment, ...transfer } = readTransfer(content, own);
  return { call: { type: "jetton", wallet: to, value, ...transfer }, comment, bounces };
}

function isSame(account: Uint8Array, other: Uint8Array): boolean {
  return account.length === other.length && account.every((byte, at) => byte === other[at]);
}

/** In a cell of its own; null for an empty one. */
function readBody(reader: CellReader): Cell | null {
  return reader.uint(1) === 1n ? reader.ref() : null;
}

/** A comment that fits its cell: the prefix was read before. */
function readText(reader: CellReader): string {
  const bytes = reader.rest();
  reader.end();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DraftRefused("has a comment that is not text");
  }
}

/** `transfer` of TEP-74, after its operation. */
function readTransfer(
  reader: CellReader,
  own: Uint8Array,
): Pick<Extract<TonCall, { readonly type: "jetton" }>, "to" | "units" | "answersTo"> & {
  readonly comment: string | null;
} {
  const answersTo = reader.uint(64);
  const units = reader.coins();
  const to = reader.account("the receiver of the jetton");
  const rest = reader.account("the receiver of the rest");
  if (!isSame(rest, own)) throw new DraftRefused("sends the rest to another account");
  reader.expect(1, 0n, "a payload for the jetton's wallet");
  if (reader.coins() !== notificationValue)
    throw new DraftRefused("forwards more than a notification");
  const payload = readBody(reader);
  reader.end();
  if (payload === null) return { to, units, answersTo, comment: null };
  const text = readCell(payload);
  text.expect(32, 0n, "a payload that is no comment");
  return { to, units, answersTo, comment: readText(text) };
}
