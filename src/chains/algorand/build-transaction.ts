import { sha512_256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { readAlgorandAddress } from "../../currencies/algorand-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import { encodeMap } from "./msgpack.ts";

/** What a transaction does. An opt-in lets the sender's account hold an asset: it sends itself nothing of it. */
export type AlgorandCall =
  | {
      readonly type: "payment";
      readonly from: string;
      readonly to: string;
      readonly units: bigint;
    }
  | {
      readonly type: "transfer";
      readonly from: string;
      readonly to: string;
      readonly asset: string;
      readonly units: bigint;
    }
  | { readonly type: "optIn"; readonly from: string; readonly asset: string };

export type AlgorandTransaction = {
  readonly call: AlgorandCall;
  readonly fee: bigint;
  /** The first and last round whose block may contain it. */
  readonly firstValid: number;
  readonly lastValid: number;
  /** In base64. */
  readonly genesisHash: string;
  /**
   * 32 bytes: until the last valid round of a transaction in a block, the network takes no other one of the sender with that lease. Null
   * for none.
   */
  readonly lease: Uint8Array | null;
};

/** The transaction's canonical encoding, which is signed and hashed. */
export function buildTransaction(transaction: AlgorandTransaction): Uint8Array {
  const { call, fee, firstValid, lastValid, genesisHash, lease } = transaction;
  const common = {
    fee,
    fv: BigInt(firstValid),
    gh: Buffer.from(genesisHash, "base64"),
    lv: BigInt(lastValid),
    lx: lease,
    snd: bytesOf(call.from),
  };
  switch (call.type) {
    case "payment":
      return encodeMap({ ...common, type: "pay", amt: call.units, rcv: bytesOf(call.to) });
    case "transfer":
      return encodeMap({
        ...common,
        type: "axfer",
        aamt: call.units,
        arcv: bytesOf(call.to),
        xaid: BigInt(call.asset),
      });
    case "optIn":
      return encodeMap({
        ...common,
        type: "axfer",
        arcv: bytesOf(call.from),
        xaid: BigInt(call.asset),
      });
  }
}

/** What the signature and the map around both add to a transaction. */
const signatureBytes = 75n;

/** The bytes of the signed transaction, by which its fee is measured while blocks are full. */
export function signedLength(transaction: Uint8Array): bigint {
  return BigInt(transaction.length) + signatureBytes;
}

/** The lease of every transaction for one payout: of two that were signed by mistake, the network takes only one at a time. */
export function leaseOf(reference: string): Uint8Array {
  return sha512_256(utf8ToBytes(`sluice payout ${reference}`));
}

function bytesOf(address: string): Uint8Array {
  return present(readAlgorandAddress(address), `an address of Algorand: ${address}`);
}
