import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";
import type { KeyNetwork } from "../keys/account-paths.ts";
import { accountText, readAccount } from "./account.ts";
import { type Cell, readBoc } from "./cell.ts";
import { readOrder, type TonOrder, type TonPayment } from "./read-order.ts";

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
  /** Nanotons that each payment may cost besides what goes along with it, as the draft states; the bytes do not say it. */
  readonly networkFee: bigint;
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
 * Reads a draft from its `order`, and checks that every other member of the body but `networkFee` matches these bytes. Throws `DraftRefused` for
 * anything that is missing, unknown or different.
 */
export function readDraft(body: JsonObject, network: KeyNetwork): TonDraft {
  const { from: account, init: initHex, networkFee: fee, order: hex, sequence: number } = body;
  if (typeof account !== "string") throw new DraftRefused("from is not an account");
  if (typeof number !== "string" || !/^(?:0|[1-9]\d{0,16})$/.test(number))
    throw new DraftRefused("sequence is not a number");
  if (typeof fee !== "string" || !/^[1-9]\d{0,16}$/.test(fee))
    throw new DraftRefused("networkFee is not an amount");
  const from = readAccount(account, network, "from");
  const orderText = hexOf(hex, "order", orderLengthMax);
  const cell = readBoc(bytesOf(orderText));
  const order = readOrder(cell, from);
  const sequence = BigInt(number);
  if (sequence >= 1n << answerShift) throw new DraftRefused("sequence has too many digits");
  if (order.query !== queryOf(sequence) || !order.payments.every(answersTo(sequence)))
    throw new DraftRefused("sequence differs from order");
  const initText = initHex === null ? null : hexOf(initHex, "init", initLengthMax);
  const init = initText === null ? null : readBoc(bytesOf(initText));
  if (init?.hash.some((byte, at) => byte !== from[at]) === true)
    throw new DraftRefused("init is not the wallet's");
  const read: JsonObject = {
    ...paymentsOf(order, network),
    createdAt: order.createdAt.toString(),
    from: account,
    sequence: number,
    networkFee: fee,
    init: initText,
    order: orderText,
  };
  const names = Object.keys(read);
  if (Object.keys(body).length !== names.length)
    throw new DraftRefused(`the draft has the members ${Object.keys(body).toSorted().join(", ")}`);
  const other = names.find((name) => !isDeepStrictEqual(body[name], read[name]));
  if (other !== undefined) throw new DraftRefused(`${other} differs from order`);
  return { from, cell, order, sequence, init, networkFee: BigInt(fee) };
}

/** Contracts of a jetton answer each payment of an order with a number of its own: its place above the order's number. */
const answerShift = 56n;

function answersTo(sequence: bigint) {
  return ({ call }: TonPayment, place: number): boolean =>
    call.type === "coin" || call.answersTo === ((BigInt(place) << answerShift) | sequence);
}

/** Longer than any wallet's code. */
const initLengthMax = 4_096;
/** Longer than an order of 50 payments. */
const orderLengthMax = 65_536;

function hexOf(hex: unknown, what: string, lengthMax: number): string {
  if (typeof hex !== "string" || hex.length > lengthMax || !/^(?:[0-9a-f]{2})+$/.test(hex))
    throw new DraftRefused(`${what} is not lower-case hex of at most ${lengthMax} digits`);
  return hex;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

/** The body's members as the bytes determine them: those of one payment, or a list. */
function paymentsOf({ payments }: TonOrder, network: KeyNetwork): JsonObject {
  const members = payments.map((payment) => membersOf(payment, network));
  return members.length === 1 ? { ...members[0] } : { payments: members };
}

function membersOf({ bounces, call, comment }: TonPayment, network: KeyNetwork): JsonObject {
  const isJetton = call.type === "jetton";
  return {
    type: call.type,
    to: accountText(call.to, network),
    units: call.units.toString(),
    jettonWallet: isJetton ? accountText(call.wallet, network) : null,
    value: isJetton ? call.value.toString() : null,
    comment,
    bounces,
  };
}
