import { en } from "./en.ts";
import type { Messages } from "./messages.ts";

export type LanguageCode = "en" | "de" | "es" | "zh";

/** Languages by the name that their speakers read. */
export const languageNames: Readonly<Record<LanguageCode, string>> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  zh: "简体中文",
};

/** English is here at once, and stays when another language cannot be loaded; the others are fetched when needed. */
const loaders: Readonly<Record<LanguageCode, () => Promise<Messages>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  zh: async () => (await import("./zh.ts")).zh,
};

/** The first language that the reader prefers and the page speaks: the one kept, then the browser's list. */
export function chooseLanguage(kept: string | null, preferred: readonly string[]): LanguageCode {
  for (const tag of kept === null ? preferred : [kept, ...preferred]) {
    const code = tag.toLowerCase().split("-", 1)[0] ?? "";
    if (isLanguageCode(code)) return code;
  }
  return "en";
}

export function isLanguageCode(code: string): code is LanguageCode {
  return Object.hasOwn(languageNames, code);
}

/** A language's messages, with numbers as in the reader's own region; English where they cannot be fetched. */
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

/** `de-CH` for a reader who prefers that; a tag that names its script, as that of Chinese, stays. */
export function regionalTag(locale: string, preferred: readonly string[]): string {
  if (locale.includes("-")) return locale;
  return preferred.find((tag) => tag.startsWith(`${locale}-`)) ?? locale;
}
