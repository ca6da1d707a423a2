/** Letters that do not decompose into a base letter and marks. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "Th",
  ł: "l",
  Ł: "L",
  ı: "i",
  "’": "'",
  "–": "-",
  "—": "-",
};

const printableAscii = /^[ -~]+$/;

/**
 * A text in the characters that IVMS101.2023 allows in its Latin fields (printable ASCII): accents are removed, `ß` becomes `ss`. Null
 * for text in another script, which a person must transliterate.
 */
export function foldToLatin(text: string): string | null {
  const spelled = Array.from(text, (letter) => spelledOut[letter] ?? letter).join("");
  const folded = spelled.normalize("NFD").replaceAll(/\p{Mark}/gu, "");
  return printableAscii.test(folded) ? folded : null;
}
