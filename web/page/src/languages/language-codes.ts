/** The languages of the payment page and the dashboard. */
export type LanguageCode = "en" | "de" | "es" | "zh";

/** Languages by their own names. */
export const languageNames: Readonly<Record<LanguageCode, string>> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  zh: "简体中文",
};

/** Chooses the first supported language: the stored one, then the browser's preferences, then English. */
export function chooseLanguage(stored: string | null, preferred: readonly string[]): LanguageCode {
  for (const tag of stored === null ? preferred : [stored, ...preferred]) {
    const code = tag.toLowerCase().split("-", 1)[0] ?? "";
    if (isLanguageCode(code)) return code;
  }
  return "en";
}

export function isLanguageCode(code: string): code is LanguageCode {
  return Object.hasOwn(languageNames, code);
}

/** Returns the reader's regional variant of a language, such as `de-CH`. A tag with a script (`zh-Hans`) stays unchanged. */
export function regionalTag(locale: string, preferred: readonly string[]): string {
  if (locale.includes("-")) return locale;
  return preferred.find((tag) => tag.startsWith(`${locale}-`)) ?? locale;
}
