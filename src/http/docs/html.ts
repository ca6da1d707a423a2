import type { JsonValue } from "../../platform/kernel/json.ts";
import { htmlText } from "../server/write-page.ts";

/** Renders a description as HTML, with backquoted `code`. */
export function prose(value: JsonValue | undefined): string {
  return typeof value === "string"
    ? htmlText(value).replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    : "";
}

/** Renders formatted JSON with classes for keys, strings and other values. */
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

/** Renders a code block that is keyboard-scrollable and has a copy button. `name` labels it for screen readers. */
export function codeBlock(name: string, html: string): string {
  return `<div class="code"><pre tabindex="0" role="region" aria-label="${htmlText(name)}"><code>${html}</code></pre></div>`;
}
