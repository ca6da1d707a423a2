import { walletStatus, walletType } from "../../accounts/wallets/wallet.ts";
import type { Currency } from "../../currencies/currency.ts";
import { currencyRejection } from "../../currencies/currency-rejection.ts";
import { type Keyspace, knownAddressTypes } from "../../currencies/keyspace.ts";
import type { CurrentRate } from "../../currencies/rates/current-rate.ts";
import { noFreshRate } from "../../currencies/rates/no-fresh-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { rateOfOne } from "../../platform/kernel/rate.ts";
import { pointerOf, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { sourceAmountOf } from "../payments/source-amount.ts";
import type { CreationFacts } from "./creation-facts.store.ts";
import type { NewDeposit } from "./insert-deposits.store.ts";

export type PaymentContext = {
  readonly currencies: CurrencyRegistry;
  /** Of the payment currency; null without one or when the deployment does not follow its chain. */
  readonly keyspace: Keyspace | null;
  /** Price of the payment currency in the wallet's currency; null without a fresh price. */
  readonly rate: CurrentRate | null;
  readonly rateLockSeconds: number;
  readonly now: Instant;
  /** Faults of fields that could not be read. */
  readonly unread: readonly Rejection[];
};

/** The payment terms of a deposit. */
export type PaymentTerms = Pick<
  NewDeposit,
  | "currency"
  | "chain"
  | "keyspace"
  | "poolType"
  | "isActive"
  | "addressType"
  | "rate"
  | "rateExpiresAt"
  | "sourceAmountRequested"
  | "commissionTerms"
>;

/** The payment currency that the request or, on the payment page, the payer chose. */
export type PaymentRequest = {
  readonly currencyId: string | null;
  /** Null: the currency's default. */
  readonly addressType: string | null;
  /** Units of the wallet's currency. */
  readonly targetAmountRequested: bigint | null;
};

/** The terms for a payment currency. Valid only if there are no faults. */
export function decidePaymentTerms(
  request: PaymentRequest,
  facts: CreationFacts,
  context: PaymentContext,
): { readonly terms: PaymentTerms; readonly faults: readonly Rejection[] } {
  const { keyspace, now, rateLockSeconds } = context;
  const isMerchant = facts.walletType === walletType.merchant;
  const walletCurrency = context.currencies.get(facts.walletCurrency);
  const currency = facts.currency === null ? null : context.currencies.find(facts.currency);
  const unusable = currencyFaults(request, facts, currency, isMerchant, keyspace);
  const requested = request.targetAmountRequested;
  const isSame = currency?.id === walletCurrency.id;
  const market = currency === null || isSame ? null : context.rate;
  const rate = isSame ? rateOfOne : (market?.bid ?? null);
  const lockedUntil = requested === null ? null : addSeconds(now, rateLockSeconds);
  return {
    terms: {
      currency: currency?.id ?? null,
      chain: currency?.chain ?? null,
      keyspace: keyspace?.name ?? null,
      isActive: keyspace?.needsActivation !== true,
      addressType: addressTypeOf(request.addressType, keyspace),
      ...(keyspace?.pooledAs === undefined ? {} : { poolType: keyspace.pooledAs }),
      rate,
      rateExpiresAt: market === null ? null : (lockedUntil ?? market.expiresAt),
      sourceAmountRequested:
        isMerchant && requested !== null && rate !== null && currency !== null
          ? sourceAmountOf(requested, walletCurrency, rate, currency)
          : null,
      commissionTerms: facts.commissionTerms,
    },
    faults: [
      ...walletFaults(facts),
      ...unusable,
      ...addressTypeFaults(request, currency, context),
      // A currency that cannot be used needs no price.
      ...(unusable.length === 0 ? priceFaults(currency, walletCurrency, context.rate) : []),
    ],
  };
}

/** The fault for an unknown currency. */
export function noSuchCurrency(): Rejection {
  const source = { pointer: "/data/relationships/currency" };
  return rejection("invalidValue", "There is no such currency.", source);
}

/** Whether the field at this pointer could not be read. */
export function isUnread(unread: readonly Rejection[], pointer: string): boolean {
  return unread.some((fault) => pointerOf(fault) === pointer);
}

function priceFaults(
  currency: Currency | null,
  walletCurrency: Currency,
  rate: CurrentRate | null,
): Rejection[] {
  if (currency === null || currency.id === walletCurrency.id || rate !== null) return [];
  return [rejection("rateUnavailable", noFreshRate(currency, walletCurrency))];
}

function walletFaults(facts: CreationFacts): Rejection[] {
  const source = { pointer: "/data/relationships/wallet" };
  const faults: Rejection[] = [];
  if (facts.walletType === walletType.nft) {
    faults.push(rejection("invalidValue", "NFT wallets take no deposits.", source));
  }
  if (facts.walletStatus !== walletStatus.active) {
    faults.push(
      rejection("walletInactive", "The wallet is inactive or still being registered.", source),
    );
  }
  if (facts.needsActivation) {
    faults.push(
      rejection("walletNotActivated", "The wallet still needs its activation transfer.", source),
    );
  }
  return faults;
}

function currencyFaults(
  request: Pick<PaymentRequest, "currencyId">,
  facts: CreationFacts,
  currency: Currency | null,
  isMerchant: boolean,
  keyspace: Keyspace | null,
): Rejection[] {
  const source = { pointer: "/data/relationships/currency" };
  if (facts.currency === null) return [];
  if (currency === null) return [noSuchCurrency()];
  if (currency.chain === null) {
    return [rejection("invalidValue", `${currency.alpha} is not a payment currency.`, source)];
  }
  const isForeign =
    !isMerchant && request.currencyId !== null && request.currencyId !== facts.walletCurrency;
  const faults = isForeign
    ? [rejection("invalidValue", "The wallet takes deposits in its own currency only.", source)]
    : [];
  // A currency without addresses cannot be paid.
  const isUsable = facts.availability === "available" && keyspace !== null;
  if (isUsable) return faults;
  const reason = facts.availability === "available" ? "currencyUnavailable" : facts.availability;
  return [...faults, currencyRejection(currency, reason, source)];
}

function addressTypeFaults(
  request: Pick<PaymentRequest, "currencyId" | "addressType">,
  currency: Currency | null,
  { keyspace, unread }: Pick<PaymentContext, "keyspace" | "unread">,
): Rejection[] {
  const pointer = "/data/attributes/address_type";
  if (request.addressType === null && !isUnread(unread, pointer)) return [];
  if (currency === null) {
    return request.currencyId !== null || isUnread(unread, "/data/relationships/currency")
      ? []
      : [rejection("addressTypeWithoutCurrency", "address_type needs a currency.", { pointer })];
  }
  if (request.addressType === null || keyspace === null) return [];
  const choices = hasOneAddressType(keyspace) ? knownAddressTypes : keyspace.addressTypes;
  if (choices.includes(request.addressType)) return [];
  const detail = `address_type of ${currency.alpha} must be one of ${choices.join(", ")}.`;
  return [rejection("invalidValue", detail, { pointer })];
}

/** Published clients send an address type for every currency; it is ignored if the currency has only one. */
function hasOneAddressType({ addressTypes }: Keyspace): boolean {
  return addressTypes.length <= 1;
}

function addressTypeOf(requested: string | null, keyspace: Keyspace | null): string {
  if (keyspace === null) return "";
  return requested === null || hasOneAddressType(keyspace)
    ? keyspace.defaultAddressType
    : requested;
}
