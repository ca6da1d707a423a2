import { type Encodable, encode } from "./cbor.ts";
import { hash256 } from "./hash.ts";
import { type Key, sign } from "./keys.ts";
import { parameters } from "./parameters.ts";
import type { Script } from "./script.ts";
import { encodableReference, type Output, type OutputReference } from "./transaction.ts";
import { type Assets, encodableAssets } from "./value.ts";

export type Plan = {
  readonly inputs: readonly OutputReference[];
  /** The outputs for a fee; the last one is usually the change. */
  readonly outputs: (fee: bigint) => readonly Output[];
  readonly invalidAfter?: number;
  readonly mint?: { readonly assets: Assets; readonly policy: Script };
};

/** More than a transaction of this ledger's own ever needs: the fee is exact in the second round. */
const largestFee = 5_000_000n;

/** A signed transaction that pays the least fee. */
export function buildTransaction(plan: Plan, key: Key): Uint8Array {
  const draft = withFee(plan, key, largestFee);
  const fee = parameters.minFeeConstant + parameters.minFeeCoefficient * BigInt(draft.length);
  return withFee(plan, key, fee);
}

function withFee(plan: Plan, key: Key, fee: bigint): Uint8Array {
  const { inputs, invalidAfter, mint, outputs } = plan;
  const body = new Map<number, Encodable>([
    [0, inputs.map(encodableReference)],
    [1, outputs(fee).map(({ raw }) => ({ raw }))],
    [2, fee],
  ]);
  const witnesses = new Map<number, Encodable>();
  if (invalidAfter !== undefined) body.set(3, invalidAfter);
  if (mint !== undefined) {
    body.set(9, encodableAssets(mint.assets));
    witnesses.set(1, [{ raw: mint.policy.bytes }]);
  }
  const encoded = encode(body);
  const signature = sign(hash256(encoded), key);
  return encode([
    { raw: encoded },
    new Map<number, Encodable>([[0, [[key.publicKey, signature]]], ...witnesses]),
    true,
    null,
  ]);
}
