import { blake2b } from "@noble/hashes/blake2.js";

/*
 * Reads transactions of version 5 with all their parts (ZIP-225), for the vectors of the Zcash project, most of which have
 * shielded parts. The product reads and makes only transparent ones.
 */

export type ParsedV5 = {
  readonly branchId: string;
  readonly lockTime: number;
  readonly expiryHeight: number;
  readonly inputs: readonly {
    readonly txid: string;
    readonly vout: number;
    readonly sequence: number;
  }[];
  readonly scriptSigs: readonly Uint8Array[];
  readonly outputs: readonly { readonly units: bigint; readonly script: Uint8Array }[];
  /** Digests of the shielded parts, by ZIP-244. */
  readonly sapling: Uint8Array;
  readonly orchard: Uint8Array;
};

const coinbaseId = "0".repeat(64);
const proofLength = 192;
const signatureLength = 64;
const outputLength = 32 + 32 + 32 + 580 + 80;
const actionLength = 5 * 32 + 580 + 80;

/** Throws `RangeError` where bytes are missing or left over. */
export function parseV5(bytes: Uint8Array): ParsedV5 {
  const source = Buffer.from(bytes);
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > source.length) throw new RangeError("the transaction ends early");
    at += length;
    return source.subarray(at - length, at);
  };
  const u32 = (): number => take(4).readUInt32LE();
  const count = (): number => {
    const [first = 0] = take(1);
    if (first < 0xfd) return first;
    return first === 0xfd ? take(2).readUInt16LE() : u32();
  };
  const list = <Item>(read: () => Item): Item[] => Array.from({ length: count() }, read);
  const parts = (number: number, length: number): Buffer[] =>
    Array.from({ length: number }, () => take(length));

  take(8);
  const header = {
    branchId: u32().toString(16).padStart(8, "0"),
    lockTime: u32(),
    expiryHeight: u32(),
  };
  const inputs = list(() => {
    const txid = Buffer.from(take(32)).reverse().toString("hex");
    const vout = u32();
    const scriptSig = take(count());
    return { scriptSig, input: { txid, vout, sequence: u32() } };
  });
  const outputs = list(() => ({ units: take(8).readBigUInt64LE(), script: take(count()) }));

  const spends = list(() => ({ cv: take(32), nullifier: take(32), rk: take(32) }));
  const shieldedOutputs = list(() => take(outputLength));
  const hasSapling = spends.length + shieldedOutputs.length > 0;
  const saplingBalance = take(hasSapling ? 8 : 0);
  const anchor = take(spends.length > 0 ? 32 : 0);
  parts(spends.length, proofLength + signatureLength);
  parts(shieldedOutputs.length, proofLength);
  take(hasSapling ? signatureLength : 0);

  const actions = list(() => take(actionLength));
  const orchardEnd = actions.length === 0 ? Buffer.alloc(0) : take(1 + 8 + 32);
  if (actions.length > 0) {
    take(count());
    parts(actions.length + 1, signatureLength);
  }
  if (at !== source.length) throw new RangeError("bytes are left over");

  const spendsDigest = digest(
    "ZTxIdSSpendsHash",
    spends.length === 0
      ? []
      : [
          digest(
            "ZTxIdSSpendCHash",
            spends.map(({ nullifier }) => nullifier),
          ),
          digest(
            "ZTxIdSSpendNHash",
            spends.flatMap(({ cv, rk }) => [cv, anchor, rk]),
          ),
        ],
  );
  // Commitment, note, key, then the ciphertexts: 52 bytes that light clients read, the memo, and the rest.
  const outputsDigest = digest(
    "ZTxIdSOutputHash",
    shieldedOutputs.length === 0
      ? []
      : [
          digest(
            "ZTxIdSOutC__Hash",
            shieldedOutputs.map((one) => one.subarray(32, 148)),
          ),
          digest(
            "ZTxIdSOutM__Hash",
            shieldedOutputs.map((one) => one.subarray(148, 660)),
          ),
          digest(
            "ZTxIdSOutN__Hash",
            shieldedOutputs.flatMap((one) => [one.subarray(0, 32), one.subarray(660)]),
          ),
        ],
  );
  return {
    ...header,
    inputs: inputs.flatMap(({ input }) => (input.txid === coinbaseId ? [] : [input])),
    scriptSigs: inputs.map(({ scriptSig }) => scriptSig),
    outputs,
    sapling: digest(
      "ZTxIdSaplingHash",
      hasSapling ? [spendsDigest, outputsDigest, saplingBalance] : [],
    ),
    orchard: digest(
      "ZTxIdOrchardHash",
      actions.length === 0
        ? []
        : [
            digest(
              "ZTxIdOrcActCHash",
              actions.flatMap((one) => [one.subarray(32, 64), one.subarray(96, 212)]),
            ),
            digest(
              "ZTxIdOrcActMHash",
              actions.map((one) => one.subarray(212, 724)),
            ),
            digest(
              "ZTxIdOrcActNHash",
              actions.flatMap((one) => [
                one.subarray(0, 32),
                one.subarray(64, 96),
                one.subarray(724),
              ]),
            ),
            orchardEnd,
          ],
    ),
  };
}

function digest(name: string, parts: readonly Uint8Array[]): Uint8Array {
  return blake2b(Buffer.concat(parts), { dkLen: 32, personalization: Buffer.from(name) });
}
