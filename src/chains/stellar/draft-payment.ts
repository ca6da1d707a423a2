import type { Currency } from "../../currencies/currency.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { type Clock, instantFromSeconds, microsPerSecond } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type {
  AccountDraftOutcome,
  AccountPayment,
  Draft,
  DraftOutcome,
  DraftRequest,
  FeeCeiling,
  FeeQuote,
  Payment,
  QuoteRequest,
} from "../paying-port.ts";
import { newAccountUnits, readAccountState, spendable } from "./account-state.ts";
import { native } from "./asset.ts";
import { type StellarCall, writeBody } from "./build-transaction.ts";
import { currentFees, type Fees, networkSeconds } from "./pay-questions.ts";
import { readReceiver } from "./receiver-state.ts";
import type { AskStellar, StellarNode } from "./stellar-node.ts";
import { findNextTrustLine } from "./trust-lines.ts";

export type StellarDrafting = {
  readonly node: StellarNode;
  readonly coin: CurrencyId;
  readonly currencies: readonly Currency[];
  /** The name of each currency's asset. */
  readonly assetOf: (currency: CurrencyId) => string;
  /** The assets that the paying account should be able to hold, besides coin. */
  readonly tokens: readonly string[];
  readonly clock: Clock;
};

/**
 * How long a transaction is valid: long enough for a failed node to come back and for others of the account to precede it, but short, since
 * the money of a lost transaction cannot be paid again before.
 */
export const validitySeconds = 600;

/** What a transaction can offer: its field has 32 bits. */
const feeUnitsMax = 2n ** 32n - 1n;

/** A fee above a tenth of the amount counts as large. */
const largeFeeTimes = 10n;

/** The current fees of a payment. Every transaction has one operation. */
export async function quotePayment(
  { node, coin }: StellarDrafting,
  { payment }: QuoteRequest,
  signal: AbortSignal,
): Promise<FeeQuote> {
  const { low, medium, high } = await node.ask(currentFees, signal);
  const { currency, units } = payment.amount;
  const isLarge = currency === coin && medium * largeFeeTimes > units;
  return { low, medium, high, dust: 0n, warning: isLarge ? 1 : null };
}

/**
 * Drafts one payment, or, without a payment, the transaction that uses up a sequence and makes a trust line if one is missing. A
 * draft that replaces an expired one has the same sequence.
 */
export async function draftPayment(
  drafting: StellarDrafting,
  { payments, funds, feeTarget, feeCeiling }: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  assert(funds.kind === "account", "an account pays on this chain");
  assert(payments.length <= 1, "one payment in a transaction of this chain");
  const [payment = null] = payments;
  const outcome = await drafting.node.consult(async (ask) => {
    const terms = await readTerms(drafting, ask);
    const request = { from: funds.address, payment, feeTarget, ceiling: { units: feeCeiling } };
    return await draftOne(drafting, ask, terms, request);
  }, signal);
  return outcome.kind === "draft"
    ? { kind: "draft", draft: outcome.withSequence(funds.sequence) }
    : outcome;
}

/** Payments drafted at a time. */
const atOnce = 8;

/** Drafts several payments of an account. Each is checked independently against the account's whole balance. */
export async function draftEach(
  drafting: StellarDrafting,
  from: string,
  payments: readonly AccountPayment[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (payments.length === 0) return [];
  const { node } = drafting;
  const terms = await node.consult((ask) => readTerms(drafting, ask), signal);
  const outcomes: AccountDraftOutcome[] = [];
  for (let start = 0; start < payments.length; start += atOnce) {
    const part = payments.slice(start, start + atOnce).map(async ({ payment, feeTarget }) => {
      try {
        return await node.consult(
          (ask) => draftOne(drafting, ask, terms, { from, payment, feeTarget, ceiling }),
          signal,
        );
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return { kind: "unanswered", cause: error } as const;
      }
    });
    outcomes.push(...(await Promise.all(part)));
  }
  return outcomes;
}

/** What the next transactions depend on. */
type Terms = {
  readonly fees: Fees;
  /** The last second in which a ledger may contain them. */
  readonly until: number;
};

/** The network's time may be ahead of ours. */
async function readTerms({ clock }: StellarDrafting, ask: AskStellar): Promise<Terms> {
  const [fees, closed] = await Promise.all([ask(currentFees), ask(networkSeconds)]);
  const now = Math.floor(clock.now() / microsPerSecond);
  return { fees, until: Math.max(now, closed) + validitySeconds };
}

type Unsequenced = Exclude<AccountDraftOutcome, { readonly kind: "unanswered" }>;
type Obstacle = Exclude<DraftOutcome, { readonly kind: "draft" }>;

type OneRequest = {
  readonly from: string;
  /** Null: the transaction uses a sequence, and sets the account up. */
  readonly payment: Payment | null;
  readonly feeTarget: bigint | null;
  readonly ceiling: FeeCeiling;
};

async function draftOne(
  drafting: StellarDrafting,
  ask: AskStellar,
  { fees, until }: Terms,
  { from, payment, feeTarget, ceiling }: OneRequest,
): Promise<Unsequenced> {
  // The network charges its base fee, and more only while its ledgers are full. The payout's fee covers as much as it can.
  const wanted = feeTarget !== null && feeTarget > fees.medium ? feeTarget : fees.medium;
  const limit = "units" in ceiling ? ceiling.units : fees.high * ceiling.timesHigh;
  if (fees.low > limit) return { kind: "tooExpensive", feeUnits: fees.low };
  const affordable = wanted > limit ? limit : wanted;
  const feeUnits = affordable > feeUnitsMax ? feeUnitsMax : affordable;
  const found = await findCall(drafting, ask, from, payment, feeUnits);
  if ("kind" in found) return found;
  return {
    kind: "draft",
    feeUnits,
    withSequence: (given): Draft => {
      const sequence = present(given, "the sequence of a transaction of this chain");
      const maxTime = BigInt(until);
      return {
        body: writeBody({ from, call: found, fee: feeUnits, sequence, maxTime }),
        claims: [`${from}#${sequence}`],
        feeUnits,
        validity: { kind: "time", until: instantFromSeconds(until) },
      };
    },
  };
}

/** What makes the payment, or why the chain would refuse it. */
async function findCall(
  { coin, currencies, assetOf, tokens }: StellarDrafting,
  ask: AskStellar,
  from: string,
  payment: Payment | null,
  feeUnits: bigint,
): Promise<StellarCall | Obstacle> {
  if (payment === null) {
    const asset = await findNextTrustLine(ask, from, tokens, feeUnits);
    return asset === null ? { type: "useSequence" } : { type: "changeTrust", asset };
  }
  const { destination, amount } = payment;
  const { address: to, tag: memo } = destination;
  if (to === from) return { kind: "impossible", reason: "the hot account cannot pay itself" };
  const asset = assetOf(amount.currency);
  const payer = await readAccountState(ask, from, asset);
  const inCoin = asset === native ? amount.units : 0n;
  const missingCoin = inCoin + feeUnits - spendable(payer?.coin ?? null);
  if (missingCoin > 0n) return { kind: "insufficient", currency: coin, missing: missingCoin };
  const missing = asset === native ? 0n : amount.units - spendable(payer?.token ?? null);
  if (missing > 0n) return { kind: "insufficient", currency: amount.currency, missing };
  const code = present(
    currencies.find(({ id }) => id === amount.currency),
    "the paid currency",
  ).alpha;
  const receiver = await readReceiver(ask, destination, { asset, code });
  if (receiver.kind === "impossible") return { kind: "impossible", reason: receiver.reason };
  if (receiver.kind === "ready") return { type: "payment", to, asset, units: amount.units, memo };
  return amount.units < newAccountUnits
    ? { kind: "impossible", reason: "a new account needs at least 1 XLM" }
    : { type: "createAccount", to, units: amount.units, memo };
}
