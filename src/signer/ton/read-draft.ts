import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";
import type { KeyNetwork } from "../keys/account-paths.ts";
import { accountText, readAccount } from "./account.ts";
import { type Cell, readBoc } from "./cell.ts";
import { readOrder, type TonOrder } from "./read-order.ts";

/** A draft as the signer reads it from the bytes to be signed. */
export type TonDraft = {
  /** Of the paying wallet. */
  readonly from: Uint8Array;
  /** `MsgInner`, whose hash is signed. */
  readonly cell: Cell;
  readonly order: TonOrder;
  /** The number of the query, of which the message holds the remainder. */
  readonly sequence: bigint;
  /** The wallet's code and first data, for its first message. */
  readonly init: Cell | null;
};

/**
 * Queries are numbered one after the other. The wallet has 8,192 times 1,023 of them and forgets those whose time has passed; the last one
 * is left for emergencies.
 */
const queries = 8_192n * 1_023n - 1n;

/** The query of a number: its shift in 13 bits, and its bit number in 10. */
function queryOf(sequence: bigint): bigint {
  const number = sequence % queries;
  return ((number / 1_023n) << 10n) | (number % 1_023n);
}

/**
 * Reads a draft from its `order`, and checks that every other member of the body matches these bytes. Throws `DraftRefused` for
 * anything that is missing, unknown or different.
 */
export function readDraft(body: JsonObject, network: KeyNetwork): TonDraft {
  const { from: account, init: initHex, order: hex, sequence: number } = body;
  if (typeof account !== "string") throw new DraftRefused("from is not an account");
  if (typeof number !== "string" || !/^(?:0|[1-9]\d{0,17})$/.test(number))
    throw new DraftRefused("sequence is not a number");
  const from = readAccount(account, network, "from");
  const cell = readBoc(bytesOf(hexOf(hex, "order")));
  const order = readOrder(cell, from);
  const sequence = BigInt(number);
  const { call, query } = order;
  const answersTo = call.type === "jetton" ? call.answersTo : sequence;
  if (query !== queryOf(sequence) || answersTo !== sequence)
    throw new DraftRefused("sequence differs from order");
  const initText = initHex === null ? null : hexOf(initHex, "init");
  const init = initText === null ? null : readBoc(bytesOf(initText));
  if (init?.hash.some((byte, at) => byte !== from[at]) === true)
    throw new DraftRefused("init is not the wallet's");
  const read: JsonObject = {
    ...membersOf(order, network),
    from: account,
    sequence: number,
    init: initText,
    order: hexOf(hex, "order"),
  };
  const names = Object.keys(read);
  if (Object.keys(body).length !== names.length)
    throw new DraftRefused(`the draft has the members ${Object.keys(body).toSorted().join(", ")}`);
  const other = names.find((name) => body[name] !== read[name]);
  if (other !== undefined) throw new DraftRefused(`${other} differs from order`);
  return { from, cell, order, sequence, init };
}

/** Longer than any wallet's code. */
const hexLengthMax = 4_096;

function hexOf(hex: unknown, what: string): string {
  if (typeof hex !== "string" || hex.length > hexLengthMax || !/^(?:[0-9a-f]{2})+$/.test(hex))
    throw new DraftRefused(`${what} is not lower-case hex of at most ${hexLengthMax} digits`);
  return hex;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

/** The body's members as the bytes determine them. */
function membersOf({ bounces, call, comment, createdAt }: TonOrder, network: KeyNetwork) {
  const isJetton = call.type === "jetton";
  return {
    type: call.type,
    to: accountText(call.to, network),
    units: call.units.toString(),
    jettonWallet: isJetton ? accountText(call.wallet, network) : null,
    value: isJetton ? call.value.toString() : null,
    comment,
    bounces,
    createdAt: createdAt.toString(),
  };
}
