/*
 * What the server writes into a page that was built for browsers. Everything is escaped so that it stays inside its element,
 * whatever a shop or a payer has called things.
 */

/** JSON for a data block of HTML: no `<` in it can end the block or begin another element. */
export function dataBlock(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Text for the inside of an element, or of an attribute in double quotes. */
export function htmlText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** The page with its `state` filled in, and, if there is something to say, its words for whoever runs no scripts. */
export function writePage(html: string, state: unknown, plain: string | null): string {
  // As functions: `$&` in a shop's name means nothing.
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
