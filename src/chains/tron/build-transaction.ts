import { assert } from "../../platform/kernel/assert.ts";
import { addressBytes, coreHex } from "./address.ts";
import { field, join } from "./protobuf.ts";

/*
 * Builds the transactions that this adapter drafts, in the encoding of java-tron's protocol (core/Tron.proto and
 * core/contract/*.proto). The signer reads them with its own code.
 */

/** What a transaction does; addresses in base58check. */
export type TronCall =
  /** Coin, in sun. */
  | {
      readonly type: "transfer";
      readonly from: string;
      readonly to: string;
      readonly units: bigint;
    }
  /** A TRC-20 token's `transfer(address,uint256)`. */
  | {
      readonly type: "token";
      readonly from: string;
      readonly contract: string;
      readonly to: string;
      readonly units: bigint;
    }
  /** Delegates the energy of `units` sun that `from` has staked to `to`, or ends such a delegation. */
  | {
      readonly type: "delegate" | "undelegate";
      readonly from: string;
      readonly to: string;
      readonly units: bigint;
    };

export type TronTransaction = {
  readonly call: TronCall;
  /** The block that it refers to (TAPOS): it is valid only on a chain that contains this block. */
  readonly refBlock: RefBlock;
  /** Milliseconds since 1970: no block whose parent is at this time or later contains it. */
  readonly expiration: bigint;
  readonly timestamp: bigint;
  /** The most that its energy may cost, in sun; 0 except for tokens. */
  readonly feeLimit: bigint;
};

/** Hexadecimal: the last two bytes of a block's height, and bytes 8 to 15 of its id. */
export type RefBlock = { readonly bytes: string; readonly hash: string };

/** How a transaction refers to a block, by its height and its id in hexadecimal. */
export function refBlockOf(block: { readonly height: number; readonly hash: string }): RefBlock {
  assert(/^[0-9a-f]{64}$/.test(block.hash), "a block's id of 32 bytes");
  const height = Buffer.alloc(8);
  height.writeBigUInt64BE(BigInt(block.height));
  return { bytes: height.subarray(6).toString("hex"), hash: block.hash.slice(16, 32) };
}

/** `raw_data`: what is hashed and signed. */
export function buildRawData(transaction: TronTransaction): Uint8Array {
  const { call, refBlock, expiration, timestamp, feeLimit } = transaction;
  const { number, message, parameter } = encodeCall(call);
  const any = join([
    field(1, Buffer.from(`type.googleapis.com/protocol.${message}`)),
    field(2, parameter),
  ]);
  return join([
    field(1, Buffer.from(refBlock.bytes, "hex")),
    field(4, Buffer.from(refBlock.hash, "hex")),
    field(8, expiration),
    field(11, join([field(1, number), field(2, any)])),
    field(14, timestamp),
    field(18, feeLimit),
  ]);
}

/** The calldata of a token's `transfer(address,uint256)`, in hexadecimal without a prefix. */
export function transferData(to: string, units: bigint): string {
  assert(units >= 0n && units < 1n << 256n, "an amount of 256 bits");
  return `a9059cbb${coreHex(to).padStart(64, "0")}${units.toString(16).padStart(64, "0")}`;
}

const signatureLength = 65;
/** What java-tron adds for the result of a transaction (`MAX_RESULT_SIZE_IN_TX`). */
const resultLength = 64;

/** The bytes of bandwidth that the signed transaction takes. */
export function bandwidthOf(transaction: TronTransaction): bigint {
  const signed = join([
    field(1, buildRawData(transaction)),
    field(2, new Uint8Array(signatureLength)),
  ]);
  return BigInt(signed.length + resultLength);
}

type Encoded = {
  readonly number: bigint;
  readonly message: string;
  readonly parameter: Uint8Array;
};

/** `ContractType` and the parameter's message. */
function encodeCall(call: TronCall): Encoded {
  const from = addressBytes(call.from);
  const to = addressBytes(call.to);
  const { units } = call;
  switch (call.type) {
    case "transfer":
      return {
        number: 1n,
        message: "TransferContract",
        parameter: join([field(1, from), field(2, to), field(3, units)]),
      };
    case "token": {
      const data = Buffer.from(transferData(call.to, units), "hex");
      const contract = addressBytes(call.contract);
      return {
        number: 31n,
        message: "TriggerSmartContract",
        parameter: join([field(1, from), field(2, contract), field(4, data)]),
      };
    }
    case "delegate":
    case "undelegate": {
      const energy = 1n;
      return {
        number: call.type === "delegate" ? 57n : 58n,
        message:
          call.type === "delegate" ? "DelegateResourceContract" : "UnDelegateResourceContract",
        parameter: join([field(1, from), field(2, energy), field(3, units), field(4, to)]),
      };
    }
  }
}
