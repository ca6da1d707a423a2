import type { NamesIn, TextKey } from "./catalogs.ts";
import { catalog, locale } from "./language.ts";

export type Value = string | number;
export type ValuesOf<Key extends TextKey> = [NamesIn<Key>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Key>, Value>>];

let isEnglish = catalog === null;

/** The English text in the language of the page, with values for the names in braces; numbers are formatted by the locale. */
export function t<Key extends TextKey>(text: Key, ...[values]: ValuesOf<Key>): string {
  const named: Readonly<Record<string, Value>> = values ?? {};
  return translated(text).replace(/\{(\w+)\}/g, (name, key: string) => {
    const value = named[key];
    if (value === undefined) return name;
    return typeof value === "number" ? numberText(value) : value;
  });
}

type Counted<One extends TextKey, Other extends TextKey> = [
  Exclude<NamesIn<One> | NamesIn<Other>, "count">,
] extends [never]
  ? []
  : [values: Readonly<Record<Exclude<NamesIn<One> | NamesIn<Other>, "count">, Value>>];

/** One of two texts by the language's rule for plurals, with `count` among its values: `plural(n, "1 result", "{count} results")`. */
export function plural<One extends TextKey, Other extends TextKey>(
  count: number,
  one: One,
  other: Other,
  ...[values]: Counted<One, Other>
): string {
  const key: TextKey = forms(count) === "one" ? one : other;
  const all: readonly unknown[] = [{ ...values, count }];
  return t(key, ...(all as ValuesOf<TextKey>));
}

/** Runs `read` with English texts, for files that programs and colleagues read in any language. */
export function inEnglish<Result>(read: () => Result): Result {
  const before = isEnglish;
  isEnglish = true;
  try {
    return read();
  } finally {
    isEnglish = before;
  }
}

/** A text of the service, translated if it is among the dashboard's texts. */
export function translateIfKnown(text: string): string {
  const known: Readonly<Record<string, string>> | null = catalog;
  return known !== null && Object.hasOwn(known, text) ? (known[text] ?? text) : text;
}

/** The translation with its names in braces. */
export function translated(text: TextKey): string {
  return isEnglish || catalog === null ? (text.split("|", 1)[0] ?? text) : catalog[text];
}

const numbers = new Intl.NumberFormat(locale);
const englishNumbers = new Intl.NumberFormat("en");
const rules = new Intl.PluralRules(locale);

function numberText(value: number): string {
  return (isEnglish ? englishNumbers : numbers).format(value);
}

function forms(count: number): Intl.LDMLPluralRule {
  return isEnglish ? (count === 1 ? "one" : "other") : rules.select(count);
}
