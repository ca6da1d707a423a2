import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";
import {
  type RawTransaction,
  readRawTransaction,
  type StellarOperation,
} from "./raw-transaction.ts";

/** A draft as the signer reads it from the bytes to be signed. */
export type StellarDraft = {
  /** `Transaction` in XDR, which is hashed with the network's id and signed. */
  readonly bytes: Uint8Array;
  readonly transaction: RawTransaction;
  /** As the draft numbers them, which is for the signer to verify: the channel that is used, or those that are made. */
  readonly channels: readonly number[];
};

/** No deployment has more: each keeps a reserve, and a hundred carry as many payments as a ledger has time for. */
const channelsMax = 200;

/** A hundred payments in tokens with long codes take less. */
const bytesMax = 12_288;

/**
 * Reads a draft from its `transaction`, and checks that every other member of the body matches these bytes. Throws `DraftRefused` for
 * anything that is missing, unknown or different.
 */
export function readDraft(body: JsonObject): StellarDraft {
  const { transaction: hex } = body;
  if (typeof hex !== "string" || hex.length > 2 * bytesMax || !/^(?:[0-9a-f]{2})+$/.test(hex))
    throw new DraftRefused(`transaction is not lower-case hex of at most ${bytesMax} bytes`);
  const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
  const transaction = readRawTransaction(bytes);
  const channels = readChannels(body, transaction);
  const read: JsonObject = {
    ...membersOf(transaction),
    transaction: hex,
    ...(channels.length === 0 ? {} : { channels }),
  };
  const names = Object.keys(read);
  if (Object.keys(body).length !== names.length)
    throw new DraftRefused(`the draft has the members ${Object.keys(body).toSorted().join(", ")}`);
  const other = names.find((name) => !isDeepStrictEqual(body[name], read[name]));
  if (other !== undefined) throw new DraftRefused(`${other} differs from transaction`);
  return { bytes, transaction, channels };
}

/** Where the draft uses or makes channels, their numbers: nothing in the bytes says them. */
function readChannels(body: JsonObject, transaction: RawTransaction): readonly number[] {
  const made = transaction.operations.filter(({ type }) => type === "createChannel").length;
  const count = made + (transaction.payer === transaction.from ? 0 : 1);
  if (count === 0) return [];
  const { channels } = body;
  const isNumber = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) < channelsMax;
  if (!Array.isArray(channels) || channels.length !== count || !channels.every(isNumber))
    throw new DraftRefused(`channels is not a list of ${count} numbers below ${channelsMax}`);
  return channels;
}

/** The body's members as the bytes determine them. */
function membersOf(transaction: RawTransaction): JsonObject {
  const { from, payer, fee, sequence, maxTime, memo, operations } = transaction;
  return {
    from,
    ...(payer === from ? {} : { payer }),
    operations: operations.map(membersOfOperation),
    memo,
    fee: fee.toString(),
    sequence: sequence.toString(),
    maxTime: maxTime.toString(),
  };
}

function membersOfOperation(operation: StellarOperation): JsonObject {
  if ("units" in operation) return { ...operation, units: operation.units.toString() };
  if (operation.type === "changeTrust" || operation.type === "createChannel") return operation;
  return { type: operation.type, through: operation.through?.toString() ?? null };
}
