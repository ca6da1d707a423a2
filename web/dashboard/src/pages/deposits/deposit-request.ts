import type { Routes } from "../../../../../client/src/api-types.gen.ts";

/** The form of a new deposit; every field is text, and an empty one is not given. */
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
  help_email: "",
};

/** What only deposits of Merchant wallets have. */
const merchantFields = [
  ...([
    "target_amount_requested",
    "inaccuracy",
    "time_limit",
    "payment_page_redirect_url",
  ] as const),
  ...(["payment_page_button_text", "help_email"] as const),
];

/** Whole numbers go as numbers where they are such; what is none goes as it is, for the service to refuse at its field. */
const numberFields: readonly string[] = ["time_limit", "confirmations_needed"];

type DepositAttributes = NonNullable<Routes["POST /deposit/"]["document"]["attributes"]>;

/** The document of `POST /deposit/`. A deposit of another wallet than a Merchant's is paid in the wallet's own currency. */
export function requestOf(
  { wallet, currency, ...values }: NewDepositValues,
  isMerchant: boolean,
  ownCurrency: string | null,
) {
  const paidIn = isMerchant ? currency : (ownCurrency ?? "");
  const left: readonly string[] = isMerchant ? [] : merchantFields;
  const given = Object.entries(values)
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([name, value]) => value !== "" && !left.includes(name))
    .map(([name, value]) => {
      const isNumber = numberFields.includes(name) && /^\d{1,9}$/.test(value);
      return [name, isNumber ? Number(value) : value];
    });
  return {
    attributes: Object.fromEntries(given) as DepositAttributes,
    relationships: {
      wallet: { type: "wallet", id: wallet },
      ...(paidIn === "" ? {} : { currency: { type: "currency" as const, id: paidIn } }),
    },
  } as const;
}
