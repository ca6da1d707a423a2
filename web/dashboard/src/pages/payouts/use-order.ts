import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import type { Beneficiary, Currency, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { isPositive, subtractDecimals } from "../../components/decimals.ts";
import { looksLikeAddress } from "./address-masks.ts";
import { canIncludeFee } from "./can-include-fee.ts";
import type { OrderFacts, PayoutValues } from "./payout-order.ts";
import { useBeneficiary, usePayoutRules } from "./use-payout-facts.ts";
import { type Quote, useQuote } from "./use-quote.ts";

/** What follows from the form as it is filled in now. */
export type Order = {
  readonly wallet: Wallet | null;
  readonly currency: Currency | null;
  /** The coin that the fee is paid in. */
  readonly feeCurrency: Currency | null;
  readonly beneficiary: Beneficiary | null;
  readonly mayIncludeFee: boolean;
  readonly quote: Quote;
  /** Amount and fee's place as they are sent: "all" follows balance and fee. */
  readonly filled: Pick<PayoutValues, "amount" | "is_fee_included">;
  readonly facts: OrderFacts;
  /** False while it is not known yet how addresses look and what currencies are paid in: nothing can be judged. */
  readonly isReady: boolean;
  /** What keeps a step from being left, by field. */
  readonly faultsOf: (step: number) => Readonly<Record<string, string>>;
};

/** Said of an amount while its fee is not known. */
export const waitForQuote = "Wait until the network's fee is quoted.";

export function useOrder(form: UseFormReturnType<PayoutValues>, wallets: readonly Wallet[]): Order {
  const { values } = form;
  const currencies = useCurrencies();
  const rules = usePayoutRules();
  const wallet = wallets.find(({ id }) => id === values.wallet) ?? null;
  const currency = currencies.get(values.currency) ?? null;
  const parent = currency?.relationships.parent.data?.id ?? currency?.id ?? "";
  const chosen = useBeneficiary(values.payeeKind === "beneficiary" ? values.beneficiary : "");
  const beneficiary = values.payeeKind === "beneficiary" ? chosen : null;
  const address = addressOf(values, beneficiary);
  const isPlausible =
    rules.isRead && address !== null && looksLikeAddress(rules.masks, values.currency, address);
  const probe = currency?.attributes.minimal_transfer_amount ?? "";
  // On chains where the fee cannot be part of the amount it does not depend on the amount either.
  const typed = values.isAll || !isPositive(values.amount) ? probe : values.amount.trim();
  const [amount] = useDebouncedValue(typed, 300);
  const quote = useQuote(values, isPlausible ? address : null, amount, isPlausible);
  const mayIncludeFee = currency !== null && canIncludeFee(currency);
  const { calculation } = quote;
  const fee = calculation?.fee[values.speed] ?? null;
  const whole = wholeAmount(values, { wallet, currency, fee, mayIncludeFee });
  const filled = values.isAll
    ? { amount: whole ?? "", is_fee_included: mayIncludeFee && !isInside(values.payeeKind) }
    : { amount: values.amount.trim(), is_fee_included: values.is_fee_included && mayIncludeFee };
  const facts: OrderFacts = {
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
    isTravelRuleRequired: rules.isTravelRuleRequired,
  };
  return {
    wallet,
    currency,
    beneficiary,
    mayIncludeFee,
    quote,
    facts,
    filled,
    isReady: rules.isRead && currencies.size > 0,
    feeCurrency: currencies.get(parent) ?? null,
    faultsOf: (step) =>
      step === 0
        ? payeeFaults(values, { address, isPlausible, quote, alpha: currency?.attributes.alpha })
        : step === 1
          ? amountFaults({ ...values, ...filled }, quote)
          : step === 2 && values.isRemembered && values.beneficiaryName.trim() === ""
            ? { beneficiaryName: "Give it a name." }
            : {},
  };
}

function addressOf(values: PayoutValues, beneficiary: Beneficiary | null): string | null {
  if (values.payeeKind === "address")
    return values.address.trim() === "" ? null : values.address.trim();
  return values.payeeKind === "beneficiary" ? (beneficiary?.attributes.address ?? null) : null;
}

function payeeFaults(
  values: PayoutValues,
  known: {
    readonly address: string | null;
    readonly isPlausible: boolean;
    readonly quote: Quote;
    readonly alpha: string | undefined;
  },
): Record<string, string> {
  if (values.wallet === "") return { wallet: "Choose the wallet that pays." };
  if (values.currency === "") return { currency: "Choose what is paid." };
  switch (values.payeeKind) {
    case "address":
      if (known.address === null) return { address: "Name the address." };
      if (!known.isPlausible)
        return { address: `This does not look like an address of ${known.alpha ?? "this coin"}.` };
      return known.quote.faults.address === undefined
        ? {}
        : { address: known.quote.faults.address };
    case "beneficiary":
      if (values.beneficiary === "") return { beneficiary: "Choose who is paid." };
      return known.quote.faults.address === undefined
        ? {}
        : { beneficiary: known.quote.faults.address };
    case "wallet":
      return values.target_wallet === "" ? { target_wallet: "Choose the wallet." } : {};
    case "deposit":
      return values.target_deposit.trim() === ""
        ? { target_deposit: "Name the deposit's payment page." }
        : {};
  }
}

function amountFaults(values: PayoutValues, quote: Quote): Record<string, string> {
  if (!isPositive(values.amount)) return { amount: "Name an amount greater than zero." };
  if (quote.faults.amount !== undefined) return { amount: quote.faults.amount };
  if (!isInside(values.payeeKind) && quote.calculation === null) return { amount: waitForQuote };
  return {};
}

/** "All": what the wallet holds, less the fee where that cannot be part of the amount; null until the fee is known. */
function wholeAmount(
  { payeeKind }: PayoutValues,
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
  if (isInside(payeeKind) || isToken || mayIncludeFee) return balance;
  return fee === null ? null : subtractDecimals(balance, fee);
}

function isInside(kind: PayoutValues["payeeKind"]): boolean {
  return kind === "wallet" || kind === "deposit";
}
