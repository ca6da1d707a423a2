import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";
import {
  assertMembers,
  type PlainTransaction,
  readAddress,
  readInteger,
  readTransaction,
} from "./read-transaction.ts";

/** Makes a deposit address run the code of another address, or none if that is the zero address (EIP-7702). */
export type Authorization = {
  readonly keyIndex: number;
  /** The delegate, in lower case. */
  readonly delegate: string;
  readonly nonce: bigint;
};

/** An EIP-7702 transaction (EIP-2718 type 4): an ordinary one of `from` with authorizations. */
export type DelegatingTransaction = {
  readonly call: PlainTransaction & { readonly type: "eip1559" };
  readonly authorizations: readonly Authorization[];
};

/** The most per transaction; each costs 25,000 gas. */
const authorizationsMax = 500;

/** Reads the body of a draft of type `eip7702`. Throws `DraftRefused` for missing, unknown or malformed members. */
export function readDelegating(body: JsonObject): DelegatingTransaction {
  const { authorizations, type, ...rest } = body;
  if (type !== "eip7702" || !Array.isArray(authorizations))
    throw new DraftRefused("a transaction without authorizations");
  if (authorizations.length === 0 || authorizations.length > authorizationsMax)
    throw new DraftRefused(`a transaction with ${authorizations.length} authorizations`);
  const call = readTransaction({ ...rest, type: "eip1559" });
  if (call.type !== "eip1559") throw new DraftRefused("unknown type of transaction");
  return { call, authorizations: authorizations.map(readAuthorization) };
}

/** A transaction that a deposit address pays for and signs itself. */
export type DepositTransaction = {
  readonly keyIndex: number;
  readonly call: PlainTransaction;
};

/** Reads the body of a draft of type `deposit`. Throws `DraftRefused` as `readDelegating` does. */
export function readDepositTransaction(body: JsonObject): DepositTransaction {
  const { type, keyIndex, ...rest } = body;
  if (type !== "deposit") throw new DraftRefused("not a transaction of a deposit address");
  return {
    keyIndex: assertKeyIndex(keyIndex),
    call: readTransaction({ ...rest, type: "eip1559" }),
  };
}

function readAuthorization(value: JsonValue): Authorization {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new DraftRefused("not an authorization");
  const authorization = value as JsonObject;
  assertMembers(authorization, ["keyIndex", "delegate", "nonce"]);
  return {
    keyIndex: assertKeyIndex(authorization["keyIndex"]),
    delegate: readAddress(authorization, "delegate"),
    nonce: readInteger(authorization, "nonce"),
  };
}

/** The index of a deposit address; never hardened, so it cannot reach another branch of the key tree. */
export function assertKeyIndex(value: JsonValue | undefined): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value >= 2 ** 31)
    throw new DraftRefused("not an index of a deposit address");
  return value;
}
