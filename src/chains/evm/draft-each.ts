import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { AccountDraftOutcome, AccountPayment, FeeCeiling } from "../paying-port.ts";
import { readDataFees } from "./data-fee.ts";
import { feeOf } from "./draft-body.ts";
import {
  draftOf,
  type EvmDrafting,
  type IntendedCall,
  intendedCall,
  lackOfCoin,
  obstacleOf,
} from "./draft-payment.ts";
import type { FeeLevels } from "./estimate-fees.ts";
import { priceDraft } from "./price-draft.ts";
import type { Probe } from "./probe-payment.ts";
import { catchUnavailable, probePayments } from "./probe-payments.ts";

/**
 * Drafts several payments of an account, each as `draftPayment` would, in a constant number of round trips. Each payment is
 * checked by itself against the account's whole balance; the caller checks that they can be made together.
 */
export async function draftEach(
  drafting: EvmDrafting,
  address: string,
  payments: readonly AccountPayment[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (payments.length === 0) return [];
  const { node, record, market } = drafting;
  const from = address.toLowerCase();
  const intended = payments.map(({ payment }) =>
    intendedCall(drafting, { payments: [payment] }, from),
  );
  const calls = intended.map(({ call }) => call);
  const { header, each } = await probePayments(node, record, from, calls, signal);
  const levels = await market.levelsAfter(header, signal);
  const dataFees = await readDataFees(
    node,
    record,
    each.map((probe, position) => ({
      call: present(calls[position], "a payment's call"),
      gas: probe instanceof Unavailable ? 0n : probe.limit.gas,
    })),
    signal,
  );
  return payments.map(({ feeTarget }, position) => {
    const probe = present(each[position], "what is known of a payment");
    if (probe instanceof Unavailable) return { kind: "unanswered", cause: probe };
    const own = present(intended[position], "a payment");
    const dataFee = present(dataFees[position], "the data fee of a payment");
    const outcome = catchUnavailable(() =>
      decideDraft(drafting, from, own, { probe, levels, dataFee, feeTarget, ceiling }),
    );
    return outcome instanceof Unavailable ? { kind: "unanswered", cause: outcome } : outcome;
  });
}

function decideDraft(
  { node, record, network, coin }: EvmDrafting,
  from: string,
  intended: IntendedCall,
  known: {
    readonly probe: Omit<Probe, "header">;
    readonly levels: FeeLevels;
    readonly dataFee: bigint;
    readonly feeTarget: bigint | null;
    readonly ceiling: FeeCeiling;
  },
): AccountDraftOutcome {
  const { probe, levels, dataFee, feeTarget, ceiling } = known;
  const { gas } = probe.limit;
  const obstacle = obstacleOf(node, intended, probe);
  if (obstacle !== null) return obstacle;
  const high = gas * levels.high.maxFeePerGas + dataFee;
  const feeCeiling = "units" in ceiling ? ceiling.units : high * ceiling.timesHigh;
  const { nodeFeeMost } = record;
  const price = priceDraft({
    levels,
    gas,
    dataFee,
    feeTarget,
    feeCeiling,
    nodeFeeMost,
    replaces: null,
  });
  if (price.kind === "tooExpensive") return price;
  const transaction = {
    type: levels.kind,
    chainId: network.chainId,
    from,
    call: intended.call,
    gas,
    dataFee,
    fees: price.fees,
  };
  return (
    lackOfCoin(coin, transaction, probe) ?? {
      kind: "draft",
      feeUnits: feeOf(transaction),
      withSequence: (sequence) =>
        draftOf({ ...transaction, nonce: Number(present(sequence, "a nonce")) }),
    }
  );
}
