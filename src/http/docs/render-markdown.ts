import { htmlText } from "../server/write-page.ts";
import { codeBlock } from "./html.ts";

/**
 * Renders the Markdown of our own guide as HTML: headings with GitHub's anchors, paragraphs, lists, tables, code blocks and, inside text,
 * code, bold text and links. Other syntax stays as it is written. `linkOf` maps the target of a link; null leaves its text.
 */
export function renderMarkdown(
  markdown: string,
  linkOf: (target: string) => string | null,
): string {
  const lines = markdown.split("\n");
  const html: string[] = [];
  const anchors = new Map<string, number>();
  let at = 0;
  const takeWhile = (accepts: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && accepts(line); line = lines[at]) {
      taken.push(line);
      at += 1;
    }
    return taken;
  };
  const inline = (text: string): string => inlineHtml(text, linkOf);
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = /^(#{1,4}) (.+)$/.exec(line);
    if (line.trim() === "") at += 1;
    else if (line.startsWith("```")) {
      at += 1;
      const code = takeWhile((one) => !one.startsWith("```"));
      at += 1;
      html.push(codeBlock("Example", htmlText(code.join("\n"))));
    } else if (heading !== null) {
      at += 1;
      const [, marks = "", text = ""] = heading;
      html.push(headingHtml(marks.length, text, inline(text), anchors));
    } else if (line.startsWith("|")) html.push(tableHtml(takeWhile(isTableLine), inline));
    else if (isItem(line)) html.push(listHtml(takeWhile(isListLine), inline));
    else html.push(`<p>${inline(takeWhile(isText).join(" "))}</p>`);
  }
  return html.join("\n");
}

const isTableLine = (line: string): boolean => line.startsWith("|");
const isItem = (line: string): boolean => /^(?:[-*]|\d+\.) /.test(line);
const isListLine = (line: string): boolean => isItem(line) || /^\s+\S/.test(line);
const isText = (line: string): boolean =>
  line.trim() !== "" && !/^(?:#{1,4} |```|\|)/.test(line) && !isItem(line);

/** GitHub's anchor: lower case, without punctuation, spaces as hyphens, numbered when repeated. */
function headingHtml(
  level: number,
  text: string,
  html: string,
  anchors: Map<string, number>,
): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  const before = anchors.get(name) ?? 0;
  anchors.set(name, before + 1);
  const id = htmlText(before === 0 ? name : `${name}-${before}`);
  if (level === 1) return `<h1 id="${id}">${html}</h1>`;
  return `<h${level} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${level}>`;
}

/** Every line that starts an item ends the one before; other lines continue it. */
function listHtml(lines: readonly string[], inline: (text: string) => string): string {
  const items: string[] = [];
  for (const line of lines) {
    if (isItem(line)) items.push(line.replace(/^(?:[-*]|\d+\.) /, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  const tag = /^\d/.test(lines[0] ?? "") ? "ol" : "ul";
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join("")}</${tag}>`;
}

function tableHtml(lines: readonly string[], inline: (text: string) => string): string {
  const [header = "", , ...rows] = lines;
  const cells = (line: string): readonly string[] =>
    line
      .replaceAll(/^\||\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll(String.raw`\|`, "|")));
  const head = cells(header).map((cell) => `<th scope="col">${cell}</th>`);
  const body = rows.map(
    (row) =>
      `<tr>${cells(row)
        .map((cell) => `<td>${cell}</td>`)
        .join("")}</tr>`,
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

function inlineHtml(text: string, linkOf: (target: string) => string | null): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith("`") && part.endsWith("`")
        ? `<code>${htmlText(part.slice(1, -1))}</code>`
        : htmlText(part)
            .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label: string, target: string) => {
              const href = linkOf(target);
              return href === null ? label : `<a href="${href}">${label}</a>`;
            })
            .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>"),
    )
    .join("");
}
