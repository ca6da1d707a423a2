import {
  decodeTransactionBCH,
  encodeTokenPrefix,
  encodeTransactionBCH,
  hashTransaction,
  readTokenPrefix,
} from "@bitauth/libauth/build/lib/message/transaction-encoding.js";
import type {
  Output,
  TransactionCommon,
} from "@bitauth/libauth/build/lib/message/transaction-types.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { assert } from "../../platform/kernel/assert.ts";
import type { LedgerOutput, LedgerTransaction } from "../utxo-ledger/rules.ts";

/** Decodes by libauth, CashTokens included. Null for anything else than one whole transaction. */
export function readTransaction(raw: string): LedgerTransaction | null {
  const bytes = hexToBytes(raw);
  const decoded = decodeTransactionBCH(bytes);
  if (typeof decoded === "string") return null;
  return {
    txid: hashTransaction(bytes),
    raw,
    spends: isCoinbase(decoded) ? [] : decoded.inputs.map(outpointOf),
    outputs: decoded.outputs.map(({ lockingBytecode, token, valueSatoshis }) => ({
      units: valueSatoshis,
      script: bytesToHex(lockingBytecode),
      cargo: bytesToHex(encodeTokenPrefix(token)),
    })),
  };
}

/** The whole transaction in libauth's terms. */
export function decode({ raw }: LedgerTransaction): TransactionCommon {
  const decoded = decodeTransactionBCH(hexToBytes(raw));
  assert(typeof decoded !== "string", "a transaction that was read before");
  return decoded;
}

export function encode(transaction: TransactionCommon): string {
  return bytesToHex(encodeTransactionBCH(transaction));
}

export function outpointOf({
  outpointTransactionHash,
  outpointIndex,
}: Pick<TransactionCommon["inputs"][number], "outpointTransactionHash" | "outpointIndex">): string {
  return `${bytesToHex(outpointTransactionHash)}:${outpointIndex}`;
}

/** A coin in libauth's terms. */
export function outputOf({ cargo, script, units }: LedgerOutput): Output {
  const token = tokenOf(cargo);
  const plain = { valueSatoshis: units, lockingBytecode: hexToBytes(script) };
  return token === null ? plain : { ...plain, token };
}

/** The tokens of an output; null for none. */
export function tokenOf(cargo: string): NonNullable<Output["token"]> | null {
  if (cargo === "") return null;
  const read = readTokenPrefix({ bin: hexToBytes(cargo), index: 0 });
  assert(typeof read !== "string", "tokens that were read before");
  return read.result.token ?? null;
}

function isCoinbase({ inputs }: TransactionCommon): boolean {
  const [first] = inputs;
  return (
    inputs.length === 1 &&
    first !== undefined &&
    first.outpointIndex === 0xffffffff &&
    first.outpointTransactionHash.every((byte) => byte === 0)
  );
}
