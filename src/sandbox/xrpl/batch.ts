import { encode } from "ripple-binary-codec";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { readTransaction, type Transaction, type TransactionJson } from "./transaction.ts";
import { flagsOf, hasUnknownFlags, type Transactor } from "./transactor.ts";

/*
 * A Batch (XLS-56) of one account: it pays the fee, and its inner transactions are executed after it and stand in the ledger by themselves.
 */

/** What becomes of the inner transactions, by the batch's flag. */
const modes = {
  0x00010000: "allOrNothing",
  0x00020000: "onlyOne",
  0x00040000: "untilFailure",
  0x00080000: "independent",
} as const;

export type BatchMode = (typeof modes)[keyof typeof modes];

/** Marks an inner transaction, which has no fee and no signature of its own. */
const innerFlag = 0x40000000;

const innerMax = 8;

/** Takes the fee, which covers the inner transactions. Other accounts than its own cannot take part. */
export const batch: Transactor = {
  malformed: (json) => {
    const known = Object.keys(modes).reduce((bits, bit) => bits | Number(bit), 0);
    if (hasUnknownFlags(json, known) || modeOf(json) === null) return "temINVALID_FLAG";
    const inner = rawTransactionsOf(json);
    if (inner.length < 2) return "temARRAY_EMPTY";
    if (inner.length > innerMax) return "temARRAY_TOO_LARGE";
    if (inner.some((one) => one.Account !== json.Account)) return "temBAD_SIGNER";
    return inner.every(isInner) ? null : "temINVALID_INNER_BATCH";
  },
  execute: () => ({ result: "tesSUCCESS" }),
};

/** The inner transactions of a batch, in order, and which of them count; none for other transactions. */
export function innerTransactions({ json }: Transaction): {
  readonly mode: BatchMode;
  readonly transactions: readonly Transaction[];
} {
  const mode = json.TransactionType === "Batch" ? modeOf(json) : null;
  return mode === null
    ? { mode: "independent", transactions: [] }
    : {
        mode,
        transactions: rawTransactionsOf(json).map((inner) => readTransaction(encode(inner))),
      };
}

/** How many transactions the fee has to cover: twice the batch's own, and each inner one. */
export function feesOf(json: TransactionJson): bigint {
  return json.TransactionType === "Batch" ? 2n + BigInt(rawTransactionsOf(json).length) : 1n;
}

/** The inner transaction as its type checks it. */
export function withoutInnerFlag(json: TransactionJson): TransactionJson {
  return { ...json, Flags: (flagsOf(json) & ~innerFlag) >>> 0 };
}

function modeOf(json: TransactionJson): BatchMode | null {
  const set = Object.entries(modes).filter(([bit]) => (flagsOf(json) & Number(bit)) !== 0);
  return set.length === 1 ? (set[0]?.[1] ?? null) : null;
}

function rawTransactionsOf(json: TransactionJson): readonly TransactionJson[] {
  const raw = json["RawTransactions"];
  return Array.isArray(raw)
    ? raw.map((one) => (one as JsonObject)["RawTransaction"] as TransactionJson)
    : [];
}

function isInner(json: TransactionJson): boolean {
  return (
    (flagsOf(json) & innerFlag) !== 0 &&
    json.Fee === "0" &&
    json.SigningPubKey === "" &&
    json["TxnSignature"] === undefined &&
    json.TransactionType !== "Batch"
  );
}
