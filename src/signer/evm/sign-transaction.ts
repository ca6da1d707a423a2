import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { KeyRing } from "../draft-signer.ts";
import type { PlainTransaction } from "./read-transaction.ts";
import { encodeRlp, hexBytes, integerBytes, joined, type RlpItem } from "./rlp.ts";

export type SignedTransaction = { readonly txid: string; readonly raw: Uint8Array };

/** The parity of the signature's curve point, and its two numbers. */
export type Signature = { readonly yParity: number; readonly r: bigint; readonly s: bigint };

/** The EIP-2718 type of EIP-1559 transactions. */
const eip1559Type = 2;

/** Signs with the key at the path (EIP-155 for legacy transactions, EIP-1559 for others). The same draft gives the same bytes. */
export function signTransaction(
  transaction: PlainTransaction,
  keys: KeyRing,
  path: string,
): SignedTransaction {
  const { chainId } = transaction;
  if (transaction.type === "eip1559")
    return signTyped(eip1559Type, fieldsOf(transaction), keys, path);
  const fields = fieldsOf(transaction);
  const replayGuard = [integerBytes(chainId), new Uint8Array(), new Uint8Array()];
  const hash = keccak_256(encodeRlp([...fields, ...replayGuard]));
  const { yParity, r, s } = signHash(hash, keys, path);
  const v = integerBytes(chainId * 2n + 35n + BigInt(yParity));
  return withId(encodeRlp([...fields, v, integerBytes(r), integerBytes(s)]));
}

/** Signs a transaction of an EIP-2718 type whose signed payload is the RLP list of these fields. */
export function signTyped(
  type: number,
  fields: readonly RlpItem[],
  keys: KeyRing,
  path: string,
): SignedTransaction {
  const hash = keccak_256(joined([Uint8Array.of(type), encodeRlp(fields)]));
  const { yParity, r, s } = signHash(hash, keys, path);
  const signature = [integerBytes(BigInt(yParity)), integerBytes(r), integerBytes(s)];
  return withId(joined([Uint8Array.of(type), encodeRlp([...fields, ...signature])]));
}

/** Signs 32 bytes as given, deterministically (RFC 6979) and with the lower of both possible `s` (EIP-2). */
export function signHash(hash: Uint8Array, keys: KeyRing, path: string): Signature {
  const key = keys.at(path);
  // A copy: wiping the key leaves it intact.
  const { privateKey } = key;
  try {
    if (privateKey === null) throw new Error(`no private key at ${path}`);
    const bytes = secp256k1.sign(hash, privateKey, { prehash: false, format: "recovered" });
    const { recovery, r, s } = secp256k1.Signature.fromBytes(bytes, "recovered");
    if (recovery !== 0 && recovery !== 1)
      throw new Error("a signature that EIP-155 cannot express");
    return { yParity: recovery, r, s };
  } finally {
    privateKey?.fill(0);
    key.wipePrivateData();
  }
}

function fieldsOf(transaction: PlainTransaction): readonly RlpItem[] {
  const { nonce, gas, to, value, data, chainId } = transaction;
  const target = [integerBytes(gas), hexBytes(to), integerBytes(value), hexBytes(data)];
  if (transaction.type === "legacy")
    return [integerBytes(nonce), integerBytes(transaction.gasPrice), ...target];
  const noAccessList: RlpItem = [];
  return [
    integerBytes(chainId),
    integerBytes(nonce),
    integerBytes(transaction.maxPriorityFeePerGas),
    integerBytes(transaction.maxFeePerGas),
    ...target,
    noAccessList,
  ];
}

function withId(raw: Uint8Array): SignedTransaction {
  return { txid: `0x${Buffer.from(keccak_256(raw)).toString("hex")}`, raw };
}
