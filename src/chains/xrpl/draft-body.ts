import type { JsonObject } from "../../platform/kernel/json.ts";
import { buildUnsigned, type XrplTransaction } from "./build-transaction.ts";

/** The draft's body. Every other member restates what is in `unsigned`, the bytes without the key; integers are decimal text. */
export function writeBody(transaction: XrplTransaction): JsonObject {
  const { call, feeUnits, lastLedger, networkId, sequence } = transaction;
  return {
    type: call.type,
    from: call.from,
    to: call.type === "payment" ? call.to : null,
    tag: call.type === "payment" ? call.tag : null,
    units: call.type === "payment" ? call.units.toString() : null,
    feeUnits: feeUnits.toString(),
    sequence: sequence.toString(),
    lastLedger: lastLedger.toString(),
    networkId: networkId === null ? null : networkId.toString(),
    unsigned: Buffer.from(buildUnsigned(transaction)).toString("hex"),
  };
}
