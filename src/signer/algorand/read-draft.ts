import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";
import { type RawTransaction, readRawTransaction } from "./raw-transaction.ts";

/** A draft as the signer reads it from the bytes to be signed. */
export type AlgorandDraft = {
  /** What is hashed and signed. */
  readonly bytes: Uint8Array;
  readonly transaction: RawTransaction;
  /** The deposit address that signs; null for the hot and the gas account. */
  readonly keyIndex: number | null;
};

/**
 * Reads a draft from its `transaction`, and checks that every other member of the body matches these bytes. Throws `DraftRefused` for
 * anything that is missing, unknown or different.
 */
export function readDraft(body: JsonObject): AlgorandDraft {
  const { transaction: hex, keyIndex = null } = body;
  if (typeof hex !== "string" || !/^(?:[0-9a-f]{2}){1,512}$/.test(hex))
    throw new DraftRefused("transaction is not lower-case hex of at most 512 bytes");
  const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
  const transaction = readRawTransaction(bytes);
  const read: JsonObject = { ...membersOf(transaction), transaction: hex, keyIndex };
  const names = Object.keys(read);
  if (Object.keys(body).length !== names.length)
    throw new DraftRefused(`the draft has the members ${Object.keys(body).toSorted().join(", ")}`);
  const other = names.find((name) => body[name] !== read[name]);
  if (other !== undefined) throw new DraftRefused(`${other} differs from transaction`);
  return { bytes, transaction, keyIndex: keyIndex === null ? null : assertKeyIndex(keyIndex) };
}

/** The number of a deposit address, as a hardened step of its path. */
export function assertKeyIndex(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value >= 2 ** 31)
    throw new DraftRefused("keyIndex is not the number of a deposit address");
  return value;
}

/** The body's members as the bytes determine them. */
function membersOf({ move, fee, firstValid, lastValid, lease }: RawTransaction): JsonObject {
  const { from, to, asset, units } = move;
  return {
    type: asset === null ? "payment" : units === 0n ? "optIn" : "transfer",
    from,
    to,
    asset,
    units: units.toString(),
    fee: fee.toString(),
    firstValid: firstValid.toString(),
    lastValid: lastValid.toString(),
    lease,
  };
}
