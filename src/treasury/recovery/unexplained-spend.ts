import type { OutgoingPayment } from "../../chains/port.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** A transaction of our accounts that neither the database nor the signer's journal knew when it was seen. */
export type UnexplainedSpend = {
  readonly chain: string;
  readonly txid: string;
  /** The account of ours that sent it; null on UTXO chains, and for those seen by older versions. */
  readonly sender: string | null;
  /** Coins or sequence numbers of ours that it uses; empty if transactions claim nothing. */
  readonly claims: readonly string[];
  readonly payments: readonly UnexplainedPayment[];
  /** Null if unknown. */
  readonly feeUnits: bigint | null;
  /** Null while it is in no block of the best chain. */
  readonly block: { readonly height: number; readonly hash: string } | null;
  readonly seenAt: Instant;
  /** Null until a person has decided. */
  readonly decidedAt: Instant | null;
  readonly reason: string | null;
  /** The payouts that it paid, according to that decision. */
  readonly payoutIds: readonly string[];
  /** Unpaid payouts with the same address, currency and amount as one of its payments, or of the currency of a hidden one; in order. */
  readonly candidates: readonly CandidatePayout[];
};

/** A payout that a transaction may have paid. */
export type CandidatePayout = {
  readonly id: string;
  readonly address: string;
  readonly tag: string | null;
  readonly currency: CurrencyId;
  readonly units: bigint;
};

/** The form in which blocks of the chain name a destination; null if the deployment cannot pay it. */
export type FindWatchKey = (chain: string, address: string, tag: string | null) => string | null;

/**
 * The unpaid payouts with the same receiver (the tag included), currency and amount as one of its payments; where receivers are hidden,
 * those of the currency that do not exceed what it paid.
 */
export function candidateIds(
  { chain, payments, candidates }: Pick<UnexplainedSpend, "chain" | "payments" | "candidates">,
  findWatchKey: FindWatchKey,
): readonly string[] {
  return candidates.flatMap(({ id, address, tag, currency, units }) => {
    const key = findWatchKey(chain, address, tag);
    const isPaidBy = (payment: OutgoingPayment): boolean =>
      payment.currency === currency &&
      (isHidden(payment)
        ? payment.units === 0n || payment.units >= units
        : payment.units === units && payment.to === key);
    return payments.some(isPaidBy) ? [id] : [];
  });
}

/**
 * What a transaction paid to others on a chain that hides receivers. It may have paid several; of no units while the sum is unknown.
 */
export function hiddenPayment(currency: CurrencyId, units: bigint): OutgoingPayment {
  return { to: "", address: "", currency, units };
}

/** Whether it stands for all that the transaction paid to others, whose addresses the chain hides. */
export function isHidden({ to }: Pick<OutgoingPayment, "to">): boolean {
  return to === "";
}

export type UnexplainedPayment = OutgoingPayment & {
  /** Whether it went to an address of ours, as change. */
  readonly isOwn: boolean;
};
