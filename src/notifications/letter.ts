import type { RenderedEmail } from "../platform/mail/email.ts";
import { boundedText } from "./bounded-text.ts";

/** The content of an email, from which both of its parts are made. Texts are plain; nothing in them is markup. */
export type Letter = {
  readonly subject: string;
  readonly fromName?: string | null;
  /** Language of the HTML part. */
  readonly language?: string;
  readonly paragraphs: readonly string[];
  /** A list below them, each with an optional link. */
  readonly items?: readonly { readonly text: string; readonly href: string | null }[];
  readonly action: { readonly label: string; readonly href: string } | null;
  /** Small print; a line may end with a link. */
  readonly footer: readonly (string | { readonly text: string; readonly href: string })[];
  readonly unsubscribeUrl?: string | null;
};

/** A mail program's list shows fewer; the first line repeats it. */
const subjectMax = 150;
const senderMax = 80;

/** Renders a letter as plain text and as HTML without images, scripts and tracking. */
export function renderLetter(given: Letter): RenderedEmail {
  const letter = withoutControls(given);
  return {
    subject: boundedText(letter.subject, subjectMax),
    text: plainText(letter),
    html: htmlPart(letter),
    fromName: letter.fromName == null ? null : boundedText(letter.fromName, senderMax),
    unsubscribeUrl: letter.unsubscribeUrl ?? null,
  };
}

/** Names in a letter must not start lines of their own, nor change how the text around them is shown. */
function withoutControls(letter: Letter): Letter {
  const { paragraphs, items = [], footer } = letter;
  return {
    ...letter,
    paragraphs: paragraphs.map(oneLine),
    items: items.map(({ text, href }) => ({ text: oneLine(text), href })),
    footer: footer.map((line) =>
      typeof line === "string" ? linesOf(line) : { ...line, text: oneLine(line.text) },
    ),
  };
}

function oneLine(text: string): string {
  return boundedText(text, Infinity);
}

/** A store's own note keeps its lines. */
function linesOf(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map(oneLine)
    .join("\n");
}

function plainText({ paragraphs, items = [], action, footer }: Letter): string {
  const parts = [
    ...paragraphs,
    ...(items.length === 0
      ? []
      : [
          items
            .map(({ text, href }) => `- ${text}${href === null ? "" : `\n  ${href}`}`)
            .join("\n"),
        ]),
    ...(action === null ? [] : [`${action.label}:\n${action.href}`]),
    ...(footer.length === 0 ? [] : [`-- \n${footer.map(plainLine).join("\n")}`]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function plainLine(line: Letter["footer"][number]): string {
  return typeof line === "string" ? line : `${line.text}: ${line.href}`;
}

const ink = "#1b2b2a";
const dimmed = "#5b6b69";
const accent = "#0b6862";

/**
 * Mail programs that show dark mode by this query get its colors; those without it keep the inline ones, or invert them. Every color has
 * a contrast of at least 4.5:1 with its background.
 */
const darkMode =
  "@media (prefers-color-scheme:dark){.page{background:#101817!important;color:#e6efed!important}" +
  ".sheet{background:#1b2624!important}.link{color:#6cc5b8!important}.dim{color:#a3b5b2!important}" +
  ".button{background:#0f7f77!important}}";

function htmlPart({
  subject,
  language = "en",
  paragraphs,
  items = [],
  action,
  footer,
}: Letter): string {
  const list = items.map(({ text, href }) => {
    const shown = escapeHtml(text);
    return `<li style="margin:0 0 6px">${href === null ? shown : link(href, shown)}</li>`;
  });
  const button =
    action === null
      ? ""
      : `<p style="margin:24px 0"><a class="button" href="${escapeHtml(action.href)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${accent};color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a></p>`;
  return [
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${darkMode}</style><title>${escapeHtml(oneLine(subject))}</title></head>`,
    `<body class="page" style="margin:0;padding:16px;background:#f5f7f7;color:${ink};font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">`,
    `<div class="sheet" style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px;overflow-wrap:anywhere">`,
    ...paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`),
    list.length === 0 ? "" : `<ul style="margin:0 0 16px;padding-left:20px">${list.join("")}</ul>`,
    button,
    ...footer.map(
      (line) =>
        `<p class="dim" style="margin:0 0 6px;color:${dimmed};font-size:13px">${
          typeof line === "string"
            ? escapeHtml(line).replaceAll("\n", "<br>")
            : link(line.href, escapeHtml(line.text))
        }</p>`,
    ),
    "</div></body></html>",
  ].join("");
}

function link(href: string, html: string): string {
  return `<a class="link" href="${escapeHtml(href)}" style="color:${accent}">${html}</a>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
