import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Draft } from "../paying-port.ts";
import { type AlgorandTransaction, buildTransaction } from "./build-transaction.ts";

/** A transaction and the deposit address that signs it; null for the hot and the gas account. */
export type DraftedTransaction = AlgorandTransaction & { readonly keyIndex: number | null };

/** The draft's body. Every other member restates what is in `transaction`, the bytes to be signed; integers are decimal text. */
function writeBody(transaction: DraftedTransaction): JsonObject {
  const { call, fee, firstValid, lastValid, lease, keyIndex } = transaction;
  return {
    type: call.type,
    from: call.from,
    to: call.type === "optIn" ? call.from : call.to,
    asset: call.type === "payment" ? null : call.asset,
    units: call.type === "optIn" ? "0" : call.units.toString(),
    fee: fee.toString(),
    firstValid: firstValid.toString(),
    lastValid: lastValid.toString(),
    lease: lease === null ? null : Buffer.from(lease).toString("hex"),
    transaction: Buffer.from(buildTransaction(transaction)).toString("hex"),
    keyIndex,
  };
}

/** The draft of a transaction. It claims nothing: only its last valid round rules it out. */
export function draftOf(transaction: DraftedTransaction): Draft {
  return {
    body: writeBody(transaction),
    claims: [],
    feeUnits: transaction.fee,
    validity: { kind: "height", last: transaction.lastValid },
  };
}
