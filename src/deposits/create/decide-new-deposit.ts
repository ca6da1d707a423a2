import { walletStatus, walletType } from "../../accounts/wallets/wallet.ts";
import type { Currency } from "../../currencies/currency.ts";
import { currencyRejection } from "../../currencies/currency-rejection.ts";
import { type Keyspace, knownAddressTypes } from "../../currencies/keyspace.ts";
import type { CurrentRate } from "../../currencies/rates/current-rate.ts";
import { noFreshRate } from "../../currencies/rates/no-fresh-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { rateOfOne } from "../../platform/kernel/rate.ts";
import { pointerOf, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import type { DocumentReading } from "../../platform/resources/define-document.ts";
import type { newDepositDocument } from "../deposit-documents.ts";
import { sourceAmountOf } from "../payments/source-amount.ts";
import type { CreationFacts } from "./creation-facts.store.ts";
import type { NewDeposit } from "./insert-deposits.store.ts";

export type NewDepositDecision =
  | {
      readonly kind: "created";
      readonly deposit: Omit<
        NewDeposit,
        "accountId" | "createdByCredentialId" | "paymentPageId" | "travelRuleSealed"
      >;
    }
  | { readonly kind: "rejected"; readonly rejections: readonly [Rejection, ...Rejection[]] };

/** The fields of a request. Null: not given, or invalid; then the fault is in `DecisionContext.unread`. */
export type DepositInput = DocumentReading<typeof newDepositDocument>["values"];

export type DecisionContext = {
  readonly currencies: CurrencyRegistry;
  /** Of the payment currency; null without one or when the deployment does not follow its chain. */
  readonly keyspace: Keyspace | null;
  /** Payment currency in wallet currency; null when there is no fresh price. */
  readonly rate: CurrentRate | null;
  readonly callbackUrlFault: (url: string) => string | null;
  readonly rateLockSeconds: number;
  readonly now: Instant;
  /** Faults of fields that could not be read. */
  readonly unread: readonly Rejection[];
};

const redirectUrlLengthMax = 2048;

/** Decides whether a request creates a deposit, and with which amounts, rate and times. A rejection lists every fault of the request. */
export function decideNewDeposit(
  input: DepositInput,
  walletId: string,
  facts: CreationFacts,
  context: DecisionContext,
): NewDepositDecision {
  const walletCurrency = context.currencies.get(facts.walletCurrency);
  const amounts =
    facts.walletType === walletType.merchant
      ? readAmounts(input, walletCurrency, context.unread)
      : noAmounts(input);
  const payment = decidePaymentTerms(
    {
      currencyId: input.currency,
      addressType: input.address_type,
      targetAmountRequested: amounts.requested,
    },
    facts,
    context,
  );
  const [first, ...others] = [
    ...context.unread,
    ...amounts.faults,
    ...payment.faults,
    ...urlFaults(input, context.callbackUrlFault),
  ];
  if (first !== undefined) return { kind: "rejected", rejections: [first, ...others] };
  return {
    kind: "created",
    deposit: {
      ...payment.terms,
      walletId,
      walletType: facts.walletType,
      walletCurrency: walletCurrency.id,
      label: input.label,
      trackingId: input.tracking_id,
      confirmationsNeeded: input.confirmations_needed,
      timeLimit: input.time_limit,
      invoiceUpdatedAt: input.time_limit === null ? null : context.now,
      expiresAt: input.time_limit === null ? null : addSeconds(context.now, input.time_limit),
      callbackUrl: input.callback_url,
      paymentPageRedirectUrl: input.payment_page_redirect_url,
      paymentPageButtonText: input.payment_page_button_text,
      helpEmail: input.help_email ?? facts.accountHelpEmail,
      inaccuracy: amounts.inaccuracy,
      targetAmountRequested: amounts.requested,
      createdAt: context.now,
    },
  };
}

/** What a deposit is paid in. */
export type PaymentTerms = Pick<
  NewDeposit,
  | "currency"
  | "chain"
  | "keyspace"
  | "addressType"
  | "rate"
  | "rateExpiresAt"
  | "sourceAmountRequested"
  | "commissionTerms"
>;

/** A payment currency as the request or, on the payment page, the payer names it. */
export type PaymentRequest = {
  readonly currencyId: string | null;
  /** Null: the currency's default. */
  readonly addressType: string | null;
  /** Units of the wallet's currency. */
  readonly targetAmountRequested: bigint | null;
};

/** The terms for a payment currency. They hold only if there are no faults. */
export function decidePaymentTerms(
  request: PaymentRequest,
  facts: CreationFacts,
  context: Omit<DecisionContext, "callbackUrlFault">,
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
      addressType: addressTypeOf(request.addressType, keyspace),
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

/** The faults that a request has whatever its wallet is: all that can be reported without one. */
export function faultsWithoutWallet(
  input: DepositInput,
  context: Pick<DecisionContext, "currencies" | "callbackUrlFault">,
): readonly Rejection[] {
  const isUnknown = input.currency !== null && context.currencies.find(input.currency) === null;
  return [...(isUnknown ? [noSuchCurrency()] : []), ...urlFaults(input, context.callbackUrlFault)];
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
  input: DepositInput,
  walletCurrency: Currency,
  unread: readonly Rejection[],
): Amounts {
  const requested = readAmount(input, "target_amount_requested", walletCurrency);
  const inaccuracy = readAmount(input, "inaccuracy", walletCurrency);
  const faults = [...requested.faults, ...inaccuracy.faults];
  // An invalid requested amount is no bound.
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
  input: DepositInput,
  field: "target_amount_requested" | "inaccuracy",
  currency: Currency,
): { readonly units: bigint | null; readonly faults: Rejection[] } {
  const text = input[field];
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
            `${currency.alpha} has at most ${currency.exp} digits after the decimal point.`,
          ),
        ],
      };
    case "malformed":
      return { units: null, faults: [invalid(field, `${field} is not a decimal number.`)] };
  }
}

function noAmounts(input: DepositInput): Amounts {
  const faults = (["time_limit", "inaccuracy", "target_amount_requested"] as const)
    .filter((field) => input[field] !== null)
    .map((field) => invalid(field, `Only deposits to Merchant wallets take ${field}.`));
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
    invalid(
      "address_type",
      `address_type of ${currency.alpha} must be one of ${choices.join(", ")}.`,
    ),
  ];
}

/** Published clients send an address type for every currency; it is ignored where the currency has only one. */
function hasOneAddressType({ addressTypes }: Keyspace): boolean {
  return addressTypes.length <= 1;
}

function addressTypeOf(requested: string | null, keyspace: Keyspace | null): string {
  if (keyspace === null) return "";
  return requested === null || hasOneAddressType(keyspace)
    ? keyspace.defaultAddressType
    : requested;
}

function urlFaults(
  { callback_url: callbackUrl, payment_page_redirect_url: redirectUrl }: DepositInput,
  callbackUrlFault: (url: string) => string | null,
): Rejection[] {
  const faults: Rejection[] = [];
  const callback = callbackUrl === null ? null : callbackUrlFault(callbackUrl);
  if (callback !== null) faults.push(invalid("callback_url", callback));
  if (redirectUrl !== null && !isRedirectUrl(redirectUrl)) {
    faults.push(
      invalid(
        "payment_page_redirect_url",
        `payment_page_redirect_url must be an http or https URL of at most ${redirectUrlLengthMax} characters.`,
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

function invalid(field: string, detail: string): Rejection {
  return rejection("invalidValue", detail, { pointer: `/data/attributes/${field}` });
}
