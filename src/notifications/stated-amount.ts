import { shortAmount } from "../currencies/amount-text.ts";
import type { Currency } from "../currencies/currency.ts";
import { formatDecimal } from "../platform/kernel/decimal.ts";
import type { EmailLanguage } from "./email-language.ts";
import type { StatedAmount } from "./notice-event.ts";

/** Units of a currency as a notice states them. */
export function statedAmount(
  units: bigint,
  { alpha, exp }: Pick<Currency, "alpha" | "exp">,
): StatedAmount {
  return { value: formatDecimal(units, exp), code: alpha };
}

const formats: Readonly<Record<EmailLanguage, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat("en", { useGrouping: true }),
  de: new Intl.NumberFormat("de", { useGrouping: true }),
  es: new Intl.NumberFormat("es", { useGrouping: true }),
  zh: new Intl.NumberFormat("zh", { useGrouping: true }),
};

const points: Readonly<Record<EmailLanguage, string>> = { en: ".", de: ",", es: ",", zh: "." };

/** An amount as its reader's language writes it, as in the dashboard: `1,250.00 USD`, `1.250,00 USD`. */
export function amountWords({ value, code }: StatedAmount, language: EmailLanguage): string {
  return `${decimalWords(value, language)} ${code}`;
}

/** A decimal as a language writes it, without needless zeros. It never becomes a `number`, which would round it. */
export function decimalWords(value: string, language: EmailLanguage): string {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(shortAmount(value));
  if (found === null) return value;
  const [, sign = "", whole = "", fraction] = found;
  const grouped = formats[language].format(BigInt(whole));
  return `${sign}${grouped}${fraction === undefined ? "" : points[language] + fraction}`;
}
