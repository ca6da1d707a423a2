import { assert } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { buildRawData, type TronCall, type TronTransaction } from "./build-transaction.ts";

/** A transaction and the deposit address that signs it; null for the hot and the gas account. */
export type DraftedTransaction = TronTransaction & { readonly keyIndex: number | null };

/** The draft's body. Every other member restates what is in `rawData`, the bytes to be signed; integers are decimal text. */
export function writeBody(transaction: DraftedTransaction): JsonObject {
  const { call, refBlock, expiration, timestamp, feeLimit, keyIndex } = transaction;
  return {
    type: call.type,
    from: call.from,
    to: call.to,
    contract: call.type === "token" ? call.contract : null,
    units: call.units.toString(),
    feeLimit: feeLimit.toString(),
    refBlockBytes: refBlock.bytes,
    refBlockHash: refBlock.hash,
    expiration: expiration.toString(),
    timestamp: timestamp.toString(),
    rawData: Buffer.from(buildRawData(transaction)).toString("hex"),
    keyIndex,
  };
}

/** What a draft's transaction does and when it expires. Parses what `writeBody` wrote; anything else is a bug and throws. */
export function readBody(body: JsonObject): Pick<TronTransaction, "call" | "expiration"> {
  const text = (name: string): string => {
    const value = body[name];
    assert(typeof value === "string", `a draft with ${name}`);
    return value;
  };
  const type = text("type");
  const moved = { from: text("from"), to: text("to"), units: BigInt(text("units")) };
  return { call: callOf(), expiration: BigInt(text("expiration")) };

  function callOf(): TronCall {
    switch (type) {
      case "token":
        return { type, contract: text("contract"), ...moved };
      case "transfer":
      case "delegate":
      case "undelegate":
        return { type, ...moved };
      default:
        throw new Error(`a draft of an unknown type: ${type}`);
    }
  }
}
