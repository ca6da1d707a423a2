import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused, type InspectedDraft, type KeyRing } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { deterministicDeployer } from "./deployment.ts";
import { addressAt, gasPath, hotPath } from "./own-accounts.ts";
import { payoutDelegate, payoutDelegateDeployment } from "./payout-delegate.ts";
import {
  assertAddress,
  gasFeeOf,
  type PlainTransaction,
  readTransaction,
} from "./read-transaction.ts";
import { authorize, signDelegatingCall } from "./sign-sweep.ts";
import type { SignedTransaction } from "./sign-transaction.ts";
import { claimOf } from "./spend-kind.ts";
import { deploymentData } from "./sweep-delegate.ts";

/** An EIP-7702 transaction of the hot account that makes itself run the code of `delegate`. */
type SelfDelegation = {
  readonly call: PlainTransaction & { readonly type: "eip1559" };
  readonly delegate: string;
};

/** Reads the body of a draft of type `selfDelegation`. Throws `DraftRefused` for missing, unknown or malformed members. */
function readSelfDelegation(body: JsonObject): SelfDelegation {
  const { type, delegate, ...rest } = body;
  if (type !== "selfDelegation") throw new DraftRefused("unknown type of transaction");
  const call = readTransaction({ ...rest, type: "eip1559" });
  if (call.type !== "eip1559") throw new DraftRefused("unknown type of transaction");
  return { call, delegate: assertAddress(delegate, "delegate") };
}

/**
 * The hot account delegates to the one contract by which it pays many, and in the same transaction deploys that contract or calls
 * nothing. Uses two of its nonces: the transaction's own, and the next one for the authorization.
 */
export function inspectSelfDelegation(
  body: JsonObject,
  intent: SpendIntent,
  keys: KeyRing,
  chainId: number,
): InspectedDraft {
  if (intent.kind !== "gap") throw new DraftRefused("a delegation that is not a set-up");
  const { call, delegate } = readSelfDelegation(body);
  if (call.chainId !== BigInt(chainId))
    throw new DraftRefused(`a transaction for chain id ${call.chainId}`);
  if (addressAt(keys, hotPath) !== call.from)
    throw new DraftRefused(`${call.from} is not the account that pays`);
  if (delegate !== payoutDelegate)
    throw new DraftRefused(`delegates to ${delegate} instead of ${payoutDelegate}`);
  const { to, value, data, nonce, from } = call;
  const isDeployment = to === deterministicDeployer && data === payoutDelegateDeployment;
  const isEmpty = to === from && data === "0x";
  if (value !== 0n || !(isDeployment || isEmpty))
    throw new DraftRefused("a delegation that does something else");
  return {
    claims: [claimOf(call), claimOf({ from, nonce: nonce + 1n })],
    decisive: [claimOf(call)],
    feeUnits: gasFeeOf(call),
  };
}

/** Signs what `inspectSelfDelegation` accepted. */
export function signSelfDelegation(body: JsonObject, keys: KeyRing): SignedTransaction {
  const { call, delegate } = readSelfDelegation(body);
  if (addressAt(keys, hotPath) !== call.from) throw new DraftRefused(`no key for ${call.from}`);
  if (delegate !== payoutDelegate) throw new DraftRefused(`delegates to ${delegate}`);
  // The transaction itself has used the sender's nonce when its authorization is checked.
  const authorization = { delegate, nonce: call.nonce + 1n };
  const signed = authorize(authorization, call.chainId, keys, hotPath);
  return signDelegatingCall(call, [signed], keys, hotPath);
}

/** Whether the hot account deploys the sweeps' delegate, which can be deployed only before the hot account delegates. */
export function deploysSweepDelegate(
  { from, to, value, data }: PlainTransaction,
  keys: KeyRing,
): boolean {
  if (to !== deterministicDeployer || value !== 0n || addressAt(keys, hotPath) !== from)
    return false;
  return data === deploymentData({ hot: from, gas: addressAt(keys, gasPath) });
}
