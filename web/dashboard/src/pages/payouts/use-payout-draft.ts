import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import type { Beneficiary, Currency, Wallet } from "../../../../../client/src/api-types.gen.ts";
import type { TagKind } from "../../../../../src/currencies/chain-record.ts";
import { findChain } from "../../../../../src/currencies/chains.ts";
import { normalizeDecimal } from "../../../../page/src/normalize-decimal.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { isPositive, subtractDecimals } from "../../components/decimals.ts";
import { tagKindOf, tagMembers } from "../../components/tag-kinds.ts";
import { missingOf } from "../../components/travel-rule-person.ts";
import type { TravelRuleThreshold } from "../../components/travel-rule-reason.tsx";
import { t } from "../../language/t.ts";
import { looksLikeAddress } from "./address-masks.ts";
import { useBeneficiary, useMaxAmount, usePayoutRules, useRequirements } from "./payout-queries.ts";
import { asksForPerson, type PayoutFacts, type PayoutValues } from "./payout-request.ts";
import { type Quote, type QuotedReceiver, useQuote } from "./use-quote.ts";

/** The data derived from the form's current values. */
export type PayoutDraft = {
  readonly wallet: Wallet | null;
  readonly currency: Currency | null;
  /** The currency of the network fee. */
  readonly feeCurrency: Currency | null;
  readonly beneficiary: Beneficiary | null;
  readonly mayIncludeFee: boolean;
  /** Whether the payout will wait for another member's approval; null while unknown. */
  readonly needsApproval: boolean | null;
  /** From which amount recipient details are required; null while unknown. */
  readonly travelRule: TravelRuleThreshold | null;
  readonly quote: Quote;
  /** The normalized amount and fee mode; "Max" follows the balance and the fee. */
  readonly filled: Pick<PayoutValues, "amount" | "is_fee_included">;
  readonly facts: PayoutFacts;
  /** False while address formats or currencies are loading: nothing can be validated yet. */
  readonly isReady: boolean;
  /** The errors of a step by field; a step without errors can be left. */
  readonly errorsOf: (step: number) => Readonly<Record<string, string>>;
};

/** The error of an amount whose fee is not quoted yet. */
export const waitForQuote = t("Wait for the network fee.");

export function usePayoutDraft(
  form: UseFormReturnType<PayoutValues>,
  wallets: readonly Wallet[],
): PayoutDraft {
  const values = { ...form.values, amount: normalizeDecimal(form.values.amount) };
  const currencies = useCurrencies();
  const rules = usePayoutRules();
  const wallet = wallets.find(({ id }) => id === values.wallet) ?? null;
  const currency = currencies.get(values.currency) ?? null;
  const parent = currency?.relationships.parent.data?.id ?? currency?.id ?? "";
  const chosen = useBeneficiary(values.recipientKind === "beneficiary" ? values.beneficiary : "");
  const beneficiary = values.recipientKind === "beneficiary" ? chosen : null;
  const address = addressOf(values, beneficiary);
  const isPlausible =
    rules.isLoaded && address !== null && looksLikeAddress(rules.masks, values.currency, address);
  const tagKind = tagKindOf(currencies, values.currency);
  const receiver = {
    address: isPlausible ? address : null,
    ...tagOf(values, beneficiary, tagKind),
  };
  const mayIncludeFee =
    currency !== null &&
    currency.relationships.parent.data === null &&
    findChain(currency.attributes.alpha)?.canIncludeFee === true;
  const { quote, whole } = useAmountQuote(values, receiver, isPlausible, {
    wallet,
    currency,
    mayIncludeFee,
    probe: currency?.attributes.minimal_transfer_amount ?? "",
  });
  const { calculation } = quote;
  const fee = calculation?.fee[values.speed] ?? null;
  const filled = values.isAll
    ? { amount: whole ?? "", is_fee_included: mayIncludeFee && !isInside(values.recipientKind) }
    : { amount: values.amount, is_fee_included: values.is_fee_included && mayIncludeFee };
  const requirements = useRequirements(values, filled.amount);
  const facts: PayoutFacts = {
    feeAmount: calculation === null || calculation.is_internal ? null : fee,
    beneficiary:
      beneficiary === null
        ? null
        : {
            address: beneficiary.attributes.address,
            tag: beneficiary.attributes.tag,
            tagType: beneficiary.attributes.tag_type,
            travelRule: beneficiary.attributes.travel_rule_info,
          },
    isTravelRuleRequired: requirements?.needs_travel_rule ?? rules.isTravelRuleRequired,
    tagKind,
  };
  return {
    wallet,
    currency,
    beneficiary,
    mayIncludeFee,
    needsApproval: requirements?.needs_approval ?? null,
    travelRule:
      requirements === null
        ? null
        : { from: requirements.travel_rule_from, currency: values.currency },
    quote,
    facts,
    filled,
    isReady: rules.isLoaded && currencies.size > 0,
    feeCurrency: currencies.get(parent) ?? null,
    errorsOf: (step) =>
      step === 0
        ? recipientErrors(values, {
            address,
            isPlausible,
            quote,
            alpha: currency?.attributes.alpha,
          })
        : step === 1
          ? amountErrors({ ...values, ...filled }, quote)
          : step === 2
            ? {
                ...(asksForPerson(values, facts) ? missingOf(values) : {}),
                ...(values.isRemembered && values.beneficiaryName.trim() === ""
                  ? { beneficiaryName: t("Enter a name.") }
                  : {}),
              }
            : {},
  };
}

/** The quote of the typed amount, or of all that the balance pays with its fees, and that amount; null until it is known. */
function useAmountQuote(
  values: PayoutValues,
  receiver: QuotedReceiver,
  isPlausible: boolean,
  known: Pick<PayoutDraft, "wallet" | "currency" | "mayIncludeFee"> & {
    /** An amount for a quote while none is typed. */
    readonly probe: string;
  },
): { readonly quote: Quote; readonly whole: string | null } {
  const { wallet, currency, mayIncludeFee, probe } = known;
  const [typed] = useDebouncedValue(isPositive(values.amount) ? values.amount : probe, 300);
  const isToken = currency !== null && currency.relationships.parent.data !== null;
  // Where the fee comes on top of the whole balance, it is first quoted for the minimum: on these chains it does not depend on
  // the amount. The amount that results is then quoted like any other, so that warnings are about it.
  const probed = useQuote(values, receiver, values.isAll ? probe : "", isPlausible);
  const fee = probed.calculation?.fee[values.speed] ?? null;
  const budget = values.isAll
    ? wholeBudget(values, { wallet, currency, fee, mayIncludeFee })
    : null;
  const max = useMaxAmount(values, { budget, fees: probed.calculation });
  const whole = max?.amount ?? null;
  const sent = useQuote(values, receiver, values.isAll ? (whole ?? "") : typed, isPlausible);
  const quote =
    !values.isAll || mayIncludeFee || isToken
      ? sent
      : whole === null
        ? probed
        : withFeeOf(max?.fees ?? null, sent);
  return { quote, whole };
}

/** A quote with the fees of another one: the amount was computed with them, so exactly they must be paid. */
function withFeeOf(other: Quote["calculation"], quote: Quote): Quote {
  if (quote.calculation === null || other === null) return quote;
  const { low, medium, high } = other.fee;
  const fee = { ...quote.calculation.fee, low, medium, high };
  return { ...quote, calculation: { ...quote.calculation, fee } };
}

function tagOf(values: PayoutValues, beneficiary: Beneficiary | null, kind: TagKind | null) {
  if (values.recipientKind === "address") return tagMembers(kind, values.tag);
  return tagMembers(kind, beneficiary?.attributes.tag ?? "");
}

function addressOf(values: PayoutValues, beneficiary: Beneficiary | null): string | null {
  if (values.recipientKind === "address")
    return values.address.trim() === "" ? null : values.address.trim();
  return values.recipientKind === "beneficiary" ? (beneficiary?.attributes.address ?? null) : null;
}

function recipientErrors(
  values: PayoutValues,
  known: {
    readonly address: string | null;
    readonly isPlausible: boolean;
    readonly quote: Quote;
    readonly alpha: string | undefined;
  },
): Record<string, string> {
  if (values.wallet === "") return { wallet: t("Select a wallet.") };
  if (values.currency === "") return { currency: t("Select a currency.") };
  switch (values.recipientKind) {
    case "address":
      if (known.address === null) return { address: t("Enter an address.") };
      if (!known.isPlausible)
        return {
          address:
            known.alpha == null
              ? t("Enter a valid address.")
              : t("Enter a valid {code} address.", { code: known.alpha }),
        };
      return withoutAmount(known.quote.errors);
    case "beneficiary":
      if (values.beneficiary === "") return { beneficiary: t("Select a beneficiary.") };
      return known.quote.errors.address === undefined
        ? {}
        : { beneficiary: known.quote.errors.address };
    case "wallet":
      return values.target_wallet === "" ? { target_wallet: t("Select a wallet.") } : {};
    case "deposit":
      return values.target_deposit.trim() === ""
        ? { target_deposit: t("Enter the payment link.") }
        : {};
  }
}

function withoutAmount({ address, tag }: Quote["errors"]): Record<string, string> {
  return { ...(address === undefined ? {} : { address }), ...(tag === undefined ? {} : { tag }) };
}

function amountErrors(values: PayoutValues, quote: Quote): Record<string, string> {
  // "1,000" may mean one thousand or one.
  if (values.amount.includes(",")) return { amount: t("Use a decimal point, for example 12.50.") };
  if (!isPositive(values.amount)) return { amount: t("Enter an amount greater than zero.") };
  if (quote.errors.amount !== undefined) return { amount: quote.errors.amount };
  if (!isInside(values.recipientKind) && quote.calculation === null)
    return { amount: waitForQuote };
  return {};
}

/** What "Max" may cost with its commission: the balance, minus a fee that comes on top; null until the fee is known. */
function wholeBudget(
  { recipientKind }: PayoutValues,
  known: {
    readonly wallet: Wallet | null;
    readonly currency: Currency | null;
    readonly fee: string | null;
    readonly mayIncludeFee: boolean;
  },
): string | null {
  const { wallet, currency, fee, mayIncludeFee } = known;
  if (wallet === null || currency === null) return null;
  const balance = wallet.attributes.balance_confirmed;
  const isToken = currency.relationships.parent.data !== null;
  if (isInside(recipientKind) || isToken || mayIncludeFee) return balance;
  return fee === null ? null : subtractDecimals(balance, fee);
}

function isInside(kind: PayoutValues["recipientKind"]): boolean {
  return kind === "wallet" || kind === "deposit";
}
