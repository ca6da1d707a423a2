import { en } from "./en.ts";
import type { Messages } from "./messages.ts";

export type LanguageCode = "en" | "de" | "es" | "zh";

/** Languages by their own names. */
export const languageNames: Readonly<Record<LanguageCode, string>> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  zh: "简体中文",
};

/** English is part of the bundle and the fallback; the other languages are fetched on demand. */
const loaders: Readonly<Record<LanguageCode, () => Promise<Messages>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  zh: async () => (await import("./zh.ts")).zh,
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

/** Loads a language with number formats of the reader's region; falls back to English if it cannot be fetched. */
export async function loadMessages(
  code: LanguageCode,
  preferred: readonly string[],
): Promise<Messages> {
  try {
    const messages = await loaders[code]();
    return { ...messages, locale: regionalTag(messages.locale, preferred) };
  } catch {
    return en;
  }
}

/** Returns the reader's regional variant of a language, such as `de-CH`. A tag with a script (`zh-Hans`) stays unchanged. */
export function regionalTag(locale: string, preferred: readonly string[]): string {
  if (locale.includes("-")) return locale;
  return preferred.find((tag) => tag.startsWith(`${locale}-`)) ?? locale;
}
