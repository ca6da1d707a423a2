import { blake2b } from "@noble/hashes/blake2.js";

/*
 * Zcash's digests of a version 5 transaction that has no shielded part: ZIP-244, a tree of BLAKE2b-256 hashes, each personalized
 * by the name of what it covers. The id covers everything but the signatures. A signature with SIGHASH_ALL also covers the
 * amounts and scripts of all coins that are spent.
 */

export type SpentCoin = {
  /** As shown: the last byte first. */
  readonly txid: string;
  readonly vout: number;
  readonly sequence: number;
  readonly units: bigint;
  /** Of the output that is spent. */
  readonly script: Uint8Array;
};

export type TransparentTransaction = {
  /** ZIP-200: the rules under which it is valid, eight hex digits as nodes show them. */
  readonly branchId: string;
  /** ZIP-203: the last block that may contain it. */
  readonly expiryHeight: number;
  readonly lockTime: number;
  readonly inputs: readonly SpentCoin[];
  readonly outputs: readonly { readonly script: Uint8Array; readonly units: bigint }[];
};

/** What other parts of a transaction contribute; those of a transaction without them are hashes of nothing. */
export type ShieldedDigests = { readonly sapling: Uint8Array; readonly orchard: Uint8Array };

export const noShieldedPart: ShieldedDigests = {
  sapling: personalized("ZTxIdSaplingHash"),
  orchard: personalized("ZTxIdOrchardHash"),
};

/** Version 5 with the flag of ZIP-202, and the version group id of ZIP-225. */
const versionBytes = [u32(0x80000005), u32(0x26a7270a)];
export const signAll = 1;

/** The transaction's id, 32 bytes in the order of the wire. */
export function transactionDigest(
  transaction: TransparentTransaction,
  shielded: ShieldedDigests,
): Uint8Array {
  const { prevouts, sequences, outputs } = commonDigests(transaction);
  return wholeDigest(
    transaction,
    personalized("ZTxIdTranspaHash", prevouts, sequences, outputs),
    shielded,
  );
}

/** What the signature of that input signs, with SIGHASH_ALL. Throws `RangeError` if there is no such input. */
export function signatureDigest(
  transaction: TransparentTransaction,
  index: number,
  shielded: ShieldedDigests,
): Uint8Array {
  const { inputs } = transaction;
  const signed = inputs[index];
  if (signed === undefined) throw new RangeError(`there is no input ${index}`);
  const { prevouts, sequences, outputs } = commonDigests(transaction);
  const transparent = personalized(
    "ZTxIdTranspaHash",
    Uint8Array.of(signAll),
    prevouts,
    personalized("ZTxTrAmountsHash", ...inputs.map(({ units }) => u64(units))),
    personalized("ZTxTrScriptsHash", ...inputs.flatMap(({ script }) => counted(script))),
    sequences,
    outputs,
    personalized(
      "Zcash___TxInHash",
      outpoint(signed),
      u64(signed.units),
      ...counted(signed.script),
      u32(signed.sequence),
    ),
  );
  return wholeDigest(transaction, transparent, shielded);
}

/** The transaction as it is sent: ZIP-225, without shielded parts. */
export function serialize(
  transaction: TransparentTransaction,
  scriptSigs: readonly Uint8Array[],
): Uint8Array {
  const { inputs, outputs } = transaction;
  return joined([
    ...headerOf(transaction),
    count(inputs.length),
    ...inputs.flatMap((input, index) => [
      outpoint(input),
      ...counted(scriptSigs[index] ?? new Uint8Array()),
      u32(input.sequence),
    ]),
    count(outputs.length),
    ...outputs.flatMap(outputBytes),
    // No Sapling spends, no Sapling outputs, no Orchard actions.
    new Uint8Array(3),
  ]);
}

function commonDigests({ inputs, outputs }: TransparentTransaction) {
  return {
    prevouts: personalized("ZTxIdPrevoutHash", ...inputs.map(outpoint)),
    sequences: personalized("ZTxIdSequencHash", ...inputs.map(({ sequence }) => u32(sequence))),
    outputs: personalized("ZTxIdOutputsHash", ...outputs.flatMap(outputBytes)),
  };
}

function wholeDigest(
  transaction: TransparentTransaction,
  transparent: Uint8Array,
  { sapling, orchard }: ShieldedDigests,
): Uint8Array {
  const name = joined([Buffer.from("ZcashTxHash_"), branchBytes(transaction)]);
  const header = personalized("ZTxIdHeadersHash", ...headerOf(transaction));
  return hash(name, [header, transparent, sapling, orchard]);
}

function headerOf(transaction: TransparentTransaction): readonly Uint8Array[] {
  const { expiryHeight, lockTime } = transaction;
  return [...versionBytes, branchBytes(transaction), u32(lockTime), u32(expiryHeight)];
}

function branchBytes({ branchId }: TransparentTransaction): Uint8Array {
  return u32(Number.parseInt(branchId, 16));
}

function outpoint({ txid, vout }: SpentCoin): Uint8Array {
  return joined([Buffer.from(txid, "hex").reverse(), u32(vout)]);
}

function outputBytes(output: TransparentTransaction["outputs"][number]): readonly Uint8Array[] {
  return [u64(output.units), ...counted(output.script)];
}

function counted(bytes: Uint8Array): readonly Uint8Array[] {
  return [count(bytes.length), bytes];
}

/** The family's variable-length count. */
function count(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value);
  return Uint8Array.of(0xfd, value & 0xff, value >>> 8);
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function personalized(name: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return hash(Buffer.from(name), parts);
}

function hash(personalization: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  return blake2b(joined(parts), { dkLen: 32, personalization });
}
