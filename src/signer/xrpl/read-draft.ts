import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";
import { accountText } from "./own-account.ts";
import { readTransaction, type XrplTransaction } from "./read-transaction.ts";

/** A draft as the signer reads it from the bytes to be signed. */
export type XrplDraft = {
  /** The transaction without key and signature. */
  readonly unsigned: Uint8Array;
  readonly transaction: XrplTransaction;
};

/**
 * Reads a draft from its `unsigned` bytes, and checks that every other member of the body matches them. Throws `DraftRefused` for
 * anything that is missing, unknown or different.
 */
export function readDraft(body: JsonObject): XrplDraft {
  const { unsigned } = body;
  if (typeof unsigned !== "string" || !/^(?:[0-9a-f]{2}){1,256}$/.test(unsigned))
    throw new DraftRefused("unsigned is not lower-case hex of at most 256 bytes");
  const bytes = Uint8Array.from(Buffer.from(unsigned, "hex"));
  const transaction = readTransaction(bytes);
  const read: JsonObject = { ...membersOf(transaction), unsigned };
  const names = Object.keys(read);
  if (Object.keys(body).length !== names.length)
    throw new DraftRefused(`the draft has the members ${Object.keys(body).toSorted().join(", ")}`);
  const other = names.find((name) => body[name] !== read[name]);
  if (other !== undefined) throw new DraftRefused(`${other} differs from the unsigned bytes`);
  return { unsigned: bytes, transaction };
}

/** The body's members as the bytes determine them. */
function membersOf(transaction: XrplTransaction): JsonObject {
  const { action, feeUnits, lastLedger, networkId, sequence } = transaction;
  const isPayment = action.type === "payment";
  return {
    type: action.type,
    from: accountText(action.from),
    to: isPayment ? accountText(action.to) : null,
    tag: isPayment ? action.tag : null,
    units: isPayment ? action.units.toString() : null,
    feeUnits: feeUnits.toString(),
    sequence: sequence.toString(),
    lastLedger: lastLedger.toString(),
    networkId: networkId === null ? null : networkId.toString(),
  };
}
