import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { type Instant, instantFromSeconds, latestSeconds } from "../../platform/kernel/clock.ts";
import type { BlockRef } from "../port.ts";
import { type Fields, Malformed, readFields } from "../rpc/answer.ts";
import { fromCoreHex } from "./address.ts";
import { blockIdOf } from "./block-id.ts";

/*
 * Parsers for java-tron's answers with `visible` off: bytes are hexadecimal without a prefix, members with the default value of
 * their type (0, false, empty) are left out. Each parser throws `Malformed` for anything else. Addresses are returned in
 * base58check.
 */

/** Parses an array of any elements; a missing one is empty. */
export function readList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Malformed("no list");
  return value;
}

/** Whether the answer is java-tron's `{}` for something that it does not have. */
export function isNothing(value: unknown): boolean {
  return Object.keys(readFields(value)).length === 0;
}

/** An integer of any size that is at least 0; 0 if it is left out. */
export function readUnits(value: unknown): bigint {
  if (value === undefined) return 0n;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === "string" && /^\d{1,20}$/.test(value)) return BigInt(value);
  throw new Malformed("no amount");
}

/** A count within 2^53: a height, milliseconds. */
function readCount(value: unknown): number {
  const count = Number(readUnits(value));
  if (!Number.isSafeInteger(count)) throw new Malformed("a count beyond 2^53");
  return count;
}

/** Bytes in lower-case hexadecimal; empty if they are left out. */
export function readHex(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value !== "string" || !/^(?:[0-9a-fA-F]{2})*$/.test(value))
    throw new Malformed("no hexadecimal bytes");
  return value.toLowerCase();
}

/** A message of the node: a text in hexadecimal; empty if it is left out. */
export function readMessage(value: unknown): string {
  return new TextDecoder().decode(hexToBytes(readHex(value)));
}

/** 32 bytes in lower-case hexadecimal: the id of a block or a transaction, or a topic. */
function readHash(value: unknown): string {
  const hash = readHex(value);
  if (hash.length !== 64) throw new Malformed("no hash");
  return hash;
}

/** An address in 42 digits, or in 40 as in logs. */
export function readAddress(value: unknown): string {
  const digits = /^(?:41)?([0-9a-f]{40})$/.exec(readHex(value))?.[1];
  if (digits === undefined) throw new Malformed("no address");
  return fromCoreHex(digits);
}

function readText(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value !== "string") throw new Malformed("no text");
  return value;
}

function readTime(value: unknown): Instant {
  const seconds = readCount(value) / 1000;
  if (seconds > latestSeconds) throw new Malformed("a time after the year 2255");
  return instantFromSeconds(seconds);
}

/**
 * A block's header; null when the node has no such block. The id must match the header's fields, so a node cannot alter one of
 * them.
 */
export function readHeader(value: unknown): BlockRef | null {
  if (isNothing(value)) return null;
  const { blockID, block_header } = readFields(value) as {
    blockID?: unknown;
    block_header?: unknown;
  };
  const raw = readFields(readFields(block_header)["raw_data"]);
  const hash = readHash(blockID);
  const height = readCount(raw["number"]);
  for (const member of Object.values(raw)) if (typeof member === "number") readCount(member);
  const computed = blockIdOf(raw);
  if (computed !== null && computed !== hash)
    throw new Malformed(`block ${hash}, whose header has the id ${computed}`);
  return {
    height,
    hash,
    parentHash: readHash(raw["parentHash"]),
    time: readTime(raw["timestamp"]),
  };
}

export type TronTransaction = {
  readonly txid: string;
  /** `TransferContract`, `TriggerSmartContract`, ... */
  readonly type: string;
  /** The account that it acts for; null for the few types without one. */
  readonly owner: string | null;
  /** The outcome that the block records: `SUCCESS`, or why it failed. */
  readonly result: string;
  /** The receiver of a transfer, or the called contract; null for other types. */
  readonly to: string | null;
  /** The coin that it sends there, in sun. */
  readonly units: bigint;
  /** Call data in hexadecimal; empty if nothing is called. */
  readonly data: string;
};

export type TronBlock = {
  readonly header: BlockRef;
  readonly transactions: readonly TronTransaction[];
};

const noTransactions = "0".repeat(64);

/** A block with its transactions; null when the node has no such block. */
export function readBlock(value: unknown): TronBlock | null {
  const header = readHeader(value);
  if (header === null) return null;
  const { transactions, block_header } = readFields(value) as {
    transactions?: unknown;
    block_header?: unknown;
  };
  // The genesis block's transactions have another form, and none of them pays this deployment.
  const read = header.height === 0 ? [] : readList(transactions).map(readTransaction);
  const root = readHex(readFields(readFields(block_header)["raw_data"])["txTrieRoot"]);
  if (root !== noTransactions && read.length === 0 && header.height > 0)
    throw new Malformed(`block ${header.hash} without its transactions`);
  if (new Set(read.map(({ txid }) => txid)).size !== read.length)
    throw new Malformed(`block ${header.hash} with one transaction twice`);
  return { header, transactions: read };
}

/** A transaction whose id is the hash of its raw data. Exactly one contract, as java-tron requires. */
export function readTransaction(value: unknown): TronTransaction {
  const { txID, raw_data, raw_data_hex, ret } = readFields(value) as {
    txID?: unknown;
    raw_data?: unknown;
    raw_data_hex?: unknown;
    ret?: unknown;
  };
  const txid = readHash(txID);
  const raw = Buffer.from(readHex(raw_data_hex), "hex");
  if (Buffer.from(sha256(raw)).toString("hex") !== txid)
    throw new Malformed(`transaction ${txid} with the raw data of another`);
  const [contract, ...others] = readList(readFields(raw_data)["contract"]);
  if (contract === undefined || others.length > 0)
    throw new Malformed(`transaction ${txid} without exactly one contract`);
  const { type, parameter } = readFields(contract) as { type?: unknown; parameter?: unknown };
  const values = readFields(readFields(parameter)["value"] ?? {});
  const owner = values["owner_address"];
  const [outcome] = readList(ret);
  return {
    txid,
    type: readText(type),
    owner: owner === undefined ? null : readAddress(owner),
    result: outcome === undefined ? "" : readText(readFields(outcome)["contractRet"]),
    ...readMove(readText(type), values),
  };
}

function readMove(type: string, values: Fields): Pick<TronTransaction, "to" | "units" | "data"> {
  if (type === "TransferContract")
    return { to: readAddress(values["to_address"]), units: readUnits(values["amount"]), data: "" };
  if (type === "TriggerSmartContract")
    return {
      to: readAddress(values["contract_address"]),
      units: readUnits(values["call_value"]),
      data: readHex(values["data"]),
    };
  return { to: null, units: 0n, data: "" };
}

export type TronLog = {
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
};

/** Coin that a contract moved. */
export type InternalMove = {
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
};

export type TronReceipt = {
  readonly txid: string;
  readonly height: number;
  /** Everything that the owner paid, in sun: bandwidth, energy, activation, memo. */
  readonly feeUnits: bigint;
  readonly hasFailed: boolean;
  /** In order of emission. */
  readonly logs: readonly TronLog[];
  /**
   * Calls, creations and destructions in order of execution; null for one that was rejected or moved no coin, so that positions
   * are the same on every node.
   */
  readonly internal: readonly (InternalMove | null)[];
};

/** The receipts of a block's transactions, in the node's order; empty when the node has none. */
export function readReceipts(value: unknown): readonly TronReceipt[] {
  // java-tron answers `{}` for block 0.
  return Array.isArray(value)
    ? value.map(readReceipt)
    : isNothing(value)
      ? []
      : readList(value).map(readReceipt);
}

/** The receipt of one transaction. */
export function readReceipt(value: unknown): TronReceipt {
  const fields = readFields(value);
  return {
    txid: readHash(fields["id"]),
    height: readCount(fields["blockNumber"]),
    feeUnits: readUnits(fields["fee"]),
    hasFailed: readText(fields["result"]) === "FAILED",
    logs: readList(fields["log"]).map(readLog),
    internal: readList(fields["internal_transactions"]).flatMap(readInternal),
  };
}

function readLog(value: unknown): TronLog {
  const fields = readFields(value);
  return {
    contract: readAddress(fields["address"]),
    topics: readList(fields["topics"]).map(readHash),
    data: readHex(fields["data"]),
  };
}

/**
 * The notes of internal transactions that move coin, in hexadecimal. A node that records more (`vm.saveFeaturedInternalTx`) lists
 * staking and voting of contracts between them, whose values are not payments.
 */
const movingNotes = new Set(
  ["call", "create", "suicide"].map((note) => Buffer.from(note).toString("hex")),
);

/** Coin only: entries with a token id are TRC-10. Empty for an internal transaction that is not a move. */
function readInternal(value: unknown): readonly (InternalMove | null)[] {
  const fields = readFields(value);
  if (!movingNotes.has(readHex(fields["note"]))) return [];
  if (fields["rejected"] === true) return [null];
  const coin = readList(fields["callValueInfo"])
    .map(readFields)
    .filter(({ tokenId }) => tokenId === undefined || tokenId === "")
    .reduce((sum, { callValue }) => sum + readUnits(callValue), 0n);
  if (coin === 0n) return [null];
  const from = readAddress(fields["caller_address"]);
  const to = readAddress(fields["transferTo_address"]);
  return [from === to ? null : { from, to, units: coin }];
}
