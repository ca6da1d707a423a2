/** Shows that a reader gets the language that is wished for, in every language the whole page, and right plurals. */
import { expect, test } from "vitest";
import { chooseLanguage, languageNames, loadMessages, regionalTag } from "./choose-language.ts";
import { en } from "./en.ts";
import { plural } from "./messages.ts";

const codes = Object.keys(languageNames) as (keyof typeof languageNames)[];

test.each([
  [null, ["de-AT", "en"], "de"],
  [null, ["fr", "es-MX"], "es"],
  [null, ["zh-TW"], "zh"],
  [null, ["fr"], "en"],
  ["en", ["de"], "en"],
  ["nonsense", ["de"], "de"],
  ["toString", ["es"], "es"],
])("kept %s and preferred %j is %s", (kept, preferred, code) => {
  expect(chooseLanguage(kept, preferred)).toBe(code);
});

test("numbers follow the reader's region", () => {
  expect(regionalTag("de", ["en-GB", "de-CH"])).toBe("de-CH");
  expect(regionalTag("de", ["den-CA"])).toBe("de");
  expect(regionalTag("zh-Hans", ["zh-TW"])).toBe("zh-Hans");
});

/** Every text of a language, by where it stands; functions are called with words that show up in what they say. */
function textsOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    const said: unknown = (value as (...words: readonly unknown[]) => unknown)("7", "9", true);
    return [[path, String(said)]];
  }
  if (typeof value !== "object" || value === null) throw new Error(`${path} is no text`);
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
}

test.each(codes)("%s says everything, in words of its own", async (code) => {
  const texts = textsOf(await loadMessages(code, []), "");
  const english = new Map(textsOf(en, ""));
  expect(texts.map(([path]) => path)).toEqual([...english.keys()]);
  expect(texts.filter(([, text]) => text.trim() === "")).toEqual([]);
  const numbers = (text: string | undefined): readonly string[] =>
    [...(text ?? "").matchAll(/[79]/g)].map(String).toSorted();
  for (const [path, text] of texts) expect(numbers(text), path).toEqual(numbers(english.get(path)));
  if (code === "en") return;
  const same = texts.filter(([path, text]) => english.get(path) === text && /\p{L}{4}/u.test(text));
  // A memo is called so everywhere.
  expect(same.map(([path]) => path).filter((path) => path !== ".pay.tag.memo")).toEqual([]);
});

test("plurals are the language's own", () => {
  const said = (locale: string, count: number): string =>
    plural(locale, count, { one: "one", other: "other" });
  expect([said("en", 1), said("en", 2), said("en", 0)]).toEqual(["one", "other", "other"]);
  expect([said("zh", 1), said("es", 1_000_000)]).toEqual(["other", "other"]);
  expect(en.seen.confirmations(0, 1)).toBe("0 of 1 confirmation");
  expect(en.seen.confirmations(1, 6)).toBe("1 of 6 confirmations");
});
