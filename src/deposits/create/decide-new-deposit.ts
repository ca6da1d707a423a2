import { walletStatus, walletType } from "../../accounts/wallets/wallet.ts";
import type { Currency } from "../../currencies/currency.ts";
import { currencyRejection } from "../../currencies/currency-rejection.ts";
import { type Keyspace, knownAddressTypes } from "../../currencies/keyspace.ts";
import type { CurrentRate } from "../../currencies/rates/current-rate.ts";
import { noFreshRate } from "../../currencies/rates/no-fresh-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { type Rate, rateOfOne } from "../../platform/kernel/rate.ts";
import { pointerOf, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { sourceAmountOf } from "../payments/source-amount.ts";
import type { NewDeposit } from "./create.store.ts";
import type { CreationFacts } from "./creation-facts.store.ts";
import type { DepositRequest } from "./deposit-request.ts";

export type NewDepositDecision =
  | { readonly kind: "created"; readonly deposit: NewDepositTerms }
  | { readonly kind: "refused"; readonly rejections: readonly [Rejection, ...Rejection[]] };

/** All of a new deposit that follows from the request; who and which page is added by the caller. */
export type NewDepositTerms = Omit<
  NewDeposit,
  "accountId" | "credentialId" | "paymentPageId" | "travelRuleSealed"
>;

export type DecisionContext = {
  readonly currencies: CurrencyRegistry;
  /** Of the payment currency; null without one or when its chain is not followed here. */
  readonly keyspace: Keyspace | null;
  /** Payment currency in wallet currency; null when there is no fresh price. */
  readonly rate: CurrentRate | null;
  readonly callbackUrlFault: (url: string) => string | null;
  readonly rateLockSeconds: number;
  readonly now: Instant;
  /** What could not be read of the request; those fields are null in it. */
  readonly unread: readonly Rejection[];
};

const redirectUrlLengthMax = 2048;

/** Whether a request makes a deposit, and with which amounts, rate and times. Every fault of the request is named at once. */
export function decideNewDeposit(
  request: DepositRequest,
  facts: CreationFacts,
  context: DecisionContext,
): NewDepositDecision {
  const isMerchant = facts.walletType === walletType.merchant;
  const walletCurrency = context.currencies.get(facts.walletCurrency);
  const currency = facts.currency === null ? null : context.currencies.find(facts.currency);
  const amounts = isMerchant
    ? readAmounts(request, walletCurrency, context.unread)
    : noAmounts(request);
  const unusable = currencyFaults(request, facts, currency, isMerchant, context.keyspace);
  const faults: Rejection[] = [
    ...context.unread,
    ...amounts.faults,
    ...walletFaults(facts),
    ...unusable,
    ...addressTypeFaults(request, currency, context),
    ...urlFaults(request, context.callbackUrlFault),
    // What cannot be paid with has no price to be missed.
    ...(unusable.length === 0 ? priceFaults(currency, walletCurrency, context.rate) : []),
  ];
  const [first, ...others] = faults;
  if (first !== undefined) return { kind: "refused", rejections: [first, ...others] };
  return {
    kind: "created",
    deposit: {
      ...request,
      ...priced(amounts, currency, walletCurrency, isMerchant, context),
      walletType: facts.walletType,
      walletCurrency: walletCurrency.id,
      currency: currency?.id ?? null,
      chain: currency?.chain ?? null,
      keyspace: context.keyspace?.name ?? null,
      addressType: addressTypeOf(request, context.keyspace),
      commissionTerms: facts.commissionTerms,
      helpEmail: request.helpEmail ?? facts.accountHelpEmail,
      createdAt: context.now,
    },
  };
}

/** What is wrong with a request whatever its wallet is: all that can be said where there is none. */
export function faultsWithoutWallet(
  request: Pick<DepositRequest, "currencyId" | "callbackUrl" | "redirectUrl">,
  context: Pick<DecisionContext, "currencies" | "callbackUrlFault">,
): readonly Rejection[] {
  const { currencyId } = request;
  const isUnknown = currencyId !== null && context.currencies.find(currencyId) === null;
  return [
    ...(isUnknown ? [noSuchCurrency()] : []),
    ...urlFaults(request, context.callbackUrlFault),
  ];
}

function noSuchCurrency(): Rejection {
  const source = { pointer: "/data/relationships/currency" };
  return rejection("invalidValue", "There is no such currency.", source);
}

function isUnread(unread: readonly Rejection[], pointer: string): boolean {
  return unread.some((fault) => pointerOf(fault) === pointer);
}

type Amounts = {
  readonly requested: bigint | null;
  readonly inaccuracy: bigint | null;
  readonly faults: readonly Rejection[];
};

function readAmounts(
  request: DepositRequest,
  walletCurrency: Currency,
  unread: readonly Rejection[],
): Amounts {
  const requested = readAmount(
    request.targetAmountRequested,
    "target_amount_requested",
    walletCurrency,
  );
  const inaccuracy = readAmount(request.inaccuracy, "inaccuracy", walletCurrency);
  const faults = [...requested.faults, ...inaccuracy.faults];
  // Nothing can be said of a bound that could not be read.
  const isBounded = !isUnread(unread, "/data/attributes/target_amount_requested");
  if (faults.length === 0 && inaccuracy.units !== null && isBounded) {
    if (requested.units === null) {
      faults.push(invalid("inaccuracy", "inaccuracy needs a target_amount_requested."));
    } else if (inaccuracy.units >= requested.units) {
      faults.push(invalid("inaccuracy", "inaccuracy must be less than target_amount_requested."));
    }
  }
  return { requested: requested.units, inaccuracy: inaccuracy.units, faults };
}

function readAmount(
  text: string | null,
  field: string,
  currency: Currency,
): { readonly units: bigint | null; readonly faults: Rejection[] } {
  if (text === null) return { units: null, faults: [] };
  const parsed = parseDecimal(text, currency.exp);
  switch (parsed.kind) {
    case "units":
      if (parsed.units < 0n) {
        return { units: null, faults: [invalid(field, `${field} must not be negative.`)] };
      }
      if (field === "target_amount_requested" && parsed.units === 0n) {
        return { units: null, faults: [invalid(field, `${field} must be greater than zero.`)] };
      }
      return { units: parsed.units, faults: [] };
    case "excessDigits":
      return {
        units: null,
        faults: [
          invalid(
            field,
            `${currency.alpha} has ${currency.exp} digits after the decimal separator, not more.`,
          ),
        ],
      };
    case "malformed":
      return { units: null, faults: [invalid(field, `${field} is not a decimal number.`)] };
  }
}

function noAmounts(request: DepositRequest): Amounts {
  const given = [
    ["time_limit", request.timeLimit],
    ["inaccuracy", request.inaccuracy],
    ["target_amount_requested", request.targetAmountRequested],
  ] as const;
  const faults = given
    .filter(([, value]) => value !== null)
    .map(([field]) => invalid(field, `${field} is for deposits of Merchant wallets only.`));
  return { requested: null, inaccuracy: null, faults };
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
      rejection(
        "walletNotActivated",
        "The wallet's activation transfer is still to be made.",
        source,
      ),
    );
  }
  return faults;
}

function currencyFaults(
  request: DepositRequest,
  facts: CreationFacts,
  currency: Currency | null,
  isMerchant: boolean,
  keyspace: Keyspace | null,
): Rejection[] {
  const source = { pointer: "/data/relationships/currency" };
  if (facts.currency === null) return [];
  if (currency === null) return [noSuchCurrency()];
  if (currency.chain === null) {
    return [rejection("invalidValue", `${currency.alpha} is no currency to pay in.`, source)];
  }
  const isForeign =
    !isMerchant && request.currencyId !== null && request.currencyId !== facts.walletCurrency;
  const faults = isForeign
    ? [rejection("invalidValue", "The wallet takes deposits in its own currency only.", source)]
    : [];
  // Without addresses there is nothing that could be paid to.
  const isUsable = facts.availability === "available" && keyspace !== null;
  if (isUsable) return faults;
  const reason = facts.availability === "available" ? "currencyUnavailable" : facts.availability;
  return [...faults, currencyRejection(currency, reason, source)];
}

function addressTypeFaults(
  request: DepositRequest,
  currency: Currency | null,
  { keyspace, unread }: Pick<DecisionContext, "keyspace" | "unread">,
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
  return [
    invalid("address_type", `address_type of ${currency.alpha} is one of ${choices.join(", ")}.`),
  ];
}

/** Published clients send an address type for every currency; where there is nothing to choose it is ignored. */
function hasOneAddressType({ addressTypes }: Keyspace): boolean {
  return addressTypes.length <= 1;
}

function addressTypeOf(request: DepositRequest, keyspace: Keyspace | null): string {
  if (keyspace === null) return "";
  return request.addressType === null || hasOneAddressType(keyspace)
    ? keyspace.defaultAddressType
    : request.addressType;
}

function urlFaults(
  request: Pick<DepositRequest, "callbackUrl" | "redirectUrl">,
  callbackUrlFault: (url: string) => string | null,
): Rejection[] {
  const faults: Rejection[] = [];
  const callback = request.callbackUrl === null ? null : callbackUrlFault(request.callbackUrl);
  if (callback !== null) faults.push(invalid("callback_url", callback));
  if (request.redirectUrl !== null && !isRedirectUrl(request.redirectUrl)) {
    faults.push(
      invalid(
        "payment_page_redirect_url",
        `payment_page_redirect_url is an http or https URL of at most ${redirectUrlLengthMax} characters.`,
      ),
    );
  }
  return faults;
}

function isRedirectUrl(text: string): boolean {
  if (text.length > redirectUrlLengthMax || !URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === "https:" || protocol === "http:";
}

function priced(
  amounts: Amounts,
  currency: Currency | null,
  walletCurrency: Currency,
  isMerchant: boolean,
  context: DecisionContext,
) {
  const { requested, inaccuracy } = amounts;
  const isSame = currency?.id === walletCurrency.id;
  const rate: Rate | null = isSame
    ? rateOfOne
    : currency === null
      ? null
      : (context.rate?.bid ?? null);
  const isLocked = requested !== null && !isSame;
  return {
    inaccuracyUnits: inaccuracy,
    targetAmountRequestedUnits: requested,
    rate,
    rateExpiresAt:
      rate === null || isSame
        ? null
        : isLocked
          ? addSeconds(context.now, context.rateLockSeconds)
          : (context.rate?.expiresAt ?? null),
    sourceAmountRequestedUnits:
      isMerchant && requested !== null && rate !== null && currency !== null
        ? sourceAmountOf(requested, walletCurrency, rate, currency)
        : null,
  };
}

function invalid(field: string, detail: string): Rejection {
  return rejection("invalidValue", detail, { pointer: `/data/attributes/${field}` });
}
