import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { AssetUnits } from "./block.ts";
import { type CardanoParameters, scriptFeeOf } from "./parameters.ts";

/*
 * How many bytes our transactions have (CBOR, Conway), without making them: the fee is linear in it, and the amounts in a transaction depend on
 * its fee. The signer makes the bytes with its own code, and a test compares the two.
 */

export type SizedOutput = {
  /** Bytes of the address. */
  readonly addressBytes: number;
  readonly units: bigint;
  readonly assets: readonly AssetUnits[];
};

/** The head of a CBOR item: an integer, or the length of a list, a map or bytes. */
function headBytes(argument: bigint | number): number {
  if (argument < 24) return 1;
  if (argument < 2 ** 8) return 2;
  if (argument < 2 ** 16) return 3;
  return argument < 2 ** 32 ? 5 : 9;
}

/** An output `{0: address, 1: value}`. */
export function outputBytes({ addressBytes, assets, units }: SizedOutput): number {
  return 3 + headBytes(addressBytes) + addressBytes + valueBytes({ assets, units });
}

/** A value: lovelace alone, or `[lovelace, {policy: {name: units}}]`. */
export function valueBytes({ assets, units }: Pick<SizedOutput, "assets" | "units">): number {
  if (assets.length === 0) return headBytes(units);
  const policies = Map.groupBy(assets, ({ asset }) => asset.slice(0, policyLength));
  let bytes = 1 + headBytes(units) + headBytes(policies.size);
  for (const held of policies.values()) {
    bytes += 2 + policyLength / 2 + headBytes(held.length);
    for (const { asset, units: quantity } of held) {
      const nameLength = Math.max(0, asset.length - policyLength - 1) / 2;
      bytes += headBytes(nameLength) + nameLength + headBytes(quantity);
    }
  }
  return bytes;
}

/** Hexadecimal digits of a policy, in front of the point and the name of the asset. */
const policyLength = 56;
/** A key's public key and signature: `[bytes(32), bytes(64)]`. */
const witnessBytes = 1 + 34 + 66;
/** The tag of a set. */
const setTagBytes = 3;
/** Larger than any fee of ours, and smaller than what takes more bytes. */
const feeBytes = headBytes(2 ** 32 - 1);

export type TransactionShape = {
  /** Positions of the spent outputs in the transactions that created them. */
  readonly inputIndexes: readonly number[];
  /** How many keys sign. */
  readonly keys: number;
  readonly outputs: readonly SizedOutput[];
  readonly ttl: number;
};

/** Bytes of the signed transaction `[body, witnesses, true, null]`. */
export function transactionBytes({ inputIndexes, keys, outputs, ttl }: TransactionShape): number {
  const inputs =
    setTagBytes +
    headBytes(inputIndexes.length) +
    inputIndexes.reduce((sum, index) => sum + 35 + headBytes(index), 0);
  const paid =
    headBytes(outputs.length) + outputs.reduce((sum, output) => sum + outputBytes(output), 0);
  // A map of five: inputs, outputs, fee, end of validity, and the network's number, each behind its key.
  const body = 1 + 5 + inputs + paid + feeBytes + headBytes(ttl) + 1;
  const witnesses = 2 + setTagBytes + headBytes(keys) + keys * witnessBytes;
  return 1 + body + witnesses + 2;
}

/** The least fee that nodes accept, in lovelace. `scriptBytes` are those of scripts that the spent outputs carry. */
export function feeOf(
  parameters: CardanoParameters,
  shape: TransactionShape,
  scriptBytes: number,
): bigint {
  const { feeConstant, feePerByte } = parameters;
  return (
    feeConstant +
    feePerByte * BigInt(transactionBytes(shape)) +
    scriptFeeOf(parameters, scriptBytes)
  );
}

/** Of what an output takes in the node's memory beside its own bytes (CIP-55). */
const outputOverhead = 160;

/** The least lovelace that an output may hold, in which it has that address and those tokens. */
export function leastUnits(
  { coinsPerByte }: Pick<CardanoParameters, "coinsPerByte">,
  output: Omit<SizedOutput, "units"> & { readonly units?: bigint },
): bigint {
  // An amount of about one ada takes five bytes, as its minimum does.
  const units = maxBigInt(output.units ?? 0n, 2n ** 16n);
  return coinsPerByte * BigInt(outputOverhead + outputBytes({ ...output, units }));
}
