import { walletType } from "../accounts/wallets/wallet.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import { destinationSchema, renderDestination } from "../currencies/render-destination.ts";
import { formatDecimal } from "../platform/kernel/decimal.ts";
import { toOne } from "../platform/kernel/resource-object.ts";
import { formatTimestamp, formatTimestampOrNull } from "../platform/kernel/timestamp.ts";
import { attributeOf, rendererOf, schemasOf } from "../platform/resources/attributes.ts";
import { defineResource } from "../platform/resources/define-resource.ts";
import {
  boolean,
  decimal,
  described,
  givenUrl,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
  url,
} from "../platform/resources/json-schema.ts";
import type { Deposit } from "./deposit.ts";
import { depositFilters, depositSort } from "./deposit-filters.ts";
import { depositStates, stateOfDeposit } from "./deposit-state.ts";
import { depositStatuses } from "./deposit-status.ts";

type Shown = {
  readonly deposit: Deposit;
  readonly currencies: CurrencyRegistry;
  readonly baseUrl: string;
};

const attribute = attributeOf<Shown>();

/** An amount in the wallet's currency. */
const target = (description: string, units: (deposit: Deposit) => bigint) =>
  attribute(described(decimal, description), ({ deposit, currencies }) =>
    formatDecimal(units(deposit), currencies.get(deposit.walletCurrency).exp),
  );
const targetOrNull = (description: string, units: (deposit: Deposit) => bigint | null) =>
  attribute(described(nullable(decimal), description), ({ deposit, currencies }) => {
    const amount = units(deposit);
    return amount === null
      ? null
      : formatDecimal(amount, currencies.get(deposit.walletCurrency).exp);
  });

/** The attributes of the interface's deposit, each with its schema and its value. Travel-rule data is never included. */
const depositAttributes = {
  status: attribute(oneOf(depositStatuses), ({ deposit }) => deposit.status),
  state: attribute(
    described(
      oneOf(depositStates),
      "The status in words, derived from status, amounts and their confirmations.",
    ),
    ({ deposit }) => stateOfDeposit(deposit),
  ),
  is_active: attribute(
    described(
      boolean,
      "Whether its address can be paid. False on Algorand until the address is activated; always true on other chains.",
    ),
    ({ deposit }) => deposit.isActive,
  ),
  address: attribute(
    described(
      nullable(text),
      "Payment address. Null until the payer has chosen a currency, and while is_active is false.",
    ),
    ({ deposit }) => deposit.address,
  ),
  address_type: attribute(
    described(text, "Address type, on chains with several; otherwise empty."),
    ({ deposit }) => deposit.addressType,
  ),
  label: attribute(
    described(nullable(text), "Internal description."),
    ({ deposit }) => deposit.label,
  ),
  tracking_id: attribute(
    described(nullable(text), "Your order number. Callbacks sign it."),
    ({ deposit }) => deposit.trackingId,
  ),
  confirmations_needed: attribute(
    described(
      nullable(integer),
      "Required confirmations of a payment; null: the currency's default.",
    ),
    ({ deposit }) => deposit.confirmationsNeeded,
  ),
  time_limit: attribute(
    described(nullable(integer), "Seconds until the deposit expires, from invoice_updated_at on."),
    ({ deposit }) => deposit.timeLimit,
  ),
  callback_url: attribute(
    described(nullable(givenUrl), "Callback URL."),
    ({ deposit }) => deposit.callbackUrl,
  ),
  inaccuracy: targetOrNull(
    "Payment tolerance, in the wallet's currency.",
    (deposit) => deposit.inaccuracy,
  ),
  target_amount_requested: targetOrNull(
    "Requested amount, in the wallet's currency.",
    (deposit) => deposit.targetAmountRequested,
  ),
  rate_requested: attribute(
    described(
      nullable(decimal),
      "Price of one unit of the payment currency in the wallet's currency.",
    ),
    ({ deposit }) => rateText(deposit),
  ),
  rate_expired_at: attribute(
    described(
      nullable(timestamp),
      "End of the rate lock. Null: the rate is not locked, or both currencies are the same.",
    ),
    ({ deposit }) => formatTimestampOrNull(deposit.rateExpiresAt),
  ),
  invoice_updated_at: attribute(
    described(nullable(timestamp), "Start of the time limit."),
    ({ deposit }) => formatTimestampOrNull(deposit.invoiceUpdatedAt),
  ),
  payment_page: attribute(
    described(url, "Payment link for the payer."),
    ({ deposit, baseUrl }) => `${baseUrl}/pay/${deposit.paymentPageId}`,
  ),
  target_paid: target(
    "Confirmed payments, in the wallet's currency.",
    (deposit) => deposit.sums.targetPaid,
  ),
  source_amount_requested: attribute(
    described(nullable(decimal), "Requested amount, in the payment currency."),
    ({ deposit, currencies }) => sourceAmountText(deposit, currencies),
  ),
  target_paid_pending: target(
    "Unconfirmed payments, in the wallet's currency.",
    (deposit) => deposit.sums.targetPaidPending,
  ),
  assets: attribute(
    described(
      { type: "object", additionalProperties: { type: "string" } },
      "Amounts received at the address, by currency code.",
    ),
    ({ deposit, currencies }) =>
      Object.fromEntries(
        Object.entries(deposit.assets).map(([id, units]) => {
          const currency = currencies.get(id);
          return [currency.alpha, formatDecimal(units, currency.exp)];
        }),
      ),
  ),
  destination: attribute(
    destinationSchema,
    ({ deposit: { address, addressType, tag, currency }, currencies }) =>
      address === null || currency === null
        ? null
        : renderDestination(currencies.get(currency), { address, addressType, tag }),
  ),
  payment_page_redirect_url: attribute(
    described(nullable(givenUrl), "Return URL of the payment page."),
    ({ deposit }) => deposit.paymentPageRedirectUrl,
  ),
  payment_page_button_text: attribute(
    described(nullable(text), "Text of the button that opens the return URL."),
    ({ deposit }) => deposit.paymentPageButtonText,
  ),
  description: attribute(
    described(nullable(text), "What the payment is for; the payment page shows it."),
    ({ deposit }) => deposit.description,
  ),
  created_at: attribute(timestamp, ({ deposit }) => formatTimestamp(deposit.createdAt)),
};

/** The deposit of the interface, "Resources and their fields", with the filters of "GET {base_url}/deposit/{id}". */
export const depositDefinition = defineResource({
  type: "deposit",
  description: "A payment request with an address of its own, credited to a wallet.",
  attributes: schemasOf(depositAttributes),
  relationships: {
    currency: {
      resource: "currency",
      nullable: true,
      description: "Payment currency. Null until the payer has chosen one.",
    },
    wallet: { resource: "wallet", description: "The wallet that is credited." },
  },
  filters: depositFilters,
  sortable: depositSort,
  defaultSort: "-created_at",
});

const renderDeposit = rendererOf<Shown, typeof depositAttributes>(depositAttributes);

/** A deposit as the API shows it, in responses and as `data` of callbacks. */
export function depositResource(
  deposit: Deposit,
  currencies: CurrencyRegistry,
  { baseUrl }: { readonly baseUrl: string },
) {
  return {
    type: "deposit",
    id: deposit.id,
    attributes: renderDeposit({ deposit, currencies, baseUrl }),
    relationships: {
      currency: toOne("currency", deposit.currency),
      wallet: toOne("wallet", deposit.walletId),
    },
  } as const;
}

/** "1 if the currencies are equal"; null until a payment currency is chosen. */
function rateText(deposit: Deposit): string | null {
  if (deposit.currency === deposit.walletCurrency) return "1";
  return deposit.rate === null ? null : formatDecimal(deposit.rate.units, deposit.rate.exp);
}

function sourceAmountText(deposit: Deposit, currencies: CurrencyRegistry): string | null {
  const { currency, sourceAmountRequested: units } = deposit;
  if (deposit.walletType !== walletType.merchant || currency === null || units === null)
    return null;
  return formatDecimal(units, currencies.get(currency).exp);
}
