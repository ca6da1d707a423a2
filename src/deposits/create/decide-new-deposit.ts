import { walletType } from "../../accounts/wallets/wallet.ts";
import type { Currency } from "../../currencies/currency.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import type { DocumentReading } from "../../platform/resources/define-document.ts";
import type { newDepositDocument } from "../deposit-documents.ts";
import type { CreationFacts } from "./creation-facts.store.ts";
import {
  decidePaymentTerms,
  isUnread,
  noSuchCurrency,
  type PaymentContext,
} from "./decide-payment-terms.ts";
import { type DepositDefaults, tolerancesOf } from "./deposit-defaults.ts";
import type { NewDeposit } from "./insert-deposits.store.ts";
import { isRedirectUrl, redirectUrlFault } from "./redirect-url.ts";

export type NewDepositDecision =
  | {
      readonly kind: "created";
      readonly deposit: Omit<
        NewDeposit,
        | "accountId"
        | "createdByCredentialId"
        | "paymentLinkId"
        | "paymentPageId"
        | "travelRuleSealed"
      >;
    }
  | { readonly kind: "rejected"; readonly rejections: readonly [Rejection, ...Rejection[]] };

/** The fields of a request. Null if it was not given or is invalid; then the fault is in `DecisionContext.unread`. */
export type DepositInput = DocumentReading<typeof newDepositDocument>["values"];

export type DecisionContext = PaymentContext & {
  readonly callbackUrlFault: (url: string) => string | null;
};

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
  const { defaults } = facts;
  const timeLimit =
    input.time_limit ?? (facts.walletType === walletType.merchant ? defaults.timeLimit : null);
  const tolerances =
    amounts.requested === null || amounts.inaccuracy !== null
      ? null
      : tolerancesOf(defaults, amounts.requested, walletCurrency.id);
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
      timeLimit,
      invoiceUpdatedAt: timeLimit === null ? null : context.now,
      expiresAt: timeLimit === null ? null : addSeconds(context.now, timeLimit),
      callbackUrl: input.callback_url ?? defaults.callbackUrl,
      ...returnLinkOf(input, defaults),
      description: input.description,
      helpEmail: input.help_email ?? facts.accountHelpEmail,
      inaccuracy: amounts.inaccuracy,
      toleranceBelow: tolerances?.below ?? null,
      toleranceAbove: tolerances?.above ?? null,
      targetAmountRequested: amounts.requested,
      createdAt: context.now,
    },
  };
}

/** The account's button text belongs to its own link. */
function returnLinkOf(
  { payment_page_redirect_url: url, payment_page_button_text: text }: DepositInput,
  defaults: DepositDefaults,
): Pick<NewDeposit, "paymentPageRedirectUrl" | "paymentPageButtonText"> {
  return url === null
    ? {
        paymentPageRedirectUrl: defaults.redirectUrl,
        paymentPageButtonText: text ?? defaults.buttonText,
      }
    : { paymentPageRedirectUrl: url, paymentPageButtonText: text };
}

/** The faults that can be reported without knowing the wallet. */
export function faultsWithoutWallet(
  input: DepositInput,
  context: Pick<DecisionContext, "currencies" | "callbackUrlFault">,
): readonly Rejection[] {
  const isUnknown = input.currency !== null && context.currencies.find(input.currency) === null;
  return [...(isUnknown ? [noSuchCurrency()] : []), ...urlFaults(input, context.callbackUrlFault)];
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
  // An invalid requested amount bounds nothing.
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

function urlFaults(
  { callback_url: callbackUrl, payment_page_redirect_url: redirectUrl }: DepositInput,
  callbackUrlFault: (url: string) => string | null,
): Rejection[] {
  const faults: Rejection[] = [];
  const callback = callbackUrl === null ? null : callbackUrlFault(callbackUrl);
  if (callback !== null) faults.push(invalid("callback_url", callback));
  if (redirectUrl !== null && !isRedirectUrl(redirectUrl))
    faults.push(invalid("payment_page_redirect_url", redirectUrlFault));
  return faults;
}

function invalid(field: string, detail: string): Rejection {
  return rejection("invalidValue", detail, { pointer: `/data/attributes/${field}` });
}
