import type { Routes, StoreSettings } from "../../../../../client/src/api-types.gen.ts";
import { normalizeDecimal } from "../../../../page/src/normalize-decimal.ts";

type Attributes = StoreSettings["attributes"];
type Patch = NonNullable<Routes["PATCH /store-settings/"]["document"]["attributes"]>;

/** The form's fields: texts, with one embedding origin a line, and two switches. */
export type StoreValues = {
  readonly [Name in Exclude<keyof Attributes, "shows_order_reference" | "shows_receipt">]: string;
} & Pick<Attributes, "shows_order_reference" | "shows_receipt">;

const decimals = [
  ...(["underpayment_percent", "underpayment_amount"] as const),
  ...(["overpayment_percent", "overpayment_amount"] as const),
] as const;

/** The settings as the form shows them; null is an empty field. */
export function storeValuesOf(settings: Attributes): StoreValues {
  const { frame_ancestors: origins, shows_order_reference, shows_receipt, ...others } = settings;
  const texts = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name, value === null ? "" : String(value)]),
  );
  return {
    ...(texts as Omit<StoreValues, "frame_ancestors" | "shows_order_reference" | "shows_receipt">),
    frame_ancestors: origins.join("\n"),
    shows_order_reference,
    shows_receipt,
  };
}

/** The changed members of the document; an empty field clears. */
export function storePatchOf(before: StoreValues, values: StoreValues): Patch {
  const names = Object.keys(values) as (keyof StoreValues)[];
  const changed = names.filter((name) => before[name] !== values[name]);
  return Object.fromEntries(changed.map((name) => [name, sent(name, values[name])]));
}

function sent(name: keyof StoreValues, value: string | boolean): unknown {
  if (typeof value === "boolean") return value;
  const text = value.trim();
  if (name === "frame_ancestors") {
    // As browsers copy addresses: with a slash at the end.
    const origins = text.split(/\s+/).map((origin) => origin.replace(/\/$/, ""));
    return origins.filter((origin) => origin !== "");
  }
  if (text === "") return null;
  const isSeconds = name === "time_limit" || name === "payout_batch_seconds";
  if (isSeconds && /^\d{1,9}$/.test(text)) return Number(text);
  if (name === "accent_color" || name === "accent_color_dark") return text.toLowerCase();
  return decimals.some((decimal) => decimal === name) ? normalizeDecimal(text) : text;
}
