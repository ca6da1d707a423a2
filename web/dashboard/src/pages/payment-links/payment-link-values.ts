import type { PaymentLink, Routes } from "../../../../../client/src/api-types.gen.ts";
import { normalizeDecimal } from "../../../../page/src/normalize-decimal.ts";
import { t } from "../../language/t.ts";

type Attributes = PaymentLink["attributes"];
type Document = NonNullable<Routes["POST /payment-link/"]["document"]["attributes"]>;

/** The fields of the dialog, as text. */
export type LinkValues = {
  readonly wallet: string;
  readonly name: string;
  readonly description: string;
  readonly image: string;
  readonly amount_type: string;
  readonly amount: string;
  readonly amount_min: string;
  readonly amount_max: string;
  readonly stock: string;
  /** In the browser's time zone, as `<input type="datetime-local">` has it. */
  readonly ends_at: string;
  readonly is_active: boolean;
  readonly payment_page_redirect_url: string;
};

export const emptyLink: LinkValues = {
  wallet: "",
  name: "",
  description: "",
  image: "",
  amount_type: "fixed",
  amount: "",
  amount_min: "",
  amount_max: "",
  stock: "",
  ends_at: "",
  is_active: true,
  payment_page_redirect_url: "",
};

/** The values of an existing link. */
export function valuesOfLink({ attributes, relationships }: PaymentLink): LinkValues {
  const text = (value: string | number | null) => (value === null ? "" : String(value));
  return {
    wallet: relationships.wallet.data.id,
    name: attributes.name,
    description: text(attributes.description),
    image: text(attributes.image),
    amount_type: attributes.amount_type,
    amount: text(attributes.amount),
    amount_min: text(attributes.amount_min),
    amount_max: text(attributes.amount_max),
    stock: text(attributes.stock),
    ends_at: localTime(attributes.ends_at),
    is_active: attributes.is_active,
    payment_page_redirect_url: text(attributes.payment_page_redirect_url),
  };
}

/** What the dialog itself refuses, by field. The service's text about a missing price names the API's attributes. */
export function linkFaults({
  amount_type: type,
  amount,
}: LinkValues): Readonly<Record<string, string>> {
  return type === "fixed" && amount.trim() === "" ? { amount: t("Enter a price.") } : {};
}

/** The document's attributes. Amounts of another type than the chosen one are cleared. */
export function attributesOfLink(values: LinkValues): Document & { readonly name: string } {
  const { amount_type: type } = values;
  const text = (value: string) => (value.trim() === "" ? null : value.trim());
  const amount = (value: string, of: string) =>
    type === of && value.trim() !== "" ? normalizeDecimal(value) : null;
  const stock = values.stock.trim();
  return {
    name: values.name.trim(),
    description: text(values.description),
    image: text(values.image),
    amount_type: type as Attributes["amount_type"],
    amount: amount(values.amount, "fixed"),
    amount_min: amount(values.amount_min, "chosen"),
    amount_max: amount(values.amount_max, "chosen"),
    // A text that is no number is left to the service to refuse.
    stock: stock === "" ? null : /^\d{1,9}$/.test(stock) ? Number(stock) : (stock as never),
    ends_at: values.ends_at === "" ? null : new Date(values.ends_at).toISOString(),
    is_active: values.is_active,
    payment_page_redirect_url: text(values.payment_page_redirect_url),
  };
}

function localTime(iso: string | null): string {
  if (iso === null) return "";
  const at = new Date(iso);
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
