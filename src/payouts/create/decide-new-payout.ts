import { mayCreate, mayPayFrom, mayView, type Principal } from "../../accounts/principal.ts";
import { walletStatus, walletType } from "../../accounts/wallets/wallet.ts";
import type { Payment } from "../../chains/paying-port.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import type { Currency } from "../../currencies/currency.ts";
import { currencyRejection } from "../../currencies/currency-rejection.ts";
import { noFreshRate } from "../../currencies/rates/no-fresh-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { type Rate, rateOfOne } from "../../platform/kernel/rate.ts";
import { pointerOf, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { walletHidden, walletNotGranted } from "../approve/decide-approval-rights.ts";
import { pauseFaults, walletPauseFaults } from "../controls/pause.ts";
import type { PayoutTerms } from "../payout.ts";
import { at, type PayoutRequest } from "../payout-documents.ts";
import { isTravelRuleRequired, type TravelRuleThresholds } from "../travel-rule/travel-rule.ts";
import { balanceIn } from "./balance-in.ts";
import { decideRoute, type Route } from "./decide-route.ts";
import { type ChargedAmounts, decideAmounts, decideTerms } from "./decide-terms.ts";
import type { PayoutFacts, WalletFacts } from "./facts.store.ts";
import type { DestinationFacts } from "./internal-destination.store.ts";
import type { NamedPayee } from "./read-payee.ts";

/** The request, its caller, and everything known about both. */
export type PayoutSubject = {
  readonly principal: Principal;
  readonly request: PayoutRequest;
  /** Faults found while parsing the request. */
  readonly faults: readonly Rejection[];
  /** Null if not given or unknown. */
  readonly currency: Currency | null;
  readonly addressing: PayeeAddressing | null;
  readonly payee: NamedPayee;
  readonly facts: PayoutFacts;
  readonly destination: DestinationFacts;
  /** Ask of the payment currency in the wallet's; null without a fresh price. */
  readonly rate: Rate | null;
  /** The document's fault if it has no travel-rule data although it usually must; a threshold of the currency excuses it. */
  readonly missingTravelRule: Rejection | null;
  /** Units that arrive with the payout and are paid out by it; null if the request states the amount. */
  readonly incomingUnits: bigint | null;
};

export type PayoutSettings = {
  readonly currencies: CurrencyRegistry;
  readonly callbackUrlFault: (url: string) => string | null;
  /** Who pays the network fee of tokens: the operator, or the account's wallet of the parent coin. */
  readonly tokenFees: "operator" | "wallet";
  readonly travelRuleThresholds: TravelRuleThresholds;
  /** Whether payouts are screened before they are signed. */
  readonly isScreened: boolean;
};

export type PayoutDecision = {
  readonly faults: readonly Rejection[];
  /** Null if there is a fault. */
  readonly terms: PayoutTerms | null;
  readonly route: Route | null;
  /** The question for a fee quote; null for internal payouts and if faults prevent it. */
  readonly toQuote: {
    /** The whole amount, even if it includes the fee: coin selection depends on it, and clients calculate with it. */
    readonly payment: Payment;
    /** What the receiver gets. */
    readonly paidUnits: bigint;
    readonly feeUnits: bigint;
    readonly balance: bigint;
  } | null;
};

/**
 * Decides whether a request creates a payout, and on which terms, without the network fee. Reports every fault; the
 * error table's order determines which one is returned.
 */
export function decideNewPayout(subject: PayoutSubject, settings: PayoutSettings): PayoutDecision {
  const { principal, request, facts, currency } = subject;
  const ofCurrency = currencyFaults(subject);
  const faults = [...callerFaults(subject), ...ofCurrency, ...otherFaults(subject, settings)];
  const wallet = visibleWallet(subject);
  const { wallet: walletId } = request;
  const chain = currency?.chain ?? null;
  // In a currency that the wallet does not pay, neither amounts nor addresses can be checked.
  const isPayable = !ofCurrency.some(({ name }) => name === "invalidValue");
  if (wallet === null || walletId === null || !isPayable || chain === null || currency === null) {
    const all = distinct([...faults, ...missing(subject)]);
    return { faults: all, terms: null, route: null, toQuote: null };
  }
  const { route, faults: routeFaults } = decideRoute({
    request,
    payee: subject.payee,
    destination: subject.destination,
    currency,
    walletId,
    chain,
    addressing: subject.addressing,
    walletType: wallet.type,
    accountId: principal.accountId,
    mayView: (id) => mayView(principal, id),
  });
  faults.push(...routeFaults, ...pauseFaults("payoutsBlocked", facts.pauses, currency, route));
  const rate = rateOf(subject, wallet);
  const walletCurrency = settings.currencies.get(wallet.currency);
  if (rate === null && wallet.type === walletType.merchant)
    faults.push(rejection("feeUnavailable", noFreshRate(currency, walletCurrency)));
  const amounts = decideAmounts({
    request,
    currency,
    wallet,
    walletId,
    route,
    rate,
    facts,
    walletCurrency,
    feeCurrency: settings.currencies.get(currency.parent ?? currency.id),
    tokenFees: settings.tokenFees,
    incomingUnits: subject.incomingUnits,
  });
  faults.push(...amounts.faults, ...travelRuleFaults(subject, currency, amounts.units, settings));
  const distinctFaults = distinct(faults);
  const { charged } = amounts;
  const balance = balanceIn(currency, wallet, rate, settings.currencies);
  return {
    faults: distinctFaults,
    terms:
      distinctFaults.length > 0 || charged === null || route === null
        ? null
        : decideTerms(
            {
              request,
              principal,
              wallet,
              walletId,
              currency,
              route,
              charged,
              chain,
              walletCurrency: settings.currencies.get(wallet.currency).id,
            },
            settings,
          ),
    route,
    toQuote: toQuote(route, currency, charged, balance),
  };
}

function toQuote(
  route: Route | null,
  { id }: Currency,
  charged: ChargedAmounts | null,
  balance: bigint,
): PayoutDecision["toQuote"] {
  if (route?.kind !== "chain" || charged === null) return null;
  const { units, feeUnits } = charged;
  const payment = { destination: route.destination, amount: { units, currency: id } };
  return {
    payment,
    paidUnits: charged.paidUnits > 0n ? charged.paidUnits : units,
    feeUnits,
    balance,
  };
}

/** The wallet, or null if the caller may not view it. */
function visibleWallet({ principal, request, facts }: WalletSubject): WalletFacts | null {
  const { wallet: walletId } = request;
  return walletId !== null && mayView(principal, walletId) ? facts.wallet : null;
}

function callerFaults(subject: PayoutSubject): readonly Rejection[] {
  // Not beside the document's faults: a related object of a wrong type is 409, which would take precedence.
  if (!mayCreate(subject.principal))
    return [rejection("permissionDenied", "Your role can't create payouts.")];
  return [...subject.faults, ...walletFaults(subject)];
}

function otherFaults(subject: PayoutSubject, settings: PayoutSettings): readonly Rejection[] {
  const { request, facts } = subject;
  const ofWallet = visibleWallet(subject) === null ? [] : trackingFaults(request, facts);
  return [...ofWallet, ...urlFaults(request, settings)];
}

/** What decides whether a caller can pay from a wallet at all. */
export type WalletSubject = Pick<PayoutSubject, "principal"> & {
  readonly request: Pick<PayoutRequest, "wallet">;
  readonly facts: Pick<PayoutFacts, "wallet">;
};

/** Why the caller can't pay anything from the wallet, whatever the payout. */
export function walletFaults(subject: WalletSubject): readonly Rejection[] {
  const { principal, request } = subject;
  if (request.wallet === null) return [];
  // The same answer for foreign and missing wallets, so nothing reveals whether another account's wallet exists.
  if (subject.facts.wallet === null)
    return [rejection("invalidValue", "There is no such wallet.", at.wallet)];
  const faults: Rejection[] = [];
  const fault = (name: Rejection["name"], detail: string): void => {
    faults.push({ ...rejection(name, detail, at.wallet), origin: "wallet" });
  };
  const wallet = visibleWallet(subject);
  if (wallet === null) {
    fault(walletHidden.name, walletHidden.detail);
    return faults;
  }
  if (wallet.status !== walletStatus.active)
    fault("walletInactive", "The wallet is inactive or still being registered.");
  if (wallet.needsActivation) fault("walletNotActivated", "The wallet must be activated first.");
  if (!payingTypes.includes(wallet.type))
    fault("walletTypeInvalid", "Only Enterprise, Merchant and Swap wallets can make payouts.");
  if (!mayPayFrom(principal, request.wallet)) fault(walletNotGranted.name, walletNotGranted.detail);
  faults.push(...walletPauseFaults("payoutsBlocked", wallet, at.wallet));
  if (!principal.accountIsReady)
    fault("payoutsBlocked", "Payouts are blocked until the account's registration is complete.");
  return faults;
}

const payingTypes: readonly number[] = [
  walletType.merchant,
  walletType.enterprise,
  walletType.swap,
];

function currencyFaults(subject: PayoutSubject): readonly Rejection[] {
  const { currency, request, facts } = subject;
  if (request.currency === null) return [];
  const invalid = (detail: string) => [rejection("invalidValue", detail, at.currency)];
  if (currency === null) return invalid("There is no such currency.");
  if (currency.chain === null) return invalid(`${currency.alpha} can't be paid out.`);
  const wallet = visibleWallet(subject);
  const paysOwnOnly =
    wallet !== null && payingTypes.includes(wallet.type) && wallet.type !== walletType.merchant;
  const isForeign = paysOwnOnly && wallet.currency !== currency.id;
  return [
    ...(isForeign ? invalid("This wallet can pay out only its own currency.") : []),
    ...(facts.availability === "available"
      ? []
      : [currencyRejection(currency, facts.availability, at.currency)]),
  ];
}

function trackingFaults(request: PayoutRequest, facts: PayoutFacts): readonly Rejection[] {
  if (request.tracking_id === null || !facts.isTrackingIdUsed) return [];
  return [trackingIdUsed()];
}

/** The rejection of a tracking id that another payout of the wallet uses. */
export function trackingIdUsed(): Rejection {
  const detail = "Another payout of this wallet already has this tracking_id. Ids can't be reused.";
  return rejection("trackingIdUsed", detail, at.attribute("tracking_id"));
}

function urlFaults(request: PayoutRequest, settings: PayoutSettings): readonly Rejection[] {
  const { callback_url: callbackUrl } = request;
  const fault = callbackUrl === null ? null : settings.callbackUrlFault(callbackUrl);
  return fault === null ? [] : [rejection("invalidValue", fault, at.attribute("callback_url"))];
}

/** The fault of a document that lacks travel-rule data, as long as no threshold can excuse it. */
function missing({ missingTravelRule }: PayoutSubject): readonly Rejection[] {
  return missingTravelRule === null ? [] : [missingTravelRule];
}

function travelRuleFaults(
  { request, facts, missingTravelRule }: PayoutSubject,
  currency: Currency,
  units: bigint | null,
  settings: PayoutSettings,
): readonly Rejection[] {
  if (request.travelRule !== null) return [];
  const { travelRuleThresholds: configured } = settings;
  const stored = facts.travelRuleFrom;
  if (units !== null && !isTravelRuleRequired(configured, stored, currency.id, units)) return [];
  if (missingTravelRule !== null) return [missingTravelRule];
  const detail = "travel_rule_info must name the payout's beneficiary.";
  return [rejection("invalidValue", detail, at.attribute("travel_rule_info"))];
}

function rateOf(subject: PayoutSubject, wallet: WalletFacts): Rate | null {
  return wallet.currency === subject.currency?.id ? rateOfOne : subject.rate;
}

/** Reports each fault once, and none for members that are missing because they could not be parsed. */
function distinct(faults: readonly Rejection[]): readonly Rejection[] {
  const reported = new Map<string, Rejection>();
  for (const fault of faults) {
    const key = `${fault.name} ${JSON.stringify(fault.source ?? null)}`;
    const isBelow = fault.name === "invalidValue" && isBelowAnother(fault, faults);
    if (!isBelow && !reported.has(key)) reported.set(key, fault);
  }
  return [...reported.values()];
}

/** `travel_rule_info` is not missing if one of its members is invalid. */
function isBelowAnother(fault: Rejection, faults: readonly Rejection[]): boolean {
  const place = pointerOf(fault);
  return (
    place !== null && faults.some((other) => pointerOf(other)?.startsWith(`${place}/`) === true)
  );
}
