import type { Principal } from "../../accounts/principal.ts";
import { amountText } from "../../currencies/amount-text.ts";
import { findChain, mayIncludeFee } from "../../currencies/chains.ts";
import type { Currency } from "../../currencies/currency.ts";
import { tagTypeOf } from "../../currencies/read-tag.ts";
import { riskStatus } from "../../deposits/transfers/transfer.ts";
import { commissionOf } from "../../ledger/commission.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { multiplyByRate, type Rate } from "../../platform/kernel/rate.ts";
import {
  type Rejection,
  type RejectionSource,
  rejection,
} from "../../platform/kernel/rejection.ts";
import type { PayoutTerms } from "../payout.ts";
import { at, type PayoutRequest } from "../payout-documents.ts";
import { lacksLegalName } from "../travel-rule/travel-rule.ts";
import type { Route } from "./decide-route.ts";
import type { PayoutFacts, WalletFacts } from "./facts.store.ts";

export type AmountsSubject = {
  readonly request: PayoutRequest;
  readonly wallet: WalletFacts;
  readonly walletId: string;
  readonly walletCurrency: Currency;
  readonly currency: Currency;
  /** The chain's coin. */
  readonly feeCurrency: Currency;
  /** Null if unknown. */
  readonly route: Route | null;
  readonly rate: Rate | null;
  readonly facts: Pick<PayoutFacts, "commissionTerms" | "coinWallet">;
  readonly tokenFees: "operator" | "wallet";
  /** Not null: the payout pays out exactly these funds, including the fee if it is in the same coin. */
  readonly incomingUnits: bigint | null;
};

/** What each wallet is charged. Amounts are in the payment currency, fees in the coin, charges in their wallet's currency. */
export type ChargedAmounts = {
  readonly units: bigint;
  /** 0 or less if an included fee exceeds the amount. */
  readonly paidUnits: bigint;
  readonly feeUnits: bigint;
  readonly feeCurrency: CurrencyId;
  /** Null if no wallet pays the fee, or the operator does. */
  readonly feeWalletId: string | null;
  readonly commissionUnits: bigint;
  readonly rate: Rate;
  readonly chargedUnits: bigint;
  readonly chargedFeeUnits: bigint;
};

export type AmountsDecision = {
  readonly units: bigint | null;
  /** Null while an amount is missing or malformed. */
  readonly charged: ChargedAmounts | null;
  readonly faults: readonly Rejection[];
};

/**
 * Computes what a payout costs its wallet and checks the balance. Faults: invalidValue, insufficientFunds,
 * feeOnToken, amountNotPositive, amountBelowMinimum, feeNotIncludable, feeExceedsAmount.
 */
export function decideAmounts(subject: AmountsSubject): AmountsDecision {
  const { request, currency, feeCurrency, route, rate } = subject;
  const faults: Rejection[] = [...includedFaults(request, currency)];
  const fee = readFee(request, feeCurrency, route);
  const amount = readAmount(subject, fee.units);
  faults.push(...amount.faults, ...fee.faults);
  if (amount.units === null) return { units: null, charged: null, faults };
  if (amount.units <= 0n && subject.incomingUnits !== null) {
    faults.push(feeExceedsAmount());
    return { units: amount.units, charged: null, faults };
  }
  if (amount.units <= 0n) {
    faults.push(rejection("amountNotPositive", notPositive, at.attribute("amount")));
    return { units: amount.units, charged: null, faults };
  }
  faults.push(...minimumFaults(amount.units, currency, at.attribute("amount")));
  if (fee.units === null || rate === null) return { units: amount.units, charged: null, faults };
  const charged = chargesOf({ ...subject, rate }, amount.units, fee.units);
  if (charged.paidUnits <= 0n) faults.push(feeExceedsAmount());
  if (!isCovered(subject, charged)) faults.push(insufficientFunds());
  else if (!isFeeCovered(subject, charged)) faults.push(insufficientForFee(feeCurrency));
  return { units: amount.units, charged, faults };
}

/** 4011 of a zero or negative amount. */
export const notPositive = "amount must be greater than zero.";

/** 4013: an amount below the currency's minimum. `source` is its place in the request. */
export function minimumFaults(
  units: bigint,
  currency: Currency,
  source: RejectionSource,
): readonly Rejection[] {
  if (units >= currency.minimalTransferUnits) return [];
  const detail = `The minimum payout is ${amountText(currency.minimalTransferUnits, currency)}.`;
  return [rejection("amountBelowMinimum", detail, source)];
}

/** 4008: the wallet does not cover amount, fee and commission. */
export function insufficientFunds(): Rejection {
  const detail = "The wallet's balance doesn't cover amount, fee and commission.";
  return rejection("insufficientFunds", detail, at.attribute("amount"));
}

/** 4008 for a token's fee: the amount is covered, the fee in the chain's coin is not. */
function insufficientForFee({ alpha }: Currency): Rejection {
  const detail = `The network fee is charged to an active Enterprise wallet in ${alpha}, and the account has none that covers it.`;
  return rejection("insufficientFunds", detail, at.attribute("fee_amount"));
}

function feeExceedsAmount(): Rejection {
  const detail = "The fee exceeds the amount.";
  return rejection("feeExceedsAmount", detail, at.attribute("fee_amount"));
}

function includedFaults(
  { is_fee_included: isFeeIncluded }: PayoutRequest,
  currency: Currency,
): Rejection[] {
  if (isFeeIncluded !== true) return [];
  const source = at.attribute("is_fee_included");
  if (currency.kind === "token") {
    const detail = `The network fee for ${currency.alpha} is paid in another currency, so it can't be included in the amount.`;
    return [rejection("feeOnToken", detail, source)];
  }
  if (mayIncludeFee(currency)) return [];
  const detail = `The fee can't be included in amounts of ${currency.alpha}. Set is_fee_included to false.`;
  return [rejection("feeNotIncludable", detail, source)];
}

type Units = { readonly units: bigint | null; readonly faults: readonly Rejection[] };

/** Incoming funds are paid out whole; a fee on top reduces the amount. */
function readAmount(subject: AmountsSubject, feeUnits: bigint | null): Units {
  const { request, currency, feeCurrency, incomingUnits } = subject;
  if (incomingUnits === null) return readUnits(request.amount, "amount", currency);
  const isFeeOnTop = feeCurrency.id === currency.id && request.is_fee_included !== true;
  const units = isFeeOnTop ? incomingUnits - (feeUnits ?? 0n) : incomingUnits;
  return { units, faults: [] };
}

/** "Not required for internal off-chain transfers; mandatory for all other payouts." Internal ones charge no fee, but a wrong one is a fault. */
function readFee(request: PayoutRequest, coin: Currency, route: Route | null): Units {
  const fee = readUnits(request.fee_amount, "fee_amount", coin);
  if (route?.kind === "internal") return { units: 0n, faults: fee.faults };
  if (request.fee_amount !== null || route === null) return fee;
  const detail = "fee_amount is required. Get it from POST /payout/calculate/.";
  return {
    units: null,
    faults: [rejection("invalidValue", detail, at.attribute("fee_amount"))],
  };
}

function readUnits(text: string | null, field: string, currency: Currency): Units {
  if (text === null) return { units: null, faults: [] };
  const parsed = parseDecimal(text, currency.exp);
  if (parsed.kind === "units") return { units: parsed.units, faults: [] };
  const detail =
    parsed.kind === "excessDigits"
      ? `${currency.alpha} has at most ${currency.exp} decimals.`
      : `${field} is not a decimal number.`;
  return { units: null, faults: [rejection("invalidValue", detail, at.attribute(field))] };
}

function chargesOf(
  subject: AmountsSubject & { readonly rate: Rate },
  units: bigint,
  feeUnits: bigint,
): ChargedAmounts {
  const { currency, feeCurrency, walletCurrency, rate, request } = subject;
  const isOwnFee = feeCurrency.id === currency.id;
  const isIncluded = request.is_fee_included === true && isOwnFee;
  const commissionUnits = commissionOf(units, subject.facts.commissionTerms);
  const debited = units + commissionUnits + (isOwnFee && !isIncluded ? feeUnits : 0n);
  const payer = feePayer(subject, isOwnFee);
  return {
    units,
    paidUnits: isIncluded ? units - feeUnits : units,
    feeUnits,
    feeCurrency: feeCurrency.id,
    feeWalletId: payer,
    commissionUnits,
    rate,
    chargedUnits:
      currency.id === walletCurrency.id
        ? debited
        : multiplyByRate(debited, currency.exp, rate, walletCurrency.exp, "up"),
    chargedFeeUnits: payer === null || payer === subject.walletId ? 0n : feeUnits,
  };
}

/** The paying wallet pays a coin's fee; the operator or, by setting, the account's wallet of the coin pays a token's. */
function feePayer(subject: AmountsSubject, isOwnFee: boolean): string | null {
  if (subject.route?.kind === "internal") return null;
  if (isOwnFee) return subject.walletId;
  return subject.tokenFees === "operator" ? null : (subject.facts.coinWallet?.id ?? null);
}

function isCovered({ wallet }: AmountsSubject, { chargedUnits }: ChargedAmounts): boolean {
  return wallet.available >= chargedUnits;
}

/** Whether the account can pay a token's fee, if it has to. */
function isFeeCovered(subject: AmountsSubject, charged: ChargedAmounts): boolean {
  const isToken = subject.currency.id !== subject.feeCurrency.id;
  if (!isToken || subject.tokenFees === "operator" || subject.route?.kind === "internal") {
    return true;
  }
  const { coinWallet } = subject.facts;
  return coinWallet !== null && coinWallet.available >= charged.chargedFeeUnits;
}

/** The terms of the new payout. */
export function decideTerms(
  subject: {
    readonly request: PayoutRequest;
    readonly principal: Principal;
    readonly wallet: WalletFacts;
    readonly walletId: string;
    readonly walletCurrency: CurrencyId;
    readonly currency: Currency;
    readonly chain: string;
    readonly route: Route;
    readonly charged: ChargedAmounts;
  },
  settings: { readonly isScreened: boolean },
): PayoutTerms {
  const { request, principal, route, charged } = subject;
  const isInternal = route.kind === "internal";
  return {
    ...charged,
    accountId: principal.accountId,
    walletId: subject.walletId,
    walletType: subject.wallet.type,
    walletCurrency: subject.walletCurrency,
    currency: subject.currency.id,
    chain: subject.chain,
    isFeeIncluded: request.is_fee_included === true,
    ...receiverOf(subject),
    forceBlockchain: request.force_blockchain === true,
    isInternal,
    label: request.label,
    trackingId: request.tracking_id,
    confirmationsNeeded: request.confirmations_needed,
    callbackUrl: request.callback_url,
    isTravelRuleFlagged: request.travelRule !== null && lacksLegalName(request.travelRule),
    riskStatus: settings.isScreened && !isInternal ? riskStatus.queued : riskStatus.notAvailable,
    createdByCredentialId: principal.credentialId,
    createdByMemberId: principal.memberId,
  };
}

type Receiver = Pick<
  PayoutTerms,
  | "address"
  | "addressType"
  | "tag"
  | "tagType"
  | "targetDeposit"
  | "targetDepositId"
  | "targetWalletId"
>;

/** `target_deposit` and `target_wallet` are shown as requested; for an address, the response does not reveal its owner. */
function receiverOf({
  request,
  route,
  chain,
}: {
  readonly request: PayoutRequest;
  readonly route: Route;
  readonly chain: string;
}): Receiver {
  const typeOf = (tag: string | null): string | null =>
    tagTypeOf(findChain(chain)?.tag ?? null, tag, request.tag_type);
  const targetDeposit = request.target_deposit?.toLowerCase() ?? null;
  const none = { targetDeposit, targetDepositId: null, targetWalletId: null };
  if (route.kind === "chain") {
    const { address, addressType, tag } = route.destination;
    return { ...none, address, addressType: addressType ?? "", tag, tagType: typeOf(tag) };
  }
  const { target } = route;
  if (target.kind === "wallet") {
    return {
      ...none,
      address: null,
      addressType: "",
      tag: null,
      tagType: typeOf(null),
      targetWalletId: target.walletId,
    };
  }
  const { address, addressType, tag, depositId } = target;
  return { ...none, address, addressType, tag, tagType: typeOf(tag), targetDepositId: depositId };
}
