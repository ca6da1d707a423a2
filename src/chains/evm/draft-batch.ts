import { assert, present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { AccountBatch, AccountDraftOutcome, FeeCeiling, Payment } from "../paying-port.ts";
import { codeGas, payManyGasLimit } from "./batch-gas.ts";
import { readDataFees } from "./data-fee.ts";
import { feeOf } from "./draft-body.ts";
import { draftEach } from "./draft-each.ts";
import {
  draftOf,
  type EvmDrafting,
  type IntendedCall,
  intendedCall,
  lackOfCoin,
  obstacleOf,
} from "./draft-payment.ts";
import type { FeeLevels } from "./estimate-fees.ts";
import type { Call } from "./fee-questions.ts";
import { type BatchPayment, payManyCall } from "./payout-delegate.ts";
import { ceilingWithin, priceDraft } from "./price-draft.ts";
import type { Probe } from "./probe-payment.ts";
import { probePayments } from "./probe-payments.ts";
import { coinAsset } from "./sweep-delegate.ts";
import { transactionGasMost } from "./sweep-gas.ts";

/** `existing`: coin receivers that are known to exist; a payment to any other may create its account. */
type BatchDrafting = EvmDrafting & { readonly existing: ReadonlySet<string> };

/**
 * Drafts transactions of several payments each, and of one, in few round trips. Every payment is simulated alone on the newest state,
 * which also bounds its gas; one that cannot be made now decides about its whole batch, which the caller then splits.
 */
export async function draftBatches(
  drafting: BatchDrafting,
  address: string,
  batches: readonly AccountBatch[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  const single = batches.filter(({ payments }) => payments.length === 1);
  const several = batches.filter(({ payments }) => payments.length > 1);
  const [alone, together] = await Promise.all([
    draftEach(
      drafting,
      address,
      single.map(({ payments, ...rest }) => ({
        payment: present(payments[0], "a payment"),
        ...rest,
      })),
      ceiling,
      signal,
    ),
    draftSeveral(drafting, address, several, ceiling, signal),
  ]);
  return batches.map((batch) => {
    const [list, outcomes] = batch.payments.length === 1 ? [single, alone] : [several, together];
    return present(outcomes[list.indexOf(batch)], "the outcome of a batch");
  });
}

type Probed = { readonly intended: IntendedCall; readonly probe: Omit<Probe, "header"> };

async function draftSeveral(
  drafting: BatchDrafting,
  address: string,
  batches: readonly AccountBatch[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (batches.length === 0) return [];
  const { node, record, market } = drafting;
  const from = address.toLowerCase();
  const intended = batches.flatMap(({ payments }) =>
    payments.map((payment) => intendedCall(drafting, { payments: [payment] }, from)),
  );
  const calls = intended.map(({ call }) => call);
  const { header, each } = await probePayments(node, record, from, calls, signal);
  const levels = await market.levelsAfter(header, signal);
  let next = 0;
  const composed = batches.map((batch) => {
    const own = batch.payments.map((payment) => {
      const at = next++;
      const probe = present(each[at], "what is known of a payment");
      return { payment, intended: present(intended[at], "a payment"), probe };
    });
    return { batch, ...composeBatch(drafting, from, own) };
  });
  const priced = composed.flatMap((one) => ("obstacle" in one ? [] : [one]));
  const dataFees = await readDataFees(
    node,
    record,
    [
      ...priced.map(({ call, gas }) => ({ call, gas })),
      ...priced.flatMap(({ probed }) =>
        probed.map((one) => ({ call: one.intended.call, gas: one.probe.limit.gas })),
      ),
    ],
    signal,
  );
  const ofAlone = dataFees.slice(priced.length);
  return composed.map((one): AccountDraftOutcome => {
    if ("obstacle" in one) return one.obstacle;
    const at = priced.indexOf(one);
    const before = priced.slice(0, at).reduce((sum, { probed }) => sum + probed.length, 0);
    const alone = ofAlone.slice(before, before + one.probed.length);
    return decideDraft(drafting, from, one, {
      levels,
      ceiling,
      batch: one.batch,
      dataFee: present(dataFees[at], "the data fee of a batch"),
      dataFeesAlone: alone,
    });
  });
}

type Composed = {
  readonly call: Call;
  readonly gas: bigint;
  /** The gas limits of its payments if each were made alone, together. */
  readonly gasAlone: bigint;
  readonly probed: readonly Probed[];
};

function composeBatch(
  { node, existing }: BatchDrafting,
  from: string,
  payments: readonly {
    readonly payment: Payment;
    readonly intended: IntendedCall;
    readonly probe: Omit<Probe, "header"> | Unavailable;
  }[],
): Composed | { readonly obstacle: AccountDraftOutcome } {
  const probed: Probed[] = [];
  for (const { intended, probe } of payments) {
    if (probe instanceof Unavailable) return { obstacle: { kind: "unanswered", cause: probe } };
    try {
      const obstacle = obstacleOf(node, intended, probe);
      if (obstacle !== null) return { obstacle };
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return { obstacle: { kind: "unanswered", cause: error } };
    }
    probed.push({ intended, probe });
  }
  const gasOf = tokenGas(probed);
  const parts = probed.map(
    ({
      intended: { call, units },
      probe,
    }): BatchPayment & {
      readonly isNew: boolean;
    } => {
      const { contract, payee } = call;
      const isRun = contract !== null || probe.code !== "0x";
      return {
        asset: contract ?? coinAsset,
        gas:
          contract === null
            ? isRun
              ? codeGas(probe.limit.gas)
              : 0
            : present(gasOf.get(contract), "gas"),
        receiver: payee,
        units,
        isNew: contract === null && !existing.has(payee) && !isRun,
      };
    },
  );
  const call = payManyCall(from, parts);
  const gas = payManyGasLimit(call, parts);
  const gasAlone = probed.reduce((sum, { probe }) => sum + probe.limit.gas, 0n);
  if (gas > transactionGasMost)
    return { obstacle: { kind: "impossible", reason: `a batch that may use ${gas} gas` } };
  return { call, gas, gasAlone, probed };
}

/** All payments of a token may use as much as the dearest of them. */
function tokenGas(probed: readonly Probed[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const { intended, probe } of probed) {
    const { contract } = intended.call;
    if (contract === null) continue;
    most.set(contract, Math.max(most.get(contract) ?? 0, codeGas(probe.limit.gas)));
  }
  return most;
}

/** What the payments' fees leave for gas if each is made alone. One without a target aims at the medium level, as it would alone. */
function targetForGas(
  probed: readonly Probed[],
  {
    batch: { feeTarget, feeTargets },
    levels,
    dataFeesAlone,
  }: {
    readonly batch: AccountBatch;
    readonly levels: FeeLevels;
    readonly dataFeesAlone: readonly bigint[];
  },
): bigint {
  const dataFee = (at: number): bigint => present(dataFeesAlone[at], "the data fee of a payment");
  const sum = (units: readonly bigint[]): bigint => units.reduce((total, each) => total + each, 0n);
  const left = (units: bigint, fee: bigint): bigint => (units > fee ? units - fee : 0n);
  if (feeTargets === undefined) return left(feeTarget ?? 0n, sum(dataFeesAlone));
  return sum(
    probed.map(({ probe }, at) => {
      const own = feeTargets[at] ?? null;
      return own === null ? probe.limit.gas * levels.medium.maxFeePerGas : left(own, dataFee(at));
    }),
  );
}

/**
 * The fees charged to the payers name a price per gas for payments made alone; the batch pays that price, averaged over its payments,
 * for its own gas. So it is as fast as they were promised, and the operator keeps what the shared transaction saves.
 */
function decideDraft(
  { record, network, coin }: EvmDrafting,
  from: string,
  { call, gas, gasAlone, probed }: Composed,
  known: {
    readonly levels: FeeLevels;
    readonly ceiling: FeeCeiling;
    readonly batch: AccountBatch;
    readonly dataFee: bigint;
    readonly dataFeesAlone: readonly bigint[];
  },
): AccountDraftOutcome {
  const { levels, ceiling, batch, dataFee } = known;
  const high = gas * levels.high.maxFeePerGas + dataFee;
  const { nodeFeeMost } = record;
  const given = "units" in ceiling ? ceiling.units : high * ceiling.timesHigh;
  const feeCeiling = ceilingWithin({ feeCeiling: given, dataFee, nodeFeeMost });
  const forGas = batch.feeTarget === null ? null : targetForGas(probed, known);
  const target = forGas === null ? null : (forGas / gasAlone) * gas + dataFee;
  const price = priceDraft({
    levels,
    gas,
    dataFee,
    feeTarget: target,
    feeCeiling,
    nodeFeeMost,
    replaces: null,
  });
  if (price.kind === "tooExpensive") {
    const average = price.feeUnits / BigInt(probed.length);
    // The ceiling applies to each transaction. Fewer payments may cost less than it.
    return average * 2n <= feeCeiling
      ? { kind: "impossible", reason: `together they cost ${price.feeUnits}, above the ceiling` }
      : price;
  }
  const first = present(probed[0], "a payment").probe;
  const transaction = {
    type: levels.kind,
    chainId: network.chainId,
    from,
    call,
    gas,
    dataFee,
    fees: price.fees,
  };
  const paid = probed.reduce((sum, { intended }) => sum + intended.call.value, 0n);
  assert(call.value === 0n, "a batch sends no coin to the account itself");
  return (
    lackOfCoin(coin, { ...transaction, call: { ...call, value: paid } }, first) ?? {
      kind: "draft",
      feeUnits: feeOf(transaction),
      withSequence: (sequence) =>
        draftOf({ ...transaction, nonce: Number(present(sequence, "a nonce")) }),
    }
  );
}
