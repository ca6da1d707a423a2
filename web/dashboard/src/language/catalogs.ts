import type { LanguageCode } from "../../../page/src/languages/language-codes.ts";
import type german from "./de.json";

/**
 * An English text of the dashboard as it stands in the code: `"{count} results"`. Names in braces are replaced by values. Behind a
 * bar stands a remark for texts that are the same in English only: `"Open|verb"`.
 */
export type TextKey = keyof typeof german;

/** The names in braces of a text. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A text without names in braces. */
export type PlainText = {
  [Key in TextKey]: Key extends `${string}{${string}` ? never : Key;
}[TextKey];

export type Catalog = Readonly<Record<TextKey, string>>;

/** A language in which a text is missing does not compile. */
const loaders: Readonly<Record<Exclude<LanguageCode, "en">, () => Promise<Catalog>>> = {
  de: async () => (await import("./de.json")).default,
  es: async () => (await import("./es.json")).default,
  zh: async () => (await import("./zh.json")).default,
};

/** Fetches the texts of a language; null for English, and for one that cannot be fetched. */
export async function loadCatalog(code: LanguageCode): Promise<Catalog | null> {
  if (code === "en") return null;
  try {
    return await loaders[code]();
  } catch {
    return null;
  }
}
