/* Fills values into a built page. Everything is escaped, so that names from shops and payers stay inside their element. */

/** JSON for a data block in HTML: no `<` can end the block or start another element. */
export function dataBlock(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Text for the inside of an element or of a double-quoted attribute. */
export function htmlText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** The page with its `state` filled in, and optionally a text for browsers without scripts. */
export function writePage(html: string, state: unknown, plain: string | null): string {
  // As functions, because `$&` in a shop's name would be a replacement pattern.
  const filled = html.replace(
    /(<script type="application\/json" id="state">)[^<]*(<\/script>)/,
    (_all, open: string, close: string) => `${open}${dataBlock(state)}${close}`,
  );
  if (plain === null) return filled;
  return filled.replace(
    /(<p id="plain">)[^<]*(<\/p>)/,
    (_all, open: string, close: string) => `${open}${htmlText(plain)}${close}`,
  );
}
