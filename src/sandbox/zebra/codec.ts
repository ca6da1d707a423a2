import { sha256 } from "@noble/hashes/sha2.js";
import { present } from "../../platform/kernel/assert.ts";
import type { LedgerTransaction } from "../utxo-ledger/rules.ts";
import { txidDigest } from "./digest.ts";
import {
  bytesOf,
  compactSize,
  createScanner,
  inputBytes,
  outputBytes,
  uint32,
  type ZcashTransaction,
} from "./wire.ts";

const formats = { 1: "01000000", 4: "0400008085202f89", 5: "050000800a27a726" } as const;
/** No shielded value, no shielded inputs and outputs, no JoinSplits. */
const endOfV4 = "00".repeat(8 + 3);
const endOfV5 = "000000";
const coinbaseId = "0".repeat(64);

/** Null for anything else than one whole transaction without shielded parts. */
export function readTransaction(raw: string): LedgerTransaction | null {
  const transaction = parse(raw);
  if (transaction === null) return null;
  const { inputs, outputs, version } = transaction;
  const bytes = Buffer.from(raw, "hex");
  const id = version === 5 ? txidDigest(transaction) : Buffer.from(sha256(sha256(bytes)));
  const isCoinbase = inputs[0]?.txid === coinbaseId;
  return {
    txid: id.reverse().toString("hex"),
    raw,
    spends: isCoinbase ? [] : inputs.map(({ txid, vout }) => `${txid}:${vout}`),
    outputs: outputs.map((output) => ({ ...output, cargo: "" })),
  };
}

/** The parts of a transaction that was read before. */
export function decode({ raw }: Pick<LedgerTransaction, "raw">): ZcashTransaction {
  return present(parse(raw), "a transaction that was read before");
}

export function encode(transaction: ZcashTransaction): string {
  const { branch, expiryHeight, inputs, lockTime, outputs, version } = transaction;
  const body = [
    compactSize(inputs.length),
    ...inputs.flatMap((input) => [
      inputBytes(input),
      bytesOf(input.scriptSig),
      uint32(input.sequence),
    ]),
    compactSize(outputs.length),
    ...outputs.map(outputBytes),
  ];
  const times = [uint32(lockTime), uint32(expiryHeight)];
  const format = Buffer.from(formats[version], "hex");
  switch (version) {
    case 1:
      return Buffer.concat([format, ...body, uint32(lockTime)]).toString("hex");
    case 4:
      return Buffer.concat([format, ...body, ...times, Buffer.from(endOfV4, "hex")]).toString(
        "hex",
      );
    case 5:
      return Buffer.concat([
        ...[format, uint32(branch), ...times],
        ...[...body, Buffer.from(endOfV5, "hex")],
      ]).toString("hex");
  }
}

function parse(raw: string): ZcashTransaction | null {
  const version = ([1, 4, 5] as const).find((number) => raw.startsWith(formats[number]));
  if (version === undefined) return null;
  const scan = createScanner(Buffer.from(raw.slice(formats[version].length), "hex"));
  try {
    const head =
      version === 5
        ? { branch: scan.number(), lockTime: scan.number(), expiryHeight: scan.number() }
        : null;
    const inputs = scan.list(() => ({
      txid: scan.hash(),
      vout: scan.number(),
      scriptSig: scan.script(),
      sequence: scan.number(),
    }));
    const outputs = scan.list(() => ({
      units: scan.take(8).readBigUInt64LE(),
      script: scan.script(),
    }));
    const tail = head ?? {
      branch: 0,
      lockTime: scan.number(),
      expiryHeight: version === 4 ? scan.number() : 0,
    };
    const end = { 1: "", 4: endOfV4, 5: endOfV5 }[version];
    if (scan.rest().toString("hex") !== end) return null;
    return { version, ...tail, inputs, outputs };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
