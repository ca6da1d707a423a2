import { mayView, type Principal } from "../../accounts/principal.ts";
import { FeesTooHigh } from "../../chains/paying-port.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import type { ChainId, Currency } from "../../currencies/currency.ts";
import type { FindKeyspace } from "../../currencies/keyspace.ts";
import type { FindRate, FreezeRates } from "../../currencies/rates/current-rate.ts";
import { noCommission } from "../../ledger/commission.ts";
import type { FindPositionFault } from "../../ledger/position-limits.ts";
import { present } from "../../platform/kernel/assert.ts";
import { multiplyByRate, type Rate } from "../../platform/kernel/rate.ts";
import {
  pointerOf,
  precedenceOf,
  Rejected,
  type Rejection,
  rejection,
} from "../../platform/kernel/rejection.ts";
import { currentTraceparent } from "../../platform/kernel/tracing.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Payout } from "../payout.ts";
import type { PayoutRequest } from "../payout-documents.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import { noTravelRule } from "../travel-rule/travel-rule.ts";
import { isTrackingIdTaken, type UsedKey } from "./create.store.ts";
import {
  decideNewPayout,
  type PayoutDecision,
  type PayoutSettings,
  trackingIdUsed,
} from "./decide-new-payout.ts";
import { insufficientFunds } from "./decide-terms.ts";
import type { PayoutFacts, ReadPayoutFacts } from "./facts.store.ts";
import { type FeeAnswer, feeFaults } from "./fee-faults.ts";
import type { IncomingFunds } from "./incoming-funds.ts";
import type {
  DestinationFacts,
  DestinationQuestion,
  FindInternalDestination,
} from "./internal-destination.store.ts";
import type { NewPayout, WriteOutcome } from "./new-payout.ts";
import type { ListedDestination } from "./payout-protection.store.ts";
import type { QuoteFees } from "./quote-fees.ts";
import { type NamedPayee, readPayee } from "./read-payee.ts";

export type CreatePayoutContext = PayoutSettings & {
  readonly findKeyspace: FindKeyspace;
  /** Null for chains whose addresses this deployment cannot parse. */
  readonly findPayeeAddressing: (chain: ChainId) => PayeeAddressing | null;
  readonly findRate: FindRate;
  readonly freezeRates: FreezeRates;
  readonly quoteFees: QuoteFees;
  readonly findPositionFault: FindPositionFault;
  readonly readFacts: ReadPayoutFacts;
  readonly findOwnDestination: FindInternalDestination;
  readonly write: (payout: NewPayout) => Promise<WriteOutcome>;
};

/** A payout request and its context. */
export type PayoutOrder = {
  readonly request: PayoutRequest;
  /** Faults of the document itself. */
  readonly faults: readonly Rejection[];
  /** The document's fault if it has no travel-rule data although it usually must; a threshold of the currency excuses it. */
  readonly missingTravelRule?: Rejection;
  /** Lower-case UUID. */
  readonly idempotencyKey: string;
  /** SHA-256 of the document. */
  readonly fingerprint: Uint8Array;
  /** Null if the payout is paid from the wallet's existing balance. */
  readonly incoming: IncomingFunds | null;
  /** Another member has to approve it with the rest of its batch, whatever role and limits say, and was notified of the batch. */
  readonly waitsInBatch?: boolean;
  /** The sum of its batch exceeds a limit: its approver must satisfy what a payout of that sum requires. */
  readonly isBatchAboveLimit?: boolean;
};

export type CreatedPayout = {
  readonly payout: Payout;
  /** As the request gave it; null if it gave none. */
  readonly travelRule: TravelRuleInfo | null;
};

/** How often a payout is decided while its account's limits or allowlist change. */
const protectionTries = 5;

/**
 * Creates a payout: holds its funds, uses its idempotency key and writes its row in one transaction. Rejects with
 * idempotencyKeyUsed before looking at any value, then with the interface's rows of "Create payout":
 * permissionDenied, invalidValue, walletInactive, walletNotActivated, walletTypeInvalid, payoutNotPermitted,
 * payoutToItself, insufficientFunds, feeOutOfRange, feeOnToken, amountNotPositive, trackingIdUsed,
 * amountBelowMinimum, feeNotIncludable, feeExceedsAmount, currencyDisabled, currencyUnavailable, tokenNotPaidFor,
 * addressRefused, payoutsBlocked, feeUnavailable.
 */
export async function createPayout(
  context: CreatePayoutContext,
  principal: Principal,
  order: PayoutOrder,
  triesLeft = protectionTries,
): Promise<CreatedPayout> {
  const { request, waitsInBatch = false, isBatchAboveLimit = false } = order;
  const currency = request.currency === null ? null : context.currencies.find(request.currency);
  const addressing =
    currency === null || currency.chain === null
      ? null
      : context.findPayeeAddressing(currency.chain);
  const reading = readPayee(request, currency, addressing);
  const [facts, destination, findRate] = await Promise.all([
    context.readFacts({
      accountId: principal.accountId,
      key: order.idempotencyKey,
      currency,
      walletId: request.wallet,
      trackingId: request.tracking_id,
    }),
    context.findOwnDestination({
      accountId: principal.accountId,
      chain: currency?.chain ?? null,
      payee: toDestinationQuestion(reading.payee, currency, context.findKeyspace),
    }),
    context.freezeRates(),
  ]);
  if (facts.used !== null) throw keyUsed(facts.used, principal, order);
  const rate = await chargedRate(findRate, facts, currency, context);
  const decision = decideNewPayout(
    {
      principal,
      request,
      currency,
      addressing,
      destination,
      payee: reading.payee,
      rate,
      facts: withIncoming(context, facts, order.incoming, currency, rate),
      faults: [...order.faults, ...payeeFaults(reading.faults, order.faults)],
      incomingUnits: order.incoming?.units ?? null,
      missingTravelRule: order.missingTravelRule ?? null,
    },
    context,
  );
  const terms = await assertFee(context, decision, currency, request.wallet);
  const outcome = await write(context, {
    terms,
    use: keyUse(principal, order),
    target: decision.route?.kind === "internal" ? decision.route.target : null,
    limits: facts.limits,
    listed: listedDestination(reading.payee, currency, destination, principal),
    needsApproval: waitsInBatch || principal.role === "withdrawals_with_approval",
    travelRule: request.travelRule ?? noTravelRule,
    incoming: order.incoming,
    findRate,
    waitsInBatch,
    isBatchAboveLimit,
    person: principal.person === undefined ? null : principal,
    traceparent: currentTraceparent(),
  });
  // A limit that was lowered while the fee was quoted must not be passed: everything is decided again.
  if (outcome.kind === "protectionChanged")
    return createAgain(context, principal, order, triesLeft);
  return { payout: createdPayout(outcome, principal, order), travelRule: request.travelRule };
}

function keyUse(
  { accountId }: Principal,
  { idempotencyKey: key, fingerprint }: PayoutOrder,
): NewPayout["use"] {
  return { accountId, key, fingerprint };
}

/** Decides everything again, unless limits or allowlist change all the time. */
function createAgain(
  context: CreatePayoutContext,
  principal: Principal,
  order: PayoutOrder,
  triesLeft: number,
): Promise<CreatedPayout> {
  if (triesLeft <= 1) throw new Unavailable("payouts", "limits or allowlist keep changing");
  return createPayout(context, principal, order, triesLeft - 1);
}

/** What the account's allowlist has to contain if it is required, as `decideRoute` decides; null for the account's own deposits and wallets. */
function listedDestination(
  payee: NamedPayee,
  currency: Currency | null,
  { internal }: DestinationFacts,
  { accountId }: Principal,
): ListedDestination | null {
  const chain = currency?.chain ?? null;
  if (chain === null) return null;
  if (payee.kind === "address") {
    const { address, tag } = payee.destination;
    return { chain, address, tag: tag ?? (internal?.kind === "deposit" ? internal.tag : null) };
  }
  if (payee.kind !== "deposit" || internal?.kind !== "deposit" || internal.accountId === accountId)
    return null;
  const { address, tag } = internal;
  return address === null ? null : { chain, address, tag };
}

/** The written payout, or a rejection that only the write could detect. */
function createdPayout(
  outcome: Exclude<WriteOutcome, { readonly kind: "protectionChanged" }>,
  principal: Principal,
  order: PayoutOrder,
): Payout {
  switch (outcome.kind) {
    case "created":
      return outcome.payout;
    case "keyUsed":
      throw keyUsed(outcome.used, principal, order);
    case "insufficientFunds":
      throw new Rejected(insufficientFunds());
    case "trackingIdUsed":
      throw new Rejected(trackingIdUsed());
  }
}

/** If a receiver member could not be parsed, missing members are not reported. */
function payeeFaults(
  faults: readonly Rejection[],
  ofDocument: readonly Rejection[],
): readonly Rejection[] {
  const isUnread = ofDocument.some((fault) =>
    /\/(address|target_deposit|target_wallet)$/.test(pointerOf(fault) ?? ""),
  );
  return isUnread ? [] : faults;
}

function toDestinationQuestion(
  payee: NamedPayee,
  currency: Currency | null,
  findKeyspace: FindKeyspace,
): DestinationQuestion["payee"] {
  if (payee.kind !== "address") return payee;
  return {
    kind: "address",
    keyspace: currency === null ? null : (findKeyspace(currency.id)?.name ?? null),
    watchKey: payee.watchKey,
    address: payee.destination.address,
    tag: payee.destination.tag,
  };
}

/** The ask at which the wallet is charged. Null if no rate is needed or no price is fresh. */
async function chargedRate(
  findRate: FindRate,
  { wallet }: PayoutFacts,
  currency: Currency | null,
  { currencies }: CreatePayoutContext,
): Promise<Rate | null> {
  if (wallet === null || currency === null || currency.chain === null) return null;
  if (wallet.currency === currency.id) return null;
  const found = await findRate(currency.id, currencies.get(wallet.currency).id);
  return found?.ask ?? null;
}

/** The wallet as it will stand when the payout is written. Refunds pay no commission. */
function withIncoming(
  { currencies }: CreatePayoutContext,
  facts: PayoutFacts,
  incoming: IncomingFunds | null,
  currency: Currency | null,
  rate: Rate | null,
): PayoutFacts {
  const { wallet } = facts;
  if (incoming === null || wallet === null || currency === null) return facts;
  const { exp } = currencies.get(wallet.currency);
  const worth =
    wallet.currency === currency.id
      ? incoming.units
      : multiplyByRate(incoming.units, currency.exp, rate ?? noPrice, exp, "up");
  return {
    ...facts,
    commissionTerms: noCommission,
    wallet: { ...wallet, available: wallet.available + worth },
  };
}

const noPrice: Rate = { units: 0n, exp: 0 };

/** Quotes the network fee unless an earlier fault decides, then rejects with all faults. */
async function assertFee(
  context: CreatePayoutContext,
  { faults, terms, toQuote }: PayoutDecision,
  currency: Currency | null,
  walletId: string | null,
) {
  const isAsked = toQuote !== null && currency !== null && !faults.some(comesBeforeFees);
  const fees = isAsked
    ? feeFaults(
        toQuote,
        await quoteFee(context.quoteFees, {
          payment: toQuote.payment,
          balance: toQuote.balance,
          chain: present(currency.chain, "chain of a payment"),
          walletId: present(walletId, "wallet of a payment"),
        }),
        currency,
      )
    : [];
  const [first, ...others] = [...faults, ...fees];
  if (first !== undefined) throw new Rejected(first, ...others);
  return present(terms, "terms of a payout without faults");
}

/** Whether this fault takes precedence over any fault of the fee. */
function comesBeforeFees({ name }: Rejection): boolean {
  return precedenceOf(name) < precedenceOf("feeOutOfRange");
}

/** An unreachable node is a fault like any other; faults of the request take precedence. */
async function quoteFee(
  quoteFees: QuoteFees,
  question: Parameters<QuoteFees>[0],
): Promise<FeeAnswer> {
  try {
    return await quoteFees(question);
  } catch (error) {
    if (error instanceof FeesTooHigh) return error;
    if (error instanceof Unavailable && error.what !== "database") return "nodeUnavailable";
    throw error;
  }
}

async function write(context: CreatePayoutContext, payout: NewPayout): Promise<WriteOutcome> {
  try {
    return await context.write(payout);
  } catch (error) {
    if (isTrackingIdTaken(error)) return { kind: "trackingIdUsed" };
    throw error;
  }
}

/**
 * Tells a client that lost the response which payout its request created, but only for the same document and only if
 * it may view the wallet.
 */
function keyUsed(
  { payoutId, fingerprint }: UsedKey,
  principal: Principal,
  order: PayoutOrder,
): Rejected {
  const { wallet: walletId } = order.request;
  const isSame = Buffer.from(fingerprint).equals(Buffer.from(order.fingerprint));
  const maySee = isSame && walletId !== null && mayView(principal, walletId);
  const detail = isSame
    ? `This request has already been accepted${maySee ? "; see the payout that it created" : ""}.`
    : "This key was used for another request. Use a new key for each request.";
  const used = rejection("idempotencyKeyUsed", detail, { header: "idempotency-key" });
  return new Rejected(maySee ? { ...used, meta: { payout_id: payoutId } } : used);
}
