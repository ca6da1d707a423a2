import { type Currency, coinAmong, contractAmong } from "../../currencies/currency.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type {
  ChainSweeper,
  DraftOutcome,
  SweepAddress,
  SweepAsset,
  SweepPlan,
  SweepState,
} from "../paying-port.ts";
import type { Destination } from "../port.ts";
import type { AlgodNode, AskAlgod } from "./algod-node.ts";
import type { AlgorandCall } from "./build-transaction.ts";
import { draftOf } from "./draft-body.ts";
import { accountAt, holdingAt, type Terms } from "./questions.ts";
import { readReceiver } from "./receiver-state.ts";
import { rekeyed } from "./rekeyed.ts";
import { readTerms, requiredFee, transactionOf } from "./terms.ts";

export type AlgorandSweeperOptions = {
  readonly node: AlgodNode;
  /** Those of this chain: its coin, and the tokens that have an asset id. */
  readonly currencies: readonly Currency[];
  readonly treasury: { readonly hot: Destination; readonly gas: Destination };
};

type Sweeping = {
  readonly currencies: readonly Currency[];
  readonly coin: CurrencyId;
  readonly hot: string;
  readonly gas: string;
};

/**
 * Sweeps deposit addresses into the hot account, each by its own transaction. An address keeps its minimum balance: no account is ever
 * closed, so that it can be paid again. The gas account gives an address the fee of moving an asset, where it has nothing above that.
 */
export function createAlgorandSweeper(options: AlgorandSweeperOptions): ChainSweeper {
  const { node, currencies, treasury } = options;
  const hot = treasury.hot.address;
  const gas = treasury.gas.address;
  assert(hot !== gas, "the account that pays fees is not the hot one");
  const sweeping: Sweeping = { currencies, coin: coinAmong(currencies), hot, gas };
  return {
    release: null,
    survey: (addresses, signal) =>
      node.consult(async (ask) => {
        const terms = await readTerms(ask);
        const fee = feeOf(sweeping, terms);
        const states: SweepState[] = [];
        for (const one of addresses) states.push(await readState(ask, sweeping, fee, one));
        return {
          mode: "single" as const,
          setUpFeeUnits: null,
          batchFeeUnits: 0n,
          releaseFeeUnits: 0n,
          usualFeeUnits: { coin: fee, token: fee * 2n },
          fitsOneTransaction: () => false,
          states,
        };
      }, signal),
    draft: ({ plan, feeCeiling }, signal) =>
      node.consult((ask) => draftPlan(ask, sweeping, plan, feeCeiling), signal),
    replace: null,
  };
}

/** The fee of any sweep: an asset's transfer is as long as a payment, but for its id. */
function feeOf({ hot, gas }: Sweeping, terms: Terms): bigint {
  const longest = { from: gas, to: hot, asset: String(2n ** 64n - 1n), units: 2n ** 64n - 1n };
  return requiredFee(terms, { type: "transfer", ...longest });
}

async function readState(
  ask: AskAlgod,
  sweeping: Sweeping,
  fee: bigint,
  { keyIndex, address, currencies }: SweepAddress,
): Promise<SweepState> {
  const account = await ask(accountAt(address));
  const spendable = maxBigInt(account.units - account.minimumUnits, 0n);
  const assets: SweepAsset[] = [];
  for (const currency of currencies) {
    const asset = contractAmong(sweeping.currencies, currency);
    const held = asset === null ? null : await ask(holdingAt(address, asset));
    const units = asset === null ? spendable : (held?.units ?? 0n);
    // The address pays the fee itself, and what it lacks comes by another transaction.
    const lacks = asset === null ? 0n : maxBigInt(fee - spendable, 0n);
    assets.push({
      currency,
      latest: units,
      final: units,
      work: held?.isFrozen === true || account.signedBy !== null ? null : 1n,
      feeUnits: { inBatch: fee, alone: lacks > 0n ? fee * 2n : fee },
      preparation: lacks > 0n ? { kind: "topUp", units: lacks } : null,
    });
  }
  return { keyIndex, address, sequence: null, isPrepared: false, batchFeeUnits: 0n, assets };
}

async function draftPlan(
  ask: AskAlgod,
  sweeping: Sweeping,
  plan: SweepPlan,
  feeCeiling: bigint,
): Promise<DraftOutcome> {
  const terms = await readTerms(ask);
  switch (plan.kind) {
    case "single":
      return await draftSweep(ask, sweeping, terms, plan, feeCeiling);
    case "prepare": {
      const { address } = plan.state;
      const { units } = plan.preparation;
      const call: AlgorandCall = { type: "payment", from: sweeping.gas, to: address, units };
      return await draftCall(ask, sweeping, terms, { call, keyIndex: null, feeCeiling });
    }
    case "setUp":
    case "batch":
    case "release":
      throw new Error(`${plan.kind} is no transaction of this chain`);
  }
}

/** All of the asset, or all of the coin but the minimum balance and the fee. */
async function draftSweep(
  ask: AskAlgod,
  sweeping: Sweeping,
  terms: Terms,
  { state, currency }: Extract<SweepPlan, { readonly kind: "single" }>,
  feeCeiling: bigint,
): Promise<DraftOutcome> {
  const { coin, currencies, hot } = sweeping;
  const { address: from, keyIndex } = state;
  const asset = contractAmong(currencies, currency);
  const receiver = await readReceiver(ask, hot, { asset, code: "the token" });
  if (receiver.kind === "impossible") return { kind: "impossible", reason: receiver.reason };
  if (asset !== null) {
    const units = (await ask(holdingAt(from, asset)))?.units ?? 0n;
    if (units === 0n) return { kind: "insufficient", currency, missing: 1n };
    const call: AlgorandCall = { type: "transfer", from, to: hot, asset, units };
    return await draftCall(ask, sweeping, terms, { call, keyIndex, feeCeiling });
  }
  const fee = feeOf(sweeping, terms);
  const account = await ask(accountAt(from));
  const units = account.units - account.minimumUnits - fee;
  if (units <= 0n) return { kind: "insufficient", currency: coin, missing: 1n - units };
  if (receiver.kind === "needsActivation" && units < receiver.minimumUnits)
    return { kind: "impossible", reason: "the hot account does not exist yet" };
  const call: AlgorandCall = { type: "payment", from, to: hot, units };
  return await draftCall(ask, sweeping, terms, { call, keyIndex, feeCeiling });
}

async function draftCall(
  ask: AskAlgod,
  sweeping: Sweeping,
  terms: Terms,
  request: {
    readonly call: Exclude<AlgorandCall, { readonly type: "optIn" }>;
    readonly keyIndex: number | null;
    readonly feeCeiling: bigint;
  },
): Promise<DraftOutcome> {
  const { call, keyIndex, feeCeiling } = request;
  const fee = feeOf(sweeping, terms);
  if (fee > feeCeiling) return { kind: "tooExpensive", feeUnits: fee };
  const payer = await ask(accountAt(call.from));
  if (payer.signedBy !== null) return { kind: "impossible", reason: rekeyed(payer.signedBy) };
  const moved = call.type === "payment" ? call.units : 0n;
  const missing = moved + fee + payer.minimumUnits - payer.units;
  return missing > 0n
    ? { kind: "insufficient", currency: sweeping.coin, missing }
    : { kind: "draft", draft: draftOf({ ...transactionOf(terms, call, fee), keyIndex }) };
}
