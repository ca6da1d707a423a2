import { type Instant, instantFromSeconds, latestSeconds } from "../../platform/kernel/clock.ts";
import type { BlockRef } from "../port.ts";
import { type Fields, Malformed, readFields, readList } from "../rpc/answer.ts";

/*
 * Parsers for an Ethereum node's answers (execution-apis: quantities and data in hex). Each throws `Malformed` for anything else.
 * Hashes and addresses are returned in lower case.
 */

const quantityPattern = /^0x[0-9a-fA-F]{1,64}$/;
const hashPattern = /^0x[0-9a-fA-F]{64}$/;
const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const dataPattern = /^0x(?:[0-9a-fA-F]{2})*$/;

function readText(value: unknown, pattern: RegExp, what: string): string {
  if (typeof value !== "string" || !pattern.test(value)) throw new Malformed(`no ${what}`);
  return value;
}

/** A hexadecimal number of any size: wei, units of a token. */
export function readQuantity(value: unknown): bigint {
  return BigInt(readText(value, quantityPattern, "quantity"));
}

function readOptionalQuantity(value: unknown): bigint {
  return value === undefined || value === null ? 0n : readQuantity(value);
}

/** A quantity that is a count: a height, a nonce, gas, seconds. */
export function readCount(value: unknown): number {
  const count = Number(readQuantity(value));
  if (!Number.isSafeInteger(count)) throw new Malformed("a count beyond 2^53");
  return count;
}

/** 32 bytes in lower case: a block's or transaction's hash. */
export function readHash(value: unknown): string {
  return readText(value, hashPattern, "hash").toLowerCase();
}

/** 20 bytes in lower case, whatever the node's spelling. */
export function readAddress(value: unknown): string {
  return readText(value, addressPattern, "address").toLowerCase();
}

/** Bytes of any length in lower case. */
export function readData(value: unknown): string {
  return readText(value, dataPattern, "data").toLowerCase();
}

/** The uint256 that a contract call returned; null for any other result, such as nothing if there is no contract. */
export function readWord(value: unknown): bigint | null {
  const data = readData(value);
  return hashPattern.test(data) ? BigInt(data) : null;
}

function readTime(value: unknown): Instant {
  const seconds = readCount(value);
  if (seconds > latestSeconds) throw new Malformed("a time after the year 2255");
  return instantFromSeconds(seconds);
}

/** A block's header; null when the node has no such block. */
export function readHeader(value: unknown): BlockRef | null {
  if (value === null) return null;
  const fields = readFields(value);
  return {
    height: readCount(fields["number"]),
    hash: readHash(fields["hash"]),
    parentHash: readHash(fields["parentHash"]),
    time: readTime(fields["timestamp"]),
  };
}

export type EvmTransaction = {
  readonly txid: string;
  readonly from: string;
  /** Null for a transaction that creates a contract. */
  readonly to: string | null;
  readonly value: bigint;
  readonly nonce: number;
  /** EIP-2718 type. */
  readonly type: number;
  /** Null outside a block. */
  readonly height: number | null;
  /** The data of an account's call of itself; null for all others. */
  readonly ownData: string | null;
};

/** A transaction; null when the node does not know it. */
export function readTransaction(value: unknown): EvmTransaction | null {
  if (value === null) return null;
  const fields = readFields(value);
  const { type, blockNumber } = fields as { type?: unknown; blockNumber?: unknown };
  const from = readAddress(fields["from"]);
  const to = readReceiver(fields);
  return {
    txid: readHash(fields["hash"]),
    from,
    to,
    ownData: from === to ? readData(fields["input"]) : null,
    value: readQuantity(fields["value"]),
    nonce: readCount(fields["nonce"]),
    type: type === undefined || type === null ? 0 : readCount(type),
    height: blockNumber === undefined || blockNumber === null ? null : readCount(blockNumber),
  };
}

function readReceiver({ to }: { readonly to?: unknown }): string | null {
  return to === null || to === undefined ? null : readAddress(to);
}

export type EvmBlock = {
  readonly header: BlockRef;
  readonly transactions: readonly EvmTransaction[];
};

/** A block with its transactions in full; null when the node has no such block. */
export function readBlock(value: unknown): EvmBlock | null {
  const header = readHeader(value);
  if (header === null) return null;
  const transactions = readList(readFields(value)["transactions"]).map((item) => {
    const transaction = readTransaction(item);
    if (transaction === null) throw new Malformed("a block with a missing transaction");
    return transaction;
  });
  return { header, transactions };
}

export type EvmLog = {
  /** The log's position within the transaction, from 0: the same in whichever block includes the transaction. */
  readonly place: number;
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly isRemoved: boolean;
};

export type EvmReceipt = {
  readonly txid: string;
  readonly blockHash: string;
  readonly height: number;
  /** Whether execution succeeded: a reverted transaction has no effect except its fee. */
  readonly hasSucceeded: boolean;
  readonly gasUsed: number;
  /** The wei per gas actually charged; 0 where a chain's own transactions name none. */
  readonly gasPrice: bigint;
  /** Wei charged in addition to gas (OP stack): the L1 data fee and the operator fee; 0 elsewhere. */
  readonly layerOneFee: bigint;
  readonly operatorFee: bigint;
  /** In order of emission. */
  readonly logs: readonly EvmLog[];
};

/** A receipt; null when no block of the node contains the transaction. */
export function readReceipt(value: unknown): EvmReceipt | null {
  if (value === null) return null;
  const fields = readFields(value);
  const gasUsed = readCount(fields["gasUsed"]);
  const txid = readHash(fields["transactionHash"]);
  const blockHash = readHash(fields["blockHash"]);
  return {
    txid,
    blockHash,
    height: readCount(fields["blockNumber"]),
    hasSucceeded: readCount(fields["status"]) === 1,
    gasUsed,
    gasPrice: readOptionalQuantity(fields["effectiveGasPrice"]),
    layerOneFee: readOptionalQuantity(fields["l1Fee"]),
    operatorFee: readOperatorFee(fields, BigInt(gasUsed)),
    logs: readLogs(readList(fields["logs"]), txid, blockHash),
  };
}

/**
 * The operator fee, in wei, that an OP stack chain charges for the gas: since Isthmus a constant plus a millionth of the scalar
 * per gas, since Jovian a constant plus a hundred times the scalar per gas. Nodes omit both numbers where both are 0. Only
 * receipts since Jovian name the data footprint's scalar, which tells the two rules apart.
 */
function readOperatorFee(fields: Fields, gasUsed: bigint): bigint {
  const { operatorFeeScalar, operatorFeeConstant, daFootprintGasScalar } = fields as {
    operatorFeeScalar?: unknown;
    operatorFeeConstant?: unknown;
    daFootprintGasScalar?: unknown;
  };
  const scaled = gasUsed * readOptionalQuantity(operatorFeeScalar);
  const isJovian = daFootprintGasScalar !== undefined && daFootprintGasScalar !== null;
  const perGas = isJovian ? scaled * 100n : scaled / 1_000_000n;
  return perGas + readOptionalQuantity(operatorFeeConstant);
}

/**
 * A transaction's logs have consecutive `logIndex`es, counted through the block. Throws for logs that repeat an index, skip one,
 * or belong to another transaction or block: gateways have been seen to merge and repeat logs.
 */
function readLogs(items: readonly unknown[], txid: string, blockHash: string): readonly EvmLog[] {
  let firstIndex: number | null = null;
  return items.map((item, position) => {
    const fields = readFields(item);
    const index = readCount(fields["logIndex"]);
    firstIndex ??= index;
    const place = index - firstIndex;
    if (place !== position)
      throw new Malformed(`a receipt of ${txid} whose logs are not numbered one after another`);
    if (readHash(fields["transactionHash"]) !== txid || readHash(fields["blockHash"]) !== blockHash)
      throw new Malformed(`a receipt of ${txid} with a log of another transaction or block`);
    return readLog(fields, place);
  });
}

function readLog(fields: Fields, place: number): EvmLog {
  return {
    place,
    contract: readAddress(fields["address"]),
    topics: readList(fields["topics"]).map(readHash),
    data: readData(fields["data"]),
    isRemoved: fields["removed"] === true,
  };
}

/** The receipts of a block; null when the node has no such block. */
export function readReceipts(value: unknown): readonly EvmReceipt[] | null {
  if (value === null) return null;
  return readList(value).map((item) => {
    const receipt = readReceipt(item);
    if (receipt === null) throw new Malformed("a block with a missing receipt");
    return receipt;
  });
}
