import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";

/** A draft of an ordinary transaction as the signer reads it. Addresses and the hexadecimal `data` are in lower case. */
export type PlainTransaction = {
  readonly chainId: bigint;
  readonly from: string;
  readonly nonce: bigint;
  /** Always present: this signer creates no contracts. */
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly gas: bigint;
} & (
  | {
      readonly type: "eip1559";
      readonly maxFeePerGas: bigint;
      readonly maxPriorityFeePerGas: bigint;
    }
  | { readonly type: "legacy"; readonly gasPrice: bigint }
);

/**
 * `dataFee` is the writer's estimate of what a rollup charges in addition to gas. No signature covers it, so nothing depends on
 * it.
 */
const shared = ["type", "chainId", "from", "nonce", "to", "value", "data", "gas", "dataFee"];
const members = {
  eip1559: [...shared, "maxFeePerGas", "maxPriorityFeePerGas"],
  legacy: [...shared, "gasPrice"],
} as const;

const dataPattern = /^0x(?:[0-9a-f]{2})*$/;
const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const wordMax = 2n ** 256n;
/** EIP-2681. */
const nonceMax = 2n ** 64n - 1n;

/**
 * Reads every member of a draft's body. Throws `DraftRefused` for missing, unknown or malformed ones, so that no member is signed
 * unread.
 */
export function readTransaction(body: JsonObject): PlainTransaction {
  const { type } = body;
  if (type !== "eip1559" && type !== "legacy")
    throw new DraftRefused("unknown type of transaction");
  assertMembers(body, members[type]);
  const common = {
    chainId: readInteger(body, "chainId"),
    from: readAddress(body, "from"),
    nonce: readInteger(body, "nonce"),
    to: readAddress(body, "to"),
    value: readInteger(body, "value"),
    data: readData(body),
    gas: readInteger(body, "gas"),
  };
  readInteger(body, "dataFee");
  if (common.nonce >= nonceMax) throw new DraftRefused("the nonce is above the maximum");
  if (type === "legacy") return { ...common, type, gasPrice: readInteger(body, "gasPrice") };
  const maxFeePerGas = readInteger(body, "maxFeePerGas");
  const maxPriorityFeePerGas = readInteger(body, "maxPriorityFeePerGas");
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw new DraftRefused("the priority fee is above the maximum fee");
  return { ...common, type, maxFeePerGas, maxPriorityFeePerGas };
}

/** Exactly these members. */
export function assertMembers(body: JsonObject, names: readonly string[]): void {
  const found = Object.keys(body).toSorted();
  const expected = names.toSorted();
  if (found.length !== expected.length || found.some((name, place) => name !== expected[place]))
    throw new DraftRefused(`the transaction has the members ${found.join(", ")}`);
}

/** A decimal member as an integer of at most 256 bits. */
export function readInteger(body: JsonObject, name: string): bigint {
  const value = body[name];
  if (typeof value !== "string" || !/^(?:0|[1-9]\d{0,77})$/.test(value))
    throw new DraftRefused(`${name} is not a decimal integer`);
  const integer = BigInt(value);
  if (integer >= wordMax) throw new DraftRefused(`${name} does not fit into 256 bits`);
  return integer;
}

/** A member that is an address, in lower case. */
export function readAddress(body: JsonObject, name: string): string {
  return assertAddress(body[name], name);
}

/** The address in lower case; throws `DraftRefused` for anything else. `name` is for the reason. */
export function assertAddress(value: JsonValue | undefined, name: string): string {
  if (typeof value !== "string" || !addressPattern.test(value))
    throw new DraftRefused(`${name} is not an address`);
  return value.toLowerCase();
}

function readData(body: JsonObject): string {
  const { data } = body;
  if (typeof data !== "string" || !dataPattern.test(data))
    throw new DraftRefused("data is not lower-case hex");
  return data;
}

/** The most that the gas can cost, in units of the chain's coin. */
export function gasFeeOf(transaction: PlainTransaction): bigint {
  const perGas = transaction.type === "legacy" ? transaction.gasPrice : transaction.maxFeePerGas;
  return transaction.gas * perGas;
}

/** The units of an intent; throws `DraftRefused` unless they are a positive integer of 256 bits. */
export function unitsOf(text: string): bigint {
  if (!/^[1-9]\d{0,77}$/.test(text) || BigInt(text) >= 2n ** 256n)
    throw new DraftRefused("the intended amount is not a positive integer of 256 bits");
  return BigInt(text);
}
