/** Letters that are no base letter with marks on it. */
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
 * A text in the characters that IVMS101.2023 asks of its Latin fields (printable ASCII): accents go, `ß` becomes `ss`. Null where
 * that is not enough, because it is in another script and has to be transliterated by somebody who reads it.
 */
export function foldToLatin(text: string): string | null {
  const spelled = Array.from(text, (letter) => spelledOut[letter] ?? letter).join("");
  const folded = spelled.normalize("NFD").replaceAll(/\p{Mark}/gu, "");
  return printableAscii.test(folded) ? folded : null;
}
