import { type Currency, coinAmong, contractAmong } from "../../currencies/currency.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { ActivationNeed, ActivationPlan, ChainActivator } from "../chain-adapter.ts";
import type { DraftOutcome } from "../paying-port.ts";
import type { AlgodNode, AskAlgod } from "./algod-node.ts";
import type { AlgorandCall } from "./build-transaction.ts";
import { draftOf } from "./draft-body.ts";
import { accountAt, holdingAt } from "./questions.ts";
import { accountUnits } from "./receiver-state.ts";
import { rekeyed } from "./rekeyed.ts";
import { readTerms, requiredFee, transactionOf } from "./terms.ts";

export type AlgorandActivatorOptions = {
  readonly node: AlgodNode;
  readonly currencies: readonly Currency[];
  /** The address of the gas account. */
  readonly gas: string;
};

/**
 * Activates addresses: an account exists once it holds 0.1 ALGO, and holds an asset only after it opted in, which takes as much again and a
 * fee of its own.
 */
export function createAlgorandActivator(options: AlgorandActivatorOptions): ChainActivator {
  const { node, currencies, gas } = options;
  const coin = coinAmong(currencies);
  return {
    need: (address, currency, signal) =>
      node.consult((ask) => readNeed(ask, address, contractAmong(currencies, currency)), signal),
    feeUnits: (signal) =>
      node.consult(async (ask) => {
        const terms = await readTerms(ask);
        return requiredFee(terms, { type: "payment", from: gas, to: gas, units: accountUnits });
      }, signal),
    draft: (plan, feeCeiling, signal) =>
      node.consult(async (ask): Promise<DraftOutcome> => {
        const terms = await readTerms(ask);
        const call = callOf(plan, gas, currencies);
        const fee = requiredFee(terms, call);
        if (fee > feeCeiling) return { kind: "tooExpensive", feeUnits: fee };
        const payer = await ask(accountAt(call.from));
        if (payer.signedBy !== null) return { kind: "impossible", reason: rekeyed(payer.signedBy) };
        const kept = call.type === "optIn" ? payer.minimumUnits + accountUnits : payer.minimumUnits;
        const moved = call.type === "payment" ? call.units : 0n;
        const missing = moved + fee + kept - payer.units;
        if (missing > 0n) return { kind: "insufficient", currency: coin, missing };
        const keyIndex = plan.kind === "optIn" ? plan.keyIndex : null;
        return {
          kind: "draft",
          draft: draftOf({ ...transactionOf(terms, call, fee), keyIndex }),
        };
      }, signal),
  };
}

async function readNeed(
  ask: AskAlgod,
  address: string,
  asset: string | null,
): Promise<ActivationNeed | null> {
  const account = await ask(accountAt(address));
  if (asset === null) {
    const missing = accountUnits - account.units;
    return missing > 0n ? { kind: "topUp", units: missing } : null;
  }
  if ((await ask(holdingAt(address, asset))) !== null) return null;
  const fee = requiredFee(await readTerms(ask), { type: "optIn", from: address, asset });
  const needed = maxBigInt(account.minimumUnits, accountUnits) + accountUnits + fee;
  return account.units < needed
    ? { kind: "topUp", units: needed - account.units }
    : { kind: "optIn" };
}

function callOf(
  plan: ActivationPlan,
  gas: string,
  currencies: readonly Currency[],
): Exclude<AlgorandCall, { readonly type: "transfer" }> {
  if (plan.kind === "topUp")
    return { type: "payment", from: gas, to: plan.address, units: plan.units };
  const asset = contractAmong(currencies, plan.currency);
  if (asset === null) throw new RangeError("every account holds coin");
  return { type: "optIn", from: plan.address, asset };
}
