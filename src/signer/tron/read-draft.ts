import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";
import { addressText, assertKeyIndex } from "./own-accounts.ts";
import { type RawTransaction, readRawTransaction } from "./raw-transaction.ts";

/** A draft as the signer reads it from the bytes to be signed. */
export type TronDraft = {
  /** What is hashed and signed. */
  readonly rawData: Uint8Array;
  readonly transaction: RawTransaction;
  /** The deposit address that signs; null for the hot and the gas account. */
  readonly keyIndex: number | null;
};

/**
 * Reads a draft from its `rawData`, and checks that every other member of the body matches these bytes. Throws
 * `DraftRefused` for anything that is missing, unknown or different.
 */
export function readDraft(body: JsonObject): TronDraft {
  const { rawData, keyIndex } = body;
  if (typeof rawData !== "string" || !/^(?:[0-9a-f]{2}){1,1024}$/.test(rawData))
    throw new DraftRefused("rawData is not lower-case hex of at most 1024 bytes");
  const bytes = Uint8Array.from(Buffer.from(rawData, "hex"));
  const transaction = readRawTransaction(bytes);
  const read: JsonObject = { ...membersOf(transaction), rawData, keyIndex: keyIndex ?? null };
  const names = Object.keys(read);
  if (Object.keys(body).length !== names.length)
    throw new DraftRefused(`the draft has the members ${Object.keys(body).toSorted().join(", ")}`);
  const other = names.find((name) => body[name] !== read[name]);
  if (other !== undefined) throw new DraftRefused(`${other} differs from rawData`);
  return {
    rawData: bytes,
    transaction,
    keyIndex: keyIndex === null ? null : assertKeyIndex(keyIndex),
  };
}

/** The body's members as the bytes determine them. */
function membersOf(transaction: RawTransaction): JsonObject {
  const { contract, refBlockBytes, refBlockHash, expiration, timestamp, feeLimit } = transaction;
  const { type, from, to, units } = contract;
  return {
    type,
    from: addressText(from),
    to: addressText(to),
    contract: type === "token" ? addressText(contract.contract) : null,
    units: units.toString(),
    feeLimit: feeLimit.toString(),
    refBlockBytes,
    refBlockHash,
    expiration: expiration.toString(),
    timestamp: timestamp.toString(),
  };
}
