import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused, type DraftSigner, type KeyRing } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { inspectCold, inspectGap, inspectPayout } from "./inspect-payment.ts";
import { addressAt, gasPath, hotPath } from "./own-accounts.ts";
import { readTransaction } from "./read-transaction.ts";
import { inspectSelfDelegation, signSelfDelegation } from "./set-up-inspector.ts";
import { type SignedTransaction, signTransaction } from "./sign-transaction.ts";
import { type Inspect, inspectPlain, type Sign } from "./spend-kind.ts";
import { sweepInspectors } from "./sweep-inspectors.ts";

export type EvmDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  /** EIP-155. */
  readonly chainId: number;
  /** The cold address; null for none. */
  readonly coldAddress: string | null;
};

/**
 * Signs payouts, cold transfers and gap fillers of one EVM chain: transactions of the hot account (gap fillers of the gas
 * account, too) of types 0 and 2, without access lists, that create no contract and call nothing but a token's `transfer` or, for
 * several payouts, the account itself. Also signs the delegation of the hot account that this requires (`set-up-inspector.ts`), and
 * sweeps of deposit addresses into the hot account (`sweep-inspectors.ts`).
 */
export function createEvmDraftSigner(options: EvmDraftSignerOptions): DraftSigner<KeyRing> {
  const { chain, chainId, coldAddress } = options;
  const sweeping = sweepInspectors(chainId);
  const inspectFiller = inspectPlain("gap", chainId, [hotPath, gasPath], inspectGap);
  const inspections = new Map<SpendIntent["kind"], Inspect>([
    ...sweeping.inspections,
    ["payout", inspectPlain("payout", chainId, [hotPath], inspectPayout)],
    [
      "cold",
      inspectPlain("cold", chainId, [hotPath], (transaction, intent) => {
        inspectCold(transaction, intent, coldAddress);
      }),
    ],
    [
      "gap",
      (body, intent, keys) =>
        body["type"] === "selfDelegation"
          ? inspectSelfDelegation(body, intent, keys, chainId)
          : inspectFiller(body, intent, keys),
    ],
  ]);
  const signings = new Map<unknown, Sign>([
    ...sweeping.signings,
    ["eip1559", signPlain],
    ["legacy", signPlain],
    ["selfDelegation", signSelfDelegation],
  ]);

  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const inspect = inspections.get(intent.kind);
      if (inspect === undefined) throw new DraftRefused(`${intent.kind} is not signed on ${chain}`);
      const inspected = inspect(body, intent, keys);
      if (inspected.feeUnits > ceilingOf(intent))
        throw new DraftRefused(`burns up to ${inspected.feeUnits}, above ${intent.feeCeiling}`);
      return inspected;
    },
    sign: (body, keys) => {
      const sign = signings.get(body["type"]);
      if (sign === undefined) throw new DraftRefused("unknown type of transaction");
      return sign(body, keys);
    },
  };
}

/** The key of the account that the body names, which must be the hot or the gas account. */
function signPlain(body: JsonObject, keys: KeyRing): SignedTransaction {
  const transaction = readTransaction(body);
  const path = [hotPath, gasPath].find((own) => addressAt(keys, own) === transaction.from);
  if (path === undefined) throw new DraftRefused(`no key for ${transaction.from}`);
  return signTransaction(transaction, keys, path);
}

function ceilingOf({ feeCeiling }: SpendIntent): bigint {
  if (!/^(?:0|[1-9]\d*)$/.test(feeCeiling))
    throw new DraftRefused("the fee ceiling is not an integer");
  return BigInt(feeCeiling);
}
