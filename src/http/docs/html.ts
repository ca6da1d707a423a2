import type { JsonValue } from "../../platform/kernel/json.ts";
import { htmlText } from "../server/write-page.ts";

/** A text of the description, with `code` in backquotes and links to other operations left as text. */
export function prose(value: JsonValue | undefined): string {
  return typeof value === "string"
    ? htmlText(value).replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    : "";
}

/** JSON as it would be printed, with its keys, texts and other values told apart by class. */
export function jsonHtml(value: JsonValue): string {
  const token = /"(?:\\.|[^"\\])*"(?=:)|"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?/g;
  const text = JSON.stringify(value, null, 2);
  let html = "";
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [found] = match;
    const isKey = found.startsWith('"') && text[match.index + found.length] === ":";
    const kind = isKey ? "k" : found.startsWith('"') ? "s" : "n";
    html += `${htmlText(text.slice(end, match.index))}<span class="${kind}">${htmlText(found)}</span>`;
    end = match.index + found.length;
  }
  return html + htmlText(text.slice(end));
}

/** A block of code that can be scrolled by keyboard and copied; `name` is what it is called to whoever cannot see it. */
export function codeBlock(name: string, html: string): string {
  return `<div class="code"><pre tabindex="0" role="region" aria-label="${htmlText(name)}"><code>${html}</code></pre></div>`;
}
