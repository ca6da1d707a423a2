import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";
import {
  native,
  type RawTransaction,
  readRawTransaction,
  type StellarOperation,
} from "./raw-transaction.ts";

/** A draft as the signer reads it from the bytes to be signed. */
export type StellarDraft = {
  /** `Transaction` in XDR, which is hashed with the network's id and signed. */
  readonly bytes: Uint8Array;
  readonly transaction: RawTransaction;
};

/**
 * Reads a draft from its `transaction`, and checks that every other member of the body matches these bytes. Throws `DraftRefused` for
 * anything that is missing, unknown or different.
 */
export function readDraft(body: JsonObject): StellarDraft {
  const { transaction: hex } = body;
  if (typeof hex !== "string" || !/^(?:[0-9a-f]{2}){1,512}$/.test(hex))
    throw new DraftRefused("transaction is not lower-case hex of at most 512 bytes");
  const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
  const transaction = readRawTransaction(bytes);
  const read: JsonObject = { ...membersOf(transaction), transaction: hex };
  const names = Object.keys(read);
  if (Object.keys(body).length !== names.length)
    throw new DraftRefused(`the draft has the members ${Object.keys(body).toSorted().join(", ")}`);
  const other = names.find((name) => body[name] !== read[name]);
  if (other !== undefined) throw new DraftRefused(`${other} differs from transaction`);
  return { bytes, transaction };
}

/** The body's members as the bytes determine them. */
function membersOf(transaction: RawTransaction): JsonObject {
  const { from, fee, sequence, maxTime, memo, operation } = transaction;
  return {
    type: operation.type,
    from,
    to: "to" in operation ? operation.to : null,
    asset: assetOf(operation),
    units: "units" in operation ? operation.units.toString() : null,
    memo,
    fee: fee.toString(),
    sequence: sequence.toString(),
    maxTime: maxTime.toString(),
  };
}

function assetOf(operation: StellarOperation): string | null {
  switch (operation.type) {
    case "payment":
    case "changeTrust":
      return operation.asset;
    case "createAccount":
      return native;
    case "useSequence":
      return null;
  }
}
