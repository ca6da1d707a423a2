import {
  chooseLanguage,
  type LanguageCode,
  regionalTag,
} from "../../../page/src/languages/language-codes.ts";
import { loadCatalog } from "./catalogs.ts";

const storageKey = "sluice-dashboard-language";
const isInBrowser = typeof document !== "undefined";

const preferred = isInBrowser ? navigator.languages : [];
const chosen = chooseLanguage(readStored(), preferred);

/** The texts of the language; null for English. Loaded before any module that uses it runs, so constants may hold texts. */
export const catalog = await loadCatalog(chosen);

/** The language of the page. */
export const languageCode: LanguageCode = catalog === null ? "en" : chosen;

/** For formatting numbers and times: the language in the reader's region, such as `de-CH`. */
export const locale = regionalTag(languageCode === "zh" ? "zh-Hans" : languageCode, preferred);

if (isInBrowser) document.documentElement.lang = locale;

/** Remembers the language in this browser and loads the page again in it. */
export function chooseAndReload(code: LanguageCode): void {
  try {
    localStorage.setItem(storageKey, code);
  } catch {
    // Storage is disabled: the browser's preference applies.
  }
  location.reload();
}

function readStored(): string | null {
  try {
    return isInBrowser ? localStorage.getItem(storageKey) : null;
  } catch {
    return null;
  }
}
