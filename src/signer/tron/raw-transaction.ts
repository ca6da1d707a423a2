import { DraftRefused } from "../draft-signer.ts";
import { type Fields, readMessage } from "./protobuf.ts";

/*
 * What a TRON signature covers: `raw_data` of core/Tron.proto in java-tron, with exactly one of the contracts that this signer
 * signs. Addresses are hexadecimal with their version byte, 42 lower-case digits.
 */

/** What a transaction does. `from` signs it. */
export type TronContract =
  /** Coin, in sun (a millionth of a TRX). */
  | {
      readonly type: "transfer";
      readonly from: string;
      readonly to: string;
      readonly units: bigint;
    }
  /** A call of `transfer(address,uint256)` of the token `contract`, in the token's units. */
  | {
      readonly type: "token";
      readonly from: string;
      readonly contract: string;
      readonly to: string;
      readonly units: bigint;
    }
  /** Delegates the energy of `units` sun that `from` has staked to `to`, without a lock, or ends such a delegation. */
  | {
      readonly type: "delegate" | "undelegate";
      readonly from: string;
      readonly to: string;
      readonly units: bigint;
    };

export type RawTransaction = {
  readonly contract: TronContract;
  /** The block that its chain must contain: the last two bytes of the block's height, and eight of its hash. */
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  /** Milliseconds since 1970: a block whose parent is at this time or later cannot contain it. */
  readonly expiration: bigint;
  /** Milliseconds since 1970; no rule of the chain depends on it. */
  readonly timestamp: bigint;
  /** The most that its energy may cost, in sun; 0 except for calls of contracts. */
  readonly feeLimit: bigint;
};

const typeUrl = "type.googleapis.com/protocol.";
/** `ContractType`, and the message of its parameter. */
const contractTypes: readonly {
  readonly number: bigint;
  readonly message: string;
  readonly read: (parameter: Uint8Array) => TronContract;
}[] = [
  { number: 1n, message: "TransferContract", read: readTransfer },
  { number: 31n, message: "TriggerSmartContract", read: readTrigger },
  { number: 57n, message: "DelegateResourceContract", read: readDelegation("delegate") },
  { number: 58n, message: "UnDelegateResourceContract", read: readDelegation("undelegate") },
];

/**
 * Reads the bytes that are hashed and signed. Throws `DraftRefused` for any other contract and for everything that a transaction
 * of ours does not have: a memo, scripts, permissions, coin or TRC-10 sent to a contract, a lock, unknown fields.
 */
export function readRawTransaction(bytes: Uint8Array): RawTransaction {
  const name = "the transaction";
  const fields = readMessage(
    bytes,
    { 1: "bytes", 4: "bytes", 8: "integer", 11: "bytes", 14: "integer", 18: "integer" },
    name,
  );
  const contract = readContract(bytesOf(fields, 11, name));
  const feeLimit = fields.has(18) ? integerOf(fields, 18, name) : 0n;
  if (feeLimit > 0n !== (contract.type === "token"))
    throw new DraftRefused(
      contract.type === "token"
        ? "a token transfer without a fee limit"
        : "an unnecessary fee limit",
    );
  return {
    contract,
    refBlockBytes: hexOf(bytesOf(fields, 1, name), 2, "the reference to a block"),
    refBlockHash: hexOf(bytesOf(fields, 4, name), 8, "the reference to a block's hash"),
    expiration: integerOf(fields, 8, name),
    timestamp: integerOf(fields, 14, name),
    feeLimit,
  };
}

function readContract(bytes: Uint8Array): TronContract {
  const name = "the contract";
  const fields = readMessage(bytes, { 1: "integer", 2: "bytes" }, name);
  const number = integerOf(fields, 1, name);
  const known = contractTypes.find((type) => type.number === number);
  if (known === undefined) throw new DraftRefused(`contracts of type ${number} are not signed`);
  const any = readMessage(bytesOf(fields, 2, name), { 1: "bytes", 2: "bytes" }, name);
  const url = Buffer.from(bytesOf(any, 1, name)).toString("latin1");
  if (url !== `${typeUrl}${known.message}`)
    throw new DraftRefused(`the parameter of a ${known.message} is of another type`);
  return known.read(bytesOf(any, 2, name));
}

function readTransfer(parameter: Uint8Array): TronContract {
  const name = "the transfer";
  const fields = readMessage(parameter, { 1: "bytes", 2: "bytes", 3: "integer" }, name);
  return {
    type: "transfer",
    from: addressOf(fields, 1, name),
    to: addressOf(fields, 2, name),
    units: integerOf(fields, 3, name),
  };
}

/** Without `call_value` (3), `call_token_value` (5) and `token_id` (6), which would send coin or TRC-10 to the contract. */
function readTrigger(parameter: Uint8Array): TronContract {
  const name = "the call";
  const fields = readMessage(parameter, { 1: "bytes", 2: "bytes", 4: "bytes" }, name);
  const data = Buffer.from(bytesOf(fields, 4, name)).toString("hex");
  const [, to, units] =
    /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(data) ?? ([] as readonly string[]);
  if (to === undefined || units === undefined)
    throw new DraftRefused("a call of something other than transfer(address,uint256)");
  return {
    type: "token",
    from: addressOf(fields, 1, name),
    contract: addressOf(fields, 2, name),
    to: `41${to}`,
    units: BigInt(`0x${units}`),
  };
}

/** ENERGY alone, without `lock` (5) and `lock_period` (6). */
function readDelegation(type: "delegate" | "undelegate"): (parameter: Uint8Array) => TronContract {
  const name = "the delegation";
  const energy = 1n;
  return (parameter) => {
    const fields = readMessage(
      parameter,
      { 1: "bytes", 2: "integer", 3: "integer", 4: "bytes" },
      name,
    );
    if (integerOf(fields, 2, name) !== energy)
      throw new DraftRefused("a delegation of something other than energy");
    return {
      type,
      from: addressOf(fields, 1, name),
      to: addressOf(fields, 4, name),
      units: integerOf(fields, 3, name),
    };
  };
}

function integerOf(fields: Fields, number: number, name: string): bigint {
  const value = fields.get(number);
  if (typeof value !== "bigint") throw new DraftRefused(`${name} lacks field ${number}`);
  return value;
}

function bytesOf(fields: Fields, number: number, name: string): Uint8Array {
  const value = fields.get(number);
  if (!(value instanceof Uint8Array)) throw new DraftRefused(`${name} lacks field ${number}`);
  return value;
}

function addressOf(fields: Fields, number: number, name: string): string {
  const hex = hexOf(bytesOf(fields, number, name), 21, `field ${number} of ${name}`);
  if (!hex.startsWith("41")) throw new DraftRefused(`field ${number} of ${name} is no address`);
  return hex;
}

function hexOf(bytes: Uint8Array, length: number, name: string): string {
  if (bytes.length !== length) throw new DraftRefused(`${name} has ${bytes.length} bytes`);
  return Buffer.from(bytes).toString("hex");
}
