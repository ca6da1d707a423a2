import { en } from "./en.ts";
import { type LanguageCode, regionalTag } from "./language-codes.ts";
import type { Messages } from "./messages.ts";

/** English is part of the bundle and the fallback; the other languages are fetched on demand. */
const loaders: Readonly<Record<LanguageCode, () => Promise<Messages>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  zh: async () => (await import("./zh.ts")).zh,
};

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
