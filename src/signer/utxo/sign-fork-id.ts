import { sha256 } from "@noble/hashes/sha2.js";
import { RawOldTx } from "@scure/btc-signer/script.js";
import { signECDSA } from "@scure/btc-signer/utils.js";
import { scriptOfKey } from "./own-script.ts";
import type { SigningInput, UnsignedTransaction } from "./sign-transaction.ts";

/** SIGHASH_ALL with SIGHASH_FORKID, and the fork's id 0 in the upper bytes. */
const hashType = 0x41;

/**
 * Signs the whole transaction with every input, which all spend outputs to public key hashes, by the digest of Bitcoin Cash: that of
 * BIP-143 with the fork's id in the hash type, so that each signature covers the amount of its input and is worth nothing on
 * Bitcoin. ECDSA as `signTransaction`. The tokens of a coin are not part of the digest, so a coin that holds some cannot be spent
 * by these signatures.
 */
export function signWithForkId(unsigned: UnsignedTransaction): {
  readonly txid: string;
  readonly raw: Uint8Array;
} {
  const { inputs, lockTime, outputs, version } = unsigned;
  const raw = RawOldTx.encode({
    version,
    inputs: inputs.map((input, index) => ({
      txid: Buffer.from(input.txid, "hex"),
      index: input.vout,
      sequence: input.sequence,
      finalScriptSig: unlock(input, forkIdDigest(unsigned, index)),
    })),
    outputs: outputs.map(({ script, units }) => ({ amount: units, script })),
    lockTime,
  });
  return { txid: Buffer.from(doubleSha256(raw)).reverse().toString("hex"), raw };
}

function unlock({ privateKey, publicKey }: SigningInput, digest: Uint8Array): Uint8Array {
  const signature = signECDSA(digest, privateKey, true);
  return Buffer.concat([
    Uint8Array.of(signature.length + 1),
    signature,
    Uint8Array.of(hashType, publicKey.length),
    publicKey,
  ]);
}

/** What the signature of an input signs. */
export function forkIdDigest(unsigned: UnsignedTransaction, index: number): Uint8Array {
  const input = unsigned.inputs[index];
  if (input === undefined) throw new RangeError(`no input ${index}`);
  const { script } = scriptOfKey(input.publicKey, input.addressType);
  return digestWithForkId(unsigned, { ...input, script, hashType });
}

type SpentOutpoint = Pick<SigningInput, "txid" | "vout" | "sequence">;

/**
 * The digest for an input with a hash type that covers all inputs and outputs. `script` is the spent output's, of less than 253
 * bytes, without the length before it.
 */
export function digestWithForkId(
  {
    inputs,
    lockTime,
    outputs,
    version,
  }: Pick<UnsignedTransaction, "lockTime" | "outputs" | "version"> & {
    readonly inputs: readonly SpentOutpoint[];
  },
  input: SpentOutpoint & {
    readonly units: bigint;
    readonly script: Uint8Array;
    readonly hashType: number;
  },
): Uint8Array {
  const outpoints = inputs.map(outpointBytes);
  const sequences = inputs.map(({ sequence }) => uint32(sequence));
  const made = outputs.map((output) =>
    Buffer.concat([uint64(output.units), Uint8Array.of(output.script.length), output.script]),
  );
  return doubleSha256(
    Buffer.concat([
      uint32(version),
      doubleSha256(Buffer.concat(outpoints)),
      doubleSha256(Buffer.concat(sequences)),
      outpointBytes(input),
      Uint8Array.of(input.script.length),
      input.script,
      uint64(input.units),
      uint32(input.sequence),
      doubleSha256(Buffer.concat(made)),
      uint32(lockTime),
      uint32(input.hashType),
    ]),
  );
}

function outpointBytes({ txid, vout }: Pick<SigningInput, "txid" | "vout">): Buffer {
  return Buffer.concat([Buffer.from(txid, "hex").reverse(), uint32(vout)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function doubleSha256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}
