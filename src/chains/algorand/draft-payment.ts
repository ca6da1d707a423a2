import { type Currency, contractAmong } from "../../currencies/currency.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type {
  AccountDraftOutcome,
  AccountPayment,
  DraftOutcome,
  DraftRequest,
  FeeCeiling,
  FeeQuote,
  Payment,
  QuoteRequest,
} from "../paying-port.ts";
import type { AlgodNode, AskAlgod } from "./algod-node.ts";
import { type AlgorandCall, leaseOf } from "./build-transaction.ts";
import { draftOf } from "./draft-body.ts";
import { accountAt, holdingAt, type Terms } from "./questions.ts";
import { accountUnits, readReceiver } from "./receiver-state.ts";
import { rekeyed } from "./rekeyed.ts";
import { readTerms, requiredFee, transactionOf } from "./terms.ts";

export type AlgorandDrafting = {
  readonly node: AlgodNode;
  readonly coin: CurrencyId;
  /** The chain's currencies that can be paid. */
  readonly currencies: readonly Currency[];
};

/** A fee above a tenth of the amount counts as large. */
const largeFeeTimes = 10n;
/** How far the fee per byte may rise between a quote and its payment. */
const riseTimes = 3n;

/** The current fee of a payment. It is the least one, unless blocks are full. */
export async function quotePayment(
  drafting: AlgorandDrafting,
  { payment, funds }: QuoteRequest,
  signal: AbortSignal,
): Promise<FeeQuote> {
  assert(funds.kind === "account", "an account pays on this chain");
  const call = callOf(drafting, funds.address, payment);
  const terms = await drafting.node.consult(readTerms, signal);
  const fee = requiredFee(terms, call, leaseOf(""));
  const isLarge = call.type === "payment" && fee * largeFeeTimes > call.units;
  return {
    low: fee,
    medium: fee,
    high: terms.feePerByte === 0n ? fee : fee * riseTimes,
    dust: 0n,
    warning: isLarge ? 1 : null,
  };
}

/** Drafts one payment from the hot account. Accounts number no transactions, so nothing is replaced and no gap is filled. */
export async function draftPayment(
  drafting: AlgorandDrafting,
  { payments, funds, feeTarget, reference, replaces, feeCeiling }: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  assert(funds.kind === "account", "an account pays on this chain");
  assert(payments.length <= 1, "one payment in a transaction of this chain");
  const [payment] = payments;
  if (replaces !== null || payment === undefined)
    return { kind: "impossible", reason: "a transaction of this chain is never replaced" };
  const outcome = await drafting.node.consult(async (ask) => {
    const terms = await readTerms(ask);
    return await draftOne(drafting, ask, terms, {
      from: funds.address,
      payment,
      feeTarget,
      lease: reference === undefined ? null : leaseOf(reference),
      ceiling: { units: feeCeiling },
    });
  }, signal);
  return outcome.kind === "draft" ? { kind: "draft", draft: outcome.withSequence(null) } : outcome;
}

/** Payments drafted concurrently. */
const atOnce = 8;

/** Drafts several payments of an account. Each is checked independently against the account's whole balance. */
export async function draftEach(
  drafting: AlgorandDrafting,
  from: string,
  payments: readonly AccountPayment[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (payments.length === 0) return [];
  const { node } = drafting;
  const terms = await node.consult(readTerms, signal);
  const outcomes: AccountDraftOutcome[] = [];
  for (let start = 0; start < payments.length; start += atOnce) {
    const part = payments.slice(start, start + atOnce).map(async (one) => {
      const { payment, feeTarget, reference } = one;
      const lease = reference === undefined ? null : leaseOf(reference);
      const request = { from, payment, feeTarget, lease, ceiling };
      try {
        return await node.consult((ask) => draftOne(drafting, ask, terms, request), signal);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return { kind: "unanswered", cause: error } as const;
      }
    });
    outcomes.push(...(await Promise.all(part)));
  }
  return outcomes;
}

type Unsequenced = Exclude<AccountDraftOutcome, { readonly kind: "unanswered" }>;
type Obstacle = Exclude<DraftOutcome, { readonly kind: "draft" }>;

type OneRequest = {
  readonly from: string;
  readonly payment: Payment;
  readonly feeTarget: bigint | null;
  readonly lease: Uint8Array | null;
  readonly ceiling: FeeCeiling;
};

async function draftOne(
  drafting: AlgorandDrafting,
  ask: AskAlgod,
  terms: Terms,
  { from, payment, feeTarget, lease, ceiling }: OneRequest,
): Promise<Unsequenced> {
  const call = callOf(drafting, from, payment);
  const required = requiredFee(terms, call, lease);
  const limit = "units" in ceiling ? ceiling.units : required * riseTimes * ceiling.timesHigh;
  if (required > limit) return { kind: "tooExpensive", feeUnits: required };
  // What it offers is what it pays, so more than the least fee is offered only while blocks are full.
  const offered =
    terms.feePerByte === 0n || feeTarget === null ? required : maxBigInt(required, feeTarget);
  const fee = offered > limit ? limit : offered;
  const obstacle = await findObstacle(drafting, ask, call, payment, fee);
  if (obstacle !== null) return obstacle;
  return {
    kind: "draft",
    feeUnits: fee,
    withSequence: () => draftOf({ ...transactionOf(terms, call, fee, lease), keyIndex: null }),
  };
}

/** The call that makes the payment. */
function callOf(
  { currencies }: Pick<AlgorandDrafting, "currencies">,
  from: string,
  { destination, amount }: Payment,
): Exclude<AlgorandCall, { readonly type: "optIn" }> {
  const asset = contractAmong(currencies, amount.currency);
  const moved = { from, to: destination.address, units: amount.units };
  return asset === null ? { type: "payment", ...moved } : { type: "transfer", asset, ...moved };
}

/** Why the chain would refuse the payment; null if it would not. */
async function findObstacle(
  { coin, currencies }: AlgorandDrafting,
  ask: AskAlgod,
  call: ReturnType<typeof callOf>,
  { amount }: Payment,
  fee: bigint,
): Promise<Obstacle | null> {
  if (call.to === call.from)
    return { kind: "impossible", reason: "the hot account cannot pay itself" };
  const asset = call.type === "transfer" ? call.asset : null;
  const payer = await ask(accountAt(call.from));
  if (payer.signedBy !== null) return { kind: "impossible", reason: rekeyed(payer.signedBy) };
  const spendable = maxBigInt(payer.units - payer.minimumUnits, 0n);
  const missingCoin = (asset === null ? call.units : 0n) + fee - spendable;
  if (missingCoin > 0n) return { kind: "insufficient", currency: coin, missing: missingCoin };
  if (asset !== null) {
    const held = await ask(holdingAt(call.from, asset));
    const missing = call.units - (held?.units ?? 0n);
    if (missing > 0n) return { kind: "insufficient", currency: amount.currency, missing };
    if (held?.isFrozen === true)
      return { kind: "impossible", reason: "the issuer has frozen the hot account's holding" };
  }
  const { alpha: code } = present(
    currencies.find(({ id }) => id === amount.currency),
    "the paid currency",
  );
  const receiver = await readReceiver(ask, call.to, { asset, code });
  if (receiver.kind === "impossible") return { kind: "impossible", reason: receiver.reason };
  return receiver.kind === "needsActivation" && call.units < accountUnits
    ? { kind: "impossible", reason: "a new account needs at least 0.1 ALGO" }
    : null;
}
