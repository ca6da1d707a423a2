import { mayView, type Principal } from "../../accounts/principal.ts";
import { walletStatus, walletType } from "../../accounts/wallets/wallet.ts";
import { type FeeQuote, FeesTooHigh } from "../../chains/paying-port.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import { amountText } from "../../currencies/amount-text.ts";
import type { ChainId, Currency } from "../../currencies/currency.ts";
import { currencyRejection } from "../../currencies/currency-rejection.ts";
import type { Keyspace } from "../../currencies/keyspace.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { commissionOf } from "../../ledger/commission.ts";
import type { FindPositionFault } from "../../ledger/position-limits.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { multiplyByRate, type Rate, rateOfOne } from "../../platform/kernel/rate.ts";
import {
  pointerOf,
  Rejected,
  type Rejection,
  reject,
  rejection,
} from "../../platform/kernel/rejection.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { pauseFaults, walletPauseFaults } from "../controls/pause.ts";
import { at as payoutAt } from "../payout-documents.ts";
import {
  isTravelRuleRequired,
  type TravelRuleThresholds,
  travelRuleFrom,
} from "../travel-rule/travel-rule.ts";
import { balanceIn } from "./balance-in.ts";
import { isLargeFee } from "./create-quote-fees.ts";
import { decideRoute, type RouteDecision } from "./decide-route.ts";
import { minimumFaults } from "./decide-terms.ts";
import type { PayoutFacts, ReadPayoutFacts, WalletFacts } from "./facts.store.ts";
import type { FindInternalDestination } from "./internal-destination.store.ts";
import type { FeeQuestion, PaymentQuote, QuoteFees } from "./quote-fees.ts";
import { type NamedPayee, readAddress } from "./read-payee.ts";
import { receiverFaults } from "./receiver-faults.ts";
import { reserveFaults } from "./reserve-faults.ts";

export type CalculateContext = {
  readonly currencies: CurrencyRegistry;
  readonly findRate: FindRate;
  readonly readFacts: ReadPayoutFacts;
  readonly findOwnDestination: FindInternalDestination;
  readonly findKeyspace: (currency: CurrencyId) => Keyspace | null;
  /** Null for chains whose addresses this deployment cannot parse. */
  readonly findPayeeAddressing: (chain: ChainId) => PayeeAddressing | null;
  readonly quoteFees: QuoteFees;
  readonly findPositionFault: FindPositionFault;
  readonly travelRuleThresholds: TravelRuleThresholds;
};

/** The client's question, with texts as received. `currencyId` null means the wallet's own currency. */
export type CalculationRequest = {
  readonly walletId: string;
  readonly currencyId: string | null;
  readonly amount: string;
  readonly toAddress: string;
  /** As in a payout. */
  readonly tag: string | null;
  readonly tagType: string | null;
  /** Quotes the payment on the chain, also to an address of this service. Merchant wallets only, as in a payout. */
  readonly forceBlockchain?: boolean;
  /** True if the payout's funds arrive together with it: the balance need not cover them, and no commission is charged. */
  readonly isIncoming?: boolean;
};

export type Calculation = {
  /** The address belongs to this service: unless the payment is forced onto the chain, it costs nothing. */
  readonly isInternal: boolean;
  readonly quote: FeeQuote;
  /** The coin in which fees are paid. */
  readonly feeCurrency: Currency;
  readonly commission: Money;
  /** Whether the payout would be refused without travel-rule data. */
  readonly needsTravelRule: boolean;
  /** The units from which payouts of the currency need travel-rule data; null: every payout does. */
  readonly travelRuleFromUnits: bigint | null;
};

const at = {
  amount: { pointer: "/data/attributes/amount" },
  address: { pointer: "/data/attributes/to_address" },
  tag: { pointer: "/data/attributes/tag" },
  wallet: { pointer: "/data/relationships/wallet" },
  currency: { pointer: "/data/relationships/currency" },
} as const;

const free: FeeQuote = { low: 0n, medium: 0n, high: 0n, dust: 0n, warning: null };

/**
 * What a payout would cost now. Rejects with accountNotReady (also for an unknown or foreign wallet), fieldMissing,
 * invalidValue, walletInactive, walletNotActivated, payoutToItself, insufficientFunds, amountBelowMinimum, the
 * currency's own rejections, addressRefused, feeUnavailable.
 */
export async function calculatePayout(
  context: CalculateContext,
  principal: Principal,
  request: CalculationRequest,
): Promise<Calculation> {
  if (!principal.accountIsReady)
    refuseAccess(context, request, "The account's registration is incomplete.");
  const { wallet, facts, currency } = await findSubject(context, principal, request);
  const { chain } = currency;
  if (chain === null) throw new Rejected(notPaidOut(currency));

  const addressing = context.findPayeeAddressing(chain);
  const payee = { address: request.toAddress, tag: request.tag, tag_type: request.tagType };
  const named = readAddress(payee, currency, addressing);
  const [{ route, faults: routeFaults, isOwn }, rate] = await Promise.all([
    findRoute(context, principal, request, { wallet, currency, chain, addressing }, named.payee),
    findWalletRate(context, wallet, currency),
  ]);
  const amounts = decideAmount(context, request, { wallet, facts, currency, rate });
  const faults = [
    ...walletFaults(wallet),
    ...currencyFaults(wallet, facts, currency),
    ...[...named.faults, ...routeFaults].map(atToAddress),
    ...amounts.faults,
    ...walletPauseFaults("feeUnavailable", wallet, at.wallet),
    ...pauseFaults("feeUnavailable", facts.pauses, currency, route),
    ...(await positionFaults(context, request, { wallet, currency, rate }, amounts)),
  ];
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);

  const feeCurrency = context.currencies.get(currency.parent ?? currency.id);
  const { travelRuleThresholds: configured } = context;
  const stored = facts.travelRuleFrom;
  const rule = {
    needsTravelRule: isTravelRuleRequired(configured, stored, currency.id, amounts.units),
    travelRuleFromUnits: travelRuleFrom(configured, stored, currency.id),
  };
  const commission = { units: amounts.commissionUnits, currency: currency.id };
  if (route === null) reject("addressRefused", "This address can't receive payouts.", at.address);
  if (route.kind === "internal") {
    return { isInternal: isOwn, quote: free, feeCurrency, commission, ...rule };
  }
  const payment = {
    destination: route.destination,
    amount: { units: amounts.units, currency: currency.id },
  };
  const balance =
    request.isIncoming === true
      ? amounts.units
      : balanceIn(currency, wallet, rate, context.currencies);
  const { walletId } = request;
  const answer = await quoteOrNull(context.quoteFees, { chain, payment, walletId, balance });
  if (answer === null)
    reject("feeUnavailable", `No network fee for ${currency.alpha} is available right now.`);
  const isFeeDeducted = request.isIncoming === true && feeCurrency.id === currency.id;
  const quote = isFeeDeducted
    ? { ...answer, warning: warningOfRefund(answer, amounts.units) }
    : answer;
  const [fault, ...more] = [
    ...receiverFaults(quote.receiver, amounts.units, currency, at),
    ...reserveFaults(quote, amounts.units, currency, at.amount),
  ];
  if (fault !== undefined) throw new Rejected(fault, ...more);
  return { isInternal: isOwn, quote, feeCurrency, commission, ...rule };
}

/** Rejects with what is wrong with the request whatever its wallet is, which precedes 403 in the interface's table, else with accountNotReady. */
function refuseAccess(
  context: CalculateContext,
  request: CalculationRequest,
  detail: string,
  source?: { readonly pointer: string },
): never {
  const [first, ...others] = faultsOfRequest(context, request);
  if (first !== undefined) throw new Rejected(first, ...others);
  reject("accountNotReady", detail, source);
}

/** What the named currency shows to be wrong; nothing is known without one, because the wallet determines it. */
function faultsOfRequest(
  { currencies, findPayeeAddressing }: CalculateContext,
  { currencyId, amount, toAddress, tag, tagType }: CalculationRequest,
): readonly Rejection[] {
  if (currencyId === null) return [];
  const currency = currencies.find(currencyId);
  if (currency === null) return [noSuchCurrency];
  if (currency.chain === null) return [notPaidOut(currency)];
  const payee = { address: toAddress, tag, tag_type: tagType };
  const named = readAddress(payee, currency, findPayeeAddressing(currency.chain));
  const reading = readAmount(amount, currency);
  return [...named.faults.map(atToAddress), ...("fault" in reading ? [reading.fault] : [])];
}

const noSuchCurrency = rejection("invalidValue", "There is no such currency.", at.currency);

function notPaidOut({ alpha }: Currency): Rejection {
  return rejection("invalidValue", `${alpha} can't be paid out.`, at.currency);
}

/** A refund pays its fee out of itself: whatever the wallet holds, its balance stays as it is, so only a large fee is worth a warning. */
function warningOfRefund({ medium }: FeeQuote, units: bigint): FeeQuote["warning"] {
  return isLargeFee(medium, units) ? 1 : null;
}

/** Rejects conversions beyond the operator's position limits. Refunds convert nothing. */
async function positionFaults(
  { currencies, findPositionFault }: CalculateContext,
  { isIncoming = false }: CalculationRequest,
  { wallet, currency, rate }: Pick<Subject, "wallet" | "currency"> & { readonly rate: Rate | null },
  { units, commissionUnits }: { readonly units: bigint; readonly commissionUnits: bigint },
): Promise<readonly Rejection[]> {
  if (rate === null || isIncoming || wallet.currency === currency.id) return [];
  const walletCurrency = currencies.get(wallet.currency);
  const paid = units + commissionUnits;
  const fault = await findPositionFault([
    [walletCurrency.id, multiplyByRate(paid, currency.exp, rate, walletCurrency.exp, "up")],
    [currency.id, -paid],
  ]);
  return fault === null ? [] : [fault];
}

/** The interface has one answer for any node failure here: "Fee calculation unavailable for the currency". */
async function quoteOrNull(
  quoteFees: QuoteFees,
  question: FeeQuestion,
): Promise<PaymentQuote | null> {
  try {
    return await quoteFees(question);
  } catch (error) {
    if (error instanceof FeesTooHigh) reject("feeUnavailable", error.detail);
    if (error instanceof Unavailable && error.what !== "database") return null;
    throw error;
  }
}

type Subject = {
  readonly wallet: WalletFacts;
  readonly facts: PayoutFacts;
  readonly currency: Currency;
};

/** If the request names no currency, the wallet determines it and is read first. */
async function findSubject(
  context: CalculateContext,
  principal: Principal,
  request: CalculationRequest,
): Promise<Subject> {
  const { walletId, currencyId } = request;
  const isNamed = isObjectId(walletId) && mayView(principal, walletId);
  const named = currencyId === null ? null : context.currencies.find(currencyId);
  const readFactsOf = (currency: Currency | null): Promise<PayoutFacts> =>
    context.readFacts({
      accountId: principal.accountId,
      key: null,
      trackingId: null,
      walletId: isNamed ? walletId : null,
      currency,
    });
  const facts = await readFactsOf(named);
  const { wallet } = facts;
  if (wallet === null) refuseAccess(context, request, "There is no such wallet.", at.wallet);
  if (currencyId !== null) {
    if (named === null) throw new Rejected(noSuchCurrency);
    return { wallet, facts, currency: named };
  }
  const own = context.currencies.get(wallet.currency);
  if (own.kind === "fiat") {
    const detail = `This wallet is in ${own.alpha}, so currency is required.`;
    reject("fieldMissing", detail, at.currency);
  }
  return { wallet, facts: await readFactsOf(own), currency: own };
}

async function findRoute(
  context: CalculateContext,
  principal: Principal,
  { walletId, forceBlockchain = false }: CalculationRequest,
  subject: {
    readonly wallet: WalletFacts;
    readonly currency: Currency;
    readonly chain: ChainId;
    readonly addressing: PayeeAddressing | null;
  },
  payee: NamedPayee,
): Promise<RouteDecision & { readonly isOwn: boolean }> {
  const { wallet, currency, chain, addressing } = subject;
  const { accountId } = principal;
  const keyspace = context.findKeyspace(currency.id)?.name ?? null;
  const destination = await context.findOwnDestination({
    accountId,
    chain,
    payee:
      payee.kind === "address"
        ? {
            kind: "address",
            keyspace,
            watchKey: payee.watchKey,
            tag: payee.destination.tag,
            address: payee.destination.address,
          }
        : payee,
  });
  const { internal } = destination;
  const decision = decideRoute({
    request: { force_blockchain: forceBlockchain, targetWalletPointer: "" },
    payee,
    destination,
    accountId,
    walletId,
    currency,
    chain,
    addressing,
    walletType: wallet.type,
    mayView: (id) => mayView(principal, id),
  });
  return { ...decision, isOwn: internal?.kind === "deposit" && internal.currency === currency.id };
}

/** The ask at which a payout would be charged; null without a fresh price. */
async function findWalletRate(
  context: CalculateContext,
  wallet: WalletFacts,
  currency: Currency,
): Promise<Rate | null> {
  if (wallet.currency === currency.id) return rateOfOne;
  const found = await context.findRate(currency.id, context.currencies.get(wallet.currency).id);
  return found?.ask ?? null;
}

function decideAmount(
  context: CalculateContext,
  { amount, isIncoming = false }: CalculationRequest,
  { wallet, facts, currency, rate }: Subject & { readonly rate: Rate | null },
): { readonly units: bigint; readonly commissionUnits: bigint; readonly faults: Rejection[] } {
  const reading = readAmount(amount, currency);
  if ("fault" in reading) return { units: 0n, commissionUnits: 0n, faults: [reading.fault] };
  const { units } = reading;
  const commissionUnits = isIncoming ? 0n : commissionOf(units, facts.commissionTerms);
  const faults: Rejection[] = [...minimumFaults(units, currency, at.amount)];
  const { exp } = context.currencies.get(wallet.currency);
  if (rate === null) {
    faults.push(rejection("feeUnavailable", `No fresh rate for ${currency.alpha} is available.`));
  } else if (
    !isIncoming &&
    multiplyByRate(units + commissionUnits, currency.exp, rate, exp, "up") > wallet.available
  ) {
    const has = amountText(wallet.available, context.currencies.get(wallet.currency));
    faults.push(
      rejection("insufficientFunds", `The wallet's available balance is ${has}.`, at.amount),
    );
  }
  return { units, commissionUnits, faults };
}

function readAmount(
  amount: string,
  { alpha, exp }: Currency,
): { readonly units: bigint } | { readonly fault: Rejection } {
  const refused = (detail: string) => ({ fault: rejection("invalidValue", detail, at.amount) });
  const parsed = parseDecimal(amount, exp);
  if (parsed.kind === "malformed") return refused("amount is not a decimal number.");
  if (parsed.kind === "excessDigits") return refused(`${alpha} has at most ${exp} decimals.`);
  return parsed.units > 0n ? { units: parsed.units } : refused("amount must be greater than zero.");
}

function walletFaults(wallet: WalletFacts): readonly Rejection[] {
  const faults = [
    ...(wallet.status === walletStatus.active
      ? []
      : [
          rejection(
            "walletInactive",
            "The wallet is inactive or still being registered.",
            at.wallet,
          ),
        ]),
    ...(wallet.needsActivation
      ? [rejection("walletNotActivated", "The wallet must be activated first.", at.wallet)]
      : []),
  ];
  return faults.map((fault) => ({ ...fault, origin: "wallet" }));
}

function currencyFaults(
  wallet: WalletFacts,
  { availability }: PayoutFacts,
  currency: Currency,
): readonly Rejection[] {
  const isForeign = wallet.type !== walletType.merchant && wallet.currency !== currency.id;
  return [
    ...(isForeign
      ? [rejection("invalidValue", "This wallet can pay out only its own currency.", at.currency)]
      : []),
    ...(availability === "available"
      ? []
      : [currencyRejection(currency, availability, at.currency)]),
  ];
}

/** Moves a fault of a new payout to the member that holds the address in this request. */
function atToAddress(fault: Rejection): Rejection {
  return pointerOf(fault) === payoutAddress ? { ...fault, source: at.address } : fault;
}

const payoutAddress = payoutAt.attribute("address").pointer;
