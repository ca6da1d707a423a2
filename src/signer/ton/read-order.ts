import { DraftRefused } from "../draft-signer.ts";
import { subwallet, timeout } from "./account.ts";
import type { Cell } from "./cell.ts";
import { type CellReader, readCell } from "./cell-reader.ts";

/** What the one message of an order does. Accounts are ids of 32 bytes, units of coin are nanotons. */
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

/** An order to the highload wallet: one message, executed once for the query before its time has passed. */
export type TonOrder = {
  readonly call: TonCall;
  /** Null for none. */
  readonly comment: string | null;
  /** Whether the money comes back if the receiver's contract fails. */
  readonly bounces: boolean;
  /** 13 bits of shift and 10 bits of number. */
  readonly query: bigint;
  /** Seconds since 1970. */
  readonly createdAt: bigint;
};

/** Gas is paid by the wallet, beside the value. */
const payGasSeparately = 1n;
const jettonTransfer = 0x0f8a7ea5n;
/** Nanotons that tell the receiver's contract about a jetton. */
const notificationValue = 1n;

/**
 * Reads what the wallet's owner signs (`MsgInner` of the highload wallet v3): one internal message, to another account, with a comment or a
 * transfer of a jetton. `own` is the wallet, to which the rest of a jetton's cost has to return. Throws `DraftRefused` for anything else.
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
  return { ...readMessage(message, own), query, createdAt };
}

function readMessage(cell: Cell, own: Uint8Array): Pick<TonOrder, "call" | "comment" | "bounces"> {
  const reader = readCell(cell);
  // An internal message, without instant routing.
  reader.expect(2, 0b01n, "no internal message");
  const bounces = reader.uint(1) === 1n;
  reader.expect(3, 0n, "a sender of its own");
  const to = reader.account("the receiver");
  const value = reader.coins();
  // No other currencies, no fees of its own, no time, no code.
  reader.expect(1 + 4 + 4 + 64 + 32 + 1, 0n, "more than a value");
  const body = readBody(reader);
  reader.end();
  if (body === null) return { call: { type: "coin", to, units: value }, comment: null, bounces };
  const content = readCell(body);
  const operation = content.uint(32);
  if (operation === 0n)
    return { call: { type: "coin", to, units: value }, comment: readText(content), bounces };
  if (operation !== jettonTransfer) throw new DraftRefused("has another operation than a transfer");
  const { comment, ...transfer } = readTransfer(content, own);
  return { call: { type: "jetton", wallet: to, value, ...transfer }, comment, bounces };
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
  if (rest.some((byte, at) => byte !== own[at]))
    throw new DraftRefused("sends the rest to another account");
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
