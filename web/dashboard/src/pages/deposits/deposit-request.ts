import type { Routes } from "../../../../../client/src/api-types.gen.ts";
import { normalizeDecimal } from "../../../../page/src/normalize-decimal.ts";

/** The fields of the new-deposit form, all as text; empty ones are omitted from the request. */
export type NewDepositValues = {
  readonly wallet: string;
  readonly currency: string;
  readonly label: string;
  readonly tracking_id: string;
  readonly target_amount_requested: string;
  readonly inaccuracy: string;
  readonly time_limit: string;
  readonly confirmations_needed: string;
  readonly callback_url: string;
  readonly payment_page_redirect_url: string;
  readonly payment_page_button_text: string;
  readonly description: string;
  readonly help_email: string;
};

export const emptyRequest: NewDepositValues = {
  wallet: "",
  currency: "",
  label: "",
  tracking_id: "",
  target_amount_requested: "",
  inaccuracy: "",
  time_limit: "3600",
  confirmations_needed: "",
  callback_url: "",
  payment_page_redirect_url: "",
  payment_page_button_text: "",
  description: "",
  help_email: "",
};

/** Fields that only deposits of Merchant wallets have. */
const merchantFields = [
  ...([
    "target_amount_requested",
    "inaccuracy",
    "time_limit",
    "payment_page_redirect_url",
  ] as const),
  ...(["payment_page_button_text", "help_email"] as const),
];

/** Sent as numbers if they are valid; otherwise unchanged, so that the service reports the error at the field. */
const numberFields: readonly string[] = ["time_limit", "confirmations_needed"];
const amountFields: readonly string[] = ["target_amount_requested", "inaccuracy"];

type DepositAttributes = NonNullable<Routes["POST /deposit/"]["document"]["attributes"]>;

/** The document of `POST /deposit/`. Only deposits of Merchant wallets can be paid in another currency than the wallet's. */
export function requestOf(
  { wallet, currency, ...values }: NewDepositValues,
  isMerchant: boolean,
  ownCurrency: string | null,
) {
  const paymentCurrency = isMerchant ? currency : (ownCurrency ?? "");
  const omitted: readonly string[] = isMerchant ? [] : merchantFields;
  const filled = Object.entries(values)
    .map(
      ([name, value]) =>
        [name, amountFields.includes(name) ? normalizeDecimal(value) : value.trim()] as const,
    )
    .filter(([name, value]) => value !== "" && !omitted.includes(name))
    .map(([name, value]) => {
      const isNumber = numberFields.includes(name) && /^\d{1,9}$/.test(value);
      return [name, isNumber ? Number(value) : value];
    });
  return {
    attributes: Object.fromEntries(filled) as DepositAttributes,
    relationships: {
      wallet: { type: "wallet", id: wallet },
      ...(paymentCurrency === ""
        ? {}
        : { currency: { type: "currency" as const, id: paymentCurrency } }),
    },
  } as const;
}
