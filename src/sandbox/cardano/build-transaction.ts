import { concatBytes } from "@noble/hashes/utils.js";
import { type Encodable, encode } from "./cbor.ts";
import costModels from "./cost-models.json" with { type: "json" };
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
  /** Spends its first input by a Plutus script of version 3 that fails, so that the collateral pays. */
  readonly failing?: {
    readonly script: Script;
    readonly collateral: OutputReference;
    readonly collateralReturn: (taken: bigint) => Output;
  };
};

/** More than a transaction of this ledger's own ever needs: the fee is exact in the second round. */
const largestFee = 5_000_000n;
const units = { memory: 100_000n, cpu: 50_000_000n } as const;
/** A thousandth and a ten-millionth of lovelace for each unit, by the protocol's prices. */
const unitsFee = (units.memory * 577n) / 10_000n + (units.cpu * 721n) / 10_000_000n + 2n;
const collateralPercentage = 150n;
const keptOfCollateral = 100n;

/** A signed transaction that pays the least fee. */
export function buildTransaction(plan: Plan, key: Key): Uint8Array {
  const draft = withFee(plan, key, largestFee);
  const scripts = plan.failing === undefined ? 0n : unitsFee;
  const fee =
    parameters.minFeeConstant + parameters.minFeeCoefficient * BigInt(draft.length) + scripts;
  return withFee(plan, key, fee);
}

function withFee(plan: Plan, key: Key, fee: bigint): Uint8Array {
  const { failing, inputs, invalidAfter, mint, outputs } = plan;
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
  if (failing !== undefined) {
    // A spend of input 0, with 0 as redeemer.
    const redeemers = new Map([
      [
        [0, 0],
        [0, [units.memory, units.cpu]],
      ],
    ]);
    const taken = (fee * collateralPercentage) / keptOfCollateral + 1n;
    body.set(11, scriptIntegrityHash(redeemers));
    body.set(13, [encodableReference(failing.collateral)]);
    body.set(16, { raw: failing.collateralReturn(taken).raw });
    body.set(17, taken);
    witnesses.set(5, redeemers);
    witnesses.set(7, [failing.script.bytes]);
  }
  const encoded = encode(body);
  const signature = sign(hash256(encoded), key);
  return encode([
    { raw: encoded },
    new Map<number, Encodable>([[0, [[key.publicKey, signature]]], ...witnesses]),
    failing === undefined,
    null,
  ]);
}

/** The hash of the redeemers, of no datums, and of the costs of version 3. */
function scriptIntegrityHash(redeemers: Encodable): Uint8Array {
  const language = new Map([[2, costModels["plutus:v3"]]]);
  return hash256(concatBytes(encode(redeemers), encode(language)));
}
