import { keccak_256 } from "@noble/hashes/sha3.js";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import { addressAt, depositPath, gasPath } from "./own-accounts.ts";
import {
  type Authorization,
  type DelegatingTransaction,
  readDelegating,
  readDepositTransaction,
} from "./read-delegating.ts";
import { encodeRlp, hexBytes, integerBytes, joined, type RlpItem } from "./rlp.ts";
import {
  type SignedTransaction,
  signHash,
  signTransaction,
  signTyped,
} from "./sign-transaction.ts";

/** The EIP-2718 type of EIP-7702 transactions, and the first byte of what an authority signs. */
const eip7702Type = 4;
const authorizationMagic = 5;

/** Signs a transaction of the gas account (EIP-7702), and each of its authorizations with its own deposit address's key. */
export function signDelegating(body: JsonObject, keys: KeyRing): SignedTransaction {
  const { call, authorizations } = readDelegating(body);
  if (addressAt(keys, gasPath) !== call.from) throw new DraftRefused(`no key for ${call.from}`);
  const signed = authorizations.map(({ keyIndex, ...authorization }) =>
    authorize(authorization, call.chainId, keys, depositPath(keyIndex)),
  );
  return signDelegatingCall(call, signed, keys, gasPath);
}

/** Signs an EIP-7702 transaction of the account at the path, with authorizations that are signed already. */
export function signDelegatingCall(
  call: DelegatingTransaction["call"],
  authorizations: readonly RlpItem[],
  keys: KeyRing,
  path: string,
): SignedTransaction {
  const noAccessList: RlpItem = [];
  const fields: readonly RlpItem[] = [
    integerBytes(call.chainId),
    integerBytes(call.nonce),
    integerBytes(call.maxPriorityFeePerGas),
    integerBytes(call.maxFeePerGas),
    integerBytes(call.gas),
    hexBytes(call.to),
    integerBytes(call.value),
    hexBytes(call.data),
    noAccessList,
    authorizations,
  ];
  return signTyped(eip7702Type, fields, keys, path);
}

/** Signs a transaction of a deposit address. */
export function signDeposit(body: JsonObject, keys: KeyRing): SignedTransaction {
  const { keyIndex, call } = readDepositTransaction(body);
  const path = depositPath(keyIndex);
  if (addressAt(keys, path) !== call.from) throw new DraftRefused(`no key for ${call.from}`);
  return signTransaction(call, keys, path);
}

/**
 * An authorization by the key at the path. For this chain only: one for chain id 0 would be valid on every chain, and this never
 * creates one.
 */
export function authorize(
  { delegate, nonce }: Pick<Authorization, "delegate" | "nonce">,
  chainId: bigint,
  keys: KeyRing,
  path: string,
): RlpItem {
  if (chainId === 0n) throw new DraftRefused("an authorization for every chain");
  const fields = [integerBytes(chainId), hexBytes(delegate), integerBytes(nonce)];
  const hash = keccak_256(joined([Uint8Array.of(authorizationMagic), encodeRlp(fields)]));
  const { yParity, r, s } = signHash(hash, keys, path);
  return [...fields, integerBytes(BigInt(yParity)), integerBytes(r), integerBytes(s)];
}
