import type { Cell, Slice } from "@ton/core";
import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { operation } from "./build-order.ts";
import { accountText } from "./questions.ts";

/** What the body of a message asks its receiver to do. */
export type MessageBody =
  /** Nothing but to keep the money; null without a comment, or with one that is encrypted. */
  | { readonly kind: "money"; readonly comment: string | null }
  /** A wallet of a jetton tells its owner that `units` arrived from an account; null outside the basic workchain. */
  | {
      readonly kind: "jettonArrived";
      readonly units: bigint;
      readonly from: string | null;
      readonly comment: string | null;
    }
  /** The owner asks its wallet of a jetton to send. */
  | {
      readonly kind: "jettonTransfer";
      readonly units: bigint;
      readonly to: string | null;
      readonly comment: string | null;
    }
  /** One wallet of a jetton passes `units` of that account to another; null outside the basic workchain, and where it names none. */
  | {
      readonly kind: "jettonMoves";
      readonly units: bigint;
      readonly queryId: bigint;
      readonly from: string | null;
    }
  /** What was left of the cost of a jetton's transfer. */
  | { readonly kind: "excess" }
  | { readonly kind: "other" };

/** Reads a body; one that does not keep to its operation's form is `other`, since contracts write what they like. */
export function readBody(body: Cell, network: TonNetworkKind): MessageBody {
  const slice = body.beginParse();
  if (slice.remainingBits < 32) return { kind: "money", comment: null };
  try {
    return readOperation(slice, slice.loadUint(32), network);
  } catch {
    return { kind: "other" };
  }
}

function readOperation(slice: Slice, op: number, network: TonNetworkKind): MessageBody {
  switch (op) {
    case operation.comment:
      return { kind: "money", comment: textIn(slice) };
    case operation.transferNotification: {
      slice.skip(64);
      const units = slice.loadCoins();
      const from = slice.loadMaybeAddress();
      return {
        kind: "jettonArrived",
        units,
        from: from === null ? null : accountText(from, network),
        comment: commentInPayload(slice),
      };
    }
    case operation.jettonTransfer: {
      slice.skip(64);
      const units = slice.loadCoins();
      const to = accountText(slice.loadAddress(), network);
      slice.loadMaybeAddress();
      slice.loadMaybeRef();
      slice.loadCoins();
      return { kind: "jettonTransfer", units, to, comment: commentInPayload(slice) };
    }
    case operation.jettonInternalTransfer: {
      const queryId = slice.loadUintBig(64);
      const units = slice.loadCoins();
      return { kind: "jettonMoves", queryId, units, from: accountIn(slice, network) };
    }
    case operation.excesses:
      return { kind: "excess" };
    default:
      return { kind: "other" };
  }
}

/** The account that comes next; null if none does, since a master may leave out who sent what it creates. */
function accountIn(slice: Slice, network: TonNetworkKind): string | null {
  try {
    const account = slice.loadMaybeAddress();
    return account === null ? null : accountText(account, network);
  } catch {
    return null;
  }
}

/** The query id of a jetton's transfer that came back: bounced bodies begin with 32 ones. Null for anything else. */
export function returnedQueryId(body: Cell): bigint | null {
  const slice = body.beginParse();
  if (slice.remainingBits < 32 + 32 + 64 || slice.loadUint(32) !== 0xffffffff) return null;
  return slice.loadUint(32) === operation.jettonInternalTransfer ? slice.loadUintBig(64) : null;
}

/** The forwarded payload of TEP-74, in the same cell or in one of its own: a comment, or null. */
function commentInPayload(slice: Slice): string | null {
  try {
    if (slice.remainingBits === 0) return null;
    const payload = slice.loadBit() ? slice.loadRef().beginParse() : slice;
    if (payload.remainingBits < 32 || payload.loadUint(32) !== operation.comment) return null;
    return textIn(payload);
  } catch {
    return null;
  }
}

/** Longer comments are cut: no tag is longer, and anyone may send one. */
const textBytesMax = 512;

/**
 * UTF-8 text that may continue in further cells, without blanks around it; null for none. What is no text, and control characters, which a
 * database may refuse, are replaced.
 */
function textIn(first: Slice): string | null {
  const parts: Buffer[] = [];
  let length = 0;
  for (let slice: Slice | null = first; slice !== null && length < textBytesMax; ) {
    const part = slice.loadBuffer(Math.floor(slice.remainingBits / 8));
    parts.push(part);
    length += part.length;
    slice = slice.remainingRefs > 0 ? slice.loadRef().beginParse() : null;
  }
  const bytes = Buffer.concat(parts).subarray(0, textBytesMax);
  const text = new TextDecoder()
    .decode(bytes)
    .replaceAll(/\p{Cc}/gu, "\ufffd")
    .trim();
  return text === "" ? null : text;
}
