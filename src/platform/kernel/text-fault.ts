const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Why PostgreSQL cannot store a text; null when it can. */
export function textFault(text: string): string | null {
  if (text.includes("\u0000")) return "This must not contain the character U+0000.";
  return loneSurrogate.test(text) ? "This is not well-formed Unicode." : null;
}
