import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { present } from "../../platform/kernel/assert.ts";
import { contractAddressOf, type HexAddress } from "./address.ts";
import type { ReturnCode } from "./answers.ts";
import {
  isRecord,
  type Json,
  type JsonRecord,
  NodeException,
  printMessage,
  readHex,
  readMessage,
  unreadable,
} from "./json.ts";
import {
  type ContractResult,
  type ContractType,
  type ContractValue,
  contracts,
  type RawData,
  rawData,
  transactionEnvelope,
  transactionResult,
} from "./messages.ts";
import { type AnyMessage, decode, encode } from "./wire.ts";

/** A transaction with its decoded bytes. */
export type Transaction = {
  /** SHA-256 of the raw data. */
  readonly txid: string;
  /** The bytes that are signed. */
  readonly rawHex: string;
  readonly signatures: readonly string[];
  readonly raw: RawData;
  /** Its first contract; null when there is none, or one of a type that this ledger does not execute. */
  readonly contract: Contract | null;
};

export type Contract = {
  [Type in ContractType]: {
    readonly type: Type;
    readonly value: ContractValue<Type>;
    readonly owner: HexAddress;
    readonly permissionId: bigint;
  };
}[ContractType];

/** What a node answers to a transaction that it does not accept. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: Exclude<ReturnCode, "SUCCESS">;

  /** `reason` is java-tron's text, without the words that a broadcast puts before it. */
  constructor(code: Exclude<ReturnCode, "SUCCESS">, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** Throws the refusal of a contract that fails java-tron's checks. */
export function refuseContract(reason: string): never {
  throw new Refusal("CONTRACT_VALIDATE_ERROR", reason);
}

const typeUrlPrefix = "type.googleapis.com/protocol.";

/** The transaction with these raw data. Throws `MalformedMessage`. */
export function transactionOf(rawHex: string, signatures: readonly string[]): Transaction {
  const raw = decode(rawData, rawHex);
  return {
    txid: bytesToHex(sha256(hexToBytes(rawHex))),
    rawHex,
    signatures,
    raw,
    contract: contractOf(raw),
  };
}

function contractOf(raw: RawData): Contract | null {
  const [first] = raw.contract ?? [];
  const type = first === undefined ? undefined : (first.type ?? "AccountCreateContract");
  if (type === undefined || !isExecuted(type)) return null;
  const value: AnyMessage = decode(contracts[type], first?.parameter?.value ?? "");
  const owner = (value["owner_address"] ?? "") as HexAddress;
  const permissionId = first?.Permission_id ?? 0n;
  return { type, value, owner, permissionId };
}

function isExecuted(type: string): type is ContractType {
  return Object.hasOwn(contracts, type);
}

/** Builds unsigned raw data around one contract. */
export function draftTransaction<Type extends ContractType>(
  type: Type,
  value: ContractValue<Type>,
  permissionId: bigint,
  rest: Omit<RawData, "contract">,
): Transaction {
  const parameter = {
    type_url: typeUrlPrefix + type,
    value: encode(contracts[type], value),
  };
  const contract = [{ type, parameter, Permission_id: permissionId }];
  return transactionOf(encode(rawData, { ...rest, contract }), []);
}

/** A complete transaction in protobuf. Throws `MalformedMessage`. */
export function decodeTransaction(hex: string): Transaction {
  const envelope = decode(transactionEnvelope, hex);
  return transactionOf(envelope.raw_data ?? "", envelope.signature ?? []);
}

/** Bytes of the signed transaction without its result, in hexadecimal. */
export function encodeTransaction({ rawHex, signatures }: Transaction): string {
  return encode(transactionEnvelope, { raw_data: rawHex, signature: signatures });
}

export function encodeWithResult({ rawHex, signatures }: Transaction, result: ContractResult) {
  const ret = [{ contractRet: result }];
  return encode(transactionEnvelope, { raw_data: rawHex, signature: signatures, ret });
}

/**
 * Rebuilds the transaction of a broadcast from its `raw_data` member, as java-tron does: a contract that it cannot read is left
 * out, and members that it does not know are ignored. Throws `NodeException`.
 */
export function readTransaction(json: JsonRecord, visible: boolean): Transaction {
  const raw = json["raw_data"];
  const listed = isRecord(raw) ? raw["contract"] : undefined;
  const signatures = json["signature"] ?? [];
  if (!isRecord(raw) || !Array.isArray(listed) || !Array.isArray(signatures)) failOnNull();
  const contract = (listed as readonly Json[]).flatMap(
    (item) => orNull(() => readContract(item, visible)) ?? [],
  );
  const rest =
    orNull(() => readMessage(rawData, { ...raw, contract: [] }, visible)) ?? failOnNull();
  const signed = orNull(() => (signatures as readonly Json[]).map(readSignature)) ?? failOnNull();
  return transactionOf(encode(rawData, { ...rest, contract }), signed);
}

/** java-tron's answer to a request that it cannot parse as a transaction. */
function failOnNull(): never {
  throw new NodeException("java.lang.NullPointerException", "null");
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NodeException)) throw error;
    return null;
  }
}

function readSignature(item: Json): string {
  if (typeof item !== "string") throw unreadable("signature is not text");
  return readHex(item);
}

type ListedContract = NonNullable<RawData["contract"]>[number];

/** Null for a contract of a type that the ledger does not know. */
function readContract(item: Json, visible: boolean): ListedContract | null {
  const parameter = isRecord(item) ? item["parameter"] : undefined;
  const value = isRecord(parameter) ? parameter["value"] : undefined;
  const type = isRecord(item) ? item["type"] : undefined;
  if (!isRecord(item) || !isRecord(value) || typeof type !== "string" || !isExecuted(type))
    return null;
  const permissionId = item["Permission_id"];
  return {
    type,
    parameter: {
      type_url: typeUrlPrefix + type,
      value: encode(contracts[type], readMessage(contracts[type], value, visible)),
    },
    Permission_id: typeof permissionId === "bigint" ? permissionId : 0n,
  };
}

/** A transaction as java-tron prints it; `result` once it was executed. */
export function printTransaction(
  transaction: Transaction,
  result: ContractResult | null,
  visible: boolean,
): JsonRecord {
  const { raw, contract, signatures, txid, rawHex } = transaction;
  const deployed =
    contract?.type === "CreateSmartContract" ? contractAddressOf(txid, contract.owner) : null;
  return {
    ...(result === null
      ? {}
      : { ret: [printMessage(transactionResult, { contractRet: result }, visible)] }),
    ...(signatures.length === 0 ? {} : { signature: signatures }),
    txID: txid,
    raw_data: {
      contract: contract === null ? [] : [printContract(contract, visible)],
      ...printMessage(rawData, { ...raw, contract: [] }, visible),
    },
    ...(deployed === null ? {} : { contract_address: deployed }),
    raw_data_hex: rawHex,
  };
}

function printContract({ type, value, permissionId }: Contract, visible: boolean): JsonRecord {
  return {
    parameter: {
      value: printMessage(contracts[type], value as AnyMessage, visible),
      type_url: typeUrlPrefix + type,
    },
    type,
    ...(permissionId > 0n ? { Permission_id: permissionId } : {}),
  };
}

/** The contract of a transaction that passed the checks. */
export function contractIn({ contract, txid }: Transaction): Contract {
  return present(contract, `a contract in ${txid}`);
}
