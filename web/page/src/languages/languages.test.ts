/** Checks the choice of language, that every language is complete, and plural forms. */
import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { chooseLanguage, languageNames, regionalTag } from "./language-codes.ts";
import { loadMessages } from "./load-messages.ts";
import { plural } from "./messages.ts";

const codes = Object.keys(languageNames) as (keyof typeof languageNames)[];

describe("chooseLanguage", () => {
  it.each([
    [null, ["de-AT", "en"], "de"],
    [null, ["fr", "es-MX"], "es"],
    [null, ["zh-TW"], "zh"],
    [null, ["fr"], "en"],
    ["en", ["de"], "en"],
    ["nonsense", ["de"], "de"],
    ["toString", ["es"], "es"],
  ])("chooses, with %s stored and %j preferred, %s", (stored, preferred, code) => {
    expect(chooseLanguage(stored, preferred)).toBe(code);
  });
});

describe("regionalTag", () => {
  it("formats numbers for the reader's region", () => {
    expect(regionalTag("de", ["en-GB", "de-CH"])).toBe("de-CH");
    expect(regionalTag("de", ["den-CA"])).toBe("de");
    expect(regionalTag("zh-Hans", ["zh-TW"])).toBe("zh-Hans");
  });
});

/** Lists every text of a language with its path. Functions are called with values that appear in their result. */
function textsOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    const text: unknown = (value as (...args: readonly unknown[]) => unknown)("7", "9", true);
    return [[path, String(text)]];
  }
  if (typeof value !== "object" || value === null) throw new Error(`${path} is not a text`);
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
}

describe("languages", () => {
  it.each(codes)("translate every text and use every value in %s", async (code) => {
    const texts = textsOf(await loadMessages(code, []), "");
    const english = new Map(textsOf(en, ""));
    expect(texts.map(([path]) => path)).toEqual([...english.keys()]);
    expect(texts.filter(([, text]) => text.trim() === "")).toEqual([]);
    const numbers = (text: string | undefined): readonly string[] =>
      [...(text ?? "").matchAll(/[79]/g)].map(String).toSorted();
    for (const [path, text] of texts)
      expect(numbers(text), path).toEqual(numbers(english.get(path)));
    if (code === "en") return;
    const same = texts.filter(
      ([path, text]) => english.get(path) === text && /\p{L}{4}/u.test(text),
    );
    // "Memo" is the same word in every language.
    expect(same.map(([path]) => path).filter((path) => path !== ".pay.tag.memo")).toEqual([]);
  });
});

describe("plural", () => {
  it("uses the plural forms of the language", () => {
    const form = (locale: string, count: number): string =>
      plural(locale, count, { one: "one", other: "other" });
    expect([form("en", 1), form("en", 2), form("en", 0)]).toEqual(["one", "other", "other"]);
    expect([form("zh", 1), form("es", 1_000_000)]).toEqual(["other", "other"]);
    expect(en.seen.confirmations(0, 1)).toBe("0 of 1 confirmation");
    expect(en.seen.confirmations(1, 6)).toBe("1 of 6 confirmations");
  });
});
