import type { JsonObject } from "../../platform/kernel/json.ts";
import { htmlText } from "../server/write-page.ts";
import type { Examples } from "./example.ts";
import { codeBlock, jsonHtml, prose } from "./html.ts";
import { operationSection } from "./operation-section.ts";
import {
  type ErrorRow,
  type Group,
  type Operation,
  object,
  type Reference,
  readDescription,
} from "./read-description.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { schemaTable } from "./schema-table.ts";

/** One page of the reference. */
export type DocsPage = { readonly title: string; readonly html: string };

/** An entry of the search index. */
export type SearchEntry = {
  readonly title: string;
  readonly route: string;
  readonly href: string;
  readonly words: string;
};

export type DocsSite = {
  /** Pages by their path below `/docs/`; the overview has an empty path. */
  readonly pages: ReadonlyMap<string, DocsPage>;
  readonly entries: readonly SearchEntry[];
};

/**
 * Renders the API reference as plain HTML pages that work without JavaScript. `description` is `/openapi.json`, `guide` the integration
 * guide as Markdown.
 */
export function docsPages(description: JsonObject, examples: Examples, guide: string): DocsSite {
  const reference = readDescription(description);
  const groups = reference.groups.map((group): [string, DocsPage] => [
    group.name,
    page(
      reference,
      group.name,
      `${group.name} · ${reference.title} API`,
      groupHtml(group, reference, examples),
    ),
  ]);
  const overview = page(reference, "", `${reference.title} API`, overviewHtml(reference));
  const errors = page(
    reference,
    "errors",
    `Errors · ${reference.title} API`,
    errorsHtml(reference),
  );
  const webhooks = page(
    reference,
    "webhooks",
    `Webhook payloads · ${reference.title} API`,
    webhooksHtml(object(description["webhooks"]), examples),
  );
  const guidePage = page(
    reference,
    "guide",
    `Integration guide · ${reference.title}`,
    renderMarkdown(guide, guideLink),
  );
  return {
    pages: new Map([
      ["", overview],
      ["guide", guidePage],
      ["webhooks", webhooks],
      ...groups,
      ["errors", errors],
    ]),
    entries: [
      ...reference.groups.flatMap(({ name, operations }) =>
        operations.map((operation) => entryOf(name, operation)),
      ),
      ...reference.errorRows.map(errorEntry),
    ],
  };
}

function entryOf(group: string, operation: Operation): SearchEntry {
  const { id, summary, method, path, parameters, request, description } = operation;
  const data = object(object(object(request?.["properties"])["data"])["properties"]);
  const members = [data["attributes"], data["relationships"]].flatMap((schema) =>
    Object.keys(object(object(schema)["properties"])),
  );
  const words = [description, ...parameters.map(({ name }) => name), ...members].join(" ");
  return { title: summary, route: `${method} ${path}`, href: `/docs/${group}/#${id}`, words };
}

function errorEntry({ status, code, title }: ErrorRow): SearchEntry {
  const href = `/docs/errors/#e${status}-${code}`;
  return { title, route: `Error ${status} ${code}`, href, words: "" };
}

/** Groups by topic, in display order. Other groups follow before the last topic. */
const chapters = [
  {
    title: "Payments",
    groups: ["token", "deposit", "payout", "transfer", "wallet", "currency", "rates"],
  },
  {
    title: "Webhooks & events",
    groups: ["callback", "webhook-endpoint", "event", "callback-receiver"],
  },
  { title: "Service", groups: ["service"] },
];

function chaptersOf(
  reference: Reference,
): readonly { readonly title: string; readonly groups: readonly Group[] }[] {
  const named = new Set(chapters.flatMap(({ groups }) => groups));
  const [payments, webhooks, service] = chapters.map(({ title, groups }) => ({
    title,
    groups: groups.flatMap((name) => reference.groups.filter((group) => group.name === name)),
  }));
  const others = reference.groups.filter(({ name }) => !named.has(name));
  const all = [payments, webhooks, { title: "Dashboard and operations", groups: others }, service];
  return all.flatMap((chapter) =>
    chapter === undefined || chapter.groups.length === 0 ? [] : [chapter],
  );
}

function page(reference: Reference, current: string, title: string, main: string): DocsPage {
  const links = chaptersOf(reference).map(
    (chapter) =>
      `<h2>${htmlText(chapter.title)}</h2><ul>${chapter.groups.map(({ name, operations }) => groupLink(name, operations, current)).join("")}</ul>`,
  );
  const currentMark = (name: string): string => (name === current ? ' aria-current="page"' : "");
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${htmlText(title)}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/assets/docs.css"><script src="/docs/assets/docs.js" defer></script></head>
<body><a class="skip" href="#main">Skip to content</a>
<header><a class="brand" href="/docs/">${htmlText(reference.title)} <span>API</span></a>
<form class="search" role="search" hidden><label for="search">Search</label><input id="search" type="search" autocomplete="off" placeholder="Search: payout, filter, POST ..." role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list"><div id="results" role="listbox" aria-label="Results" hidden></div><p class="unseen" id="result-count" role="status"></p></form></header>
<div class="body"><nav aria-label="Reference"><details class="menu" open><summary>Contents</summary><div class="tree">
<ul><li><a href="/docs/"${currentMark("")}>Overview</a></li><li><a href="/docs/guide/"${currentMark("guide")}>Integration guide</a></li><li><a href="/docs/webhooks/"${currentMark("webhooks")}>Webhook payloads</a></li><li><a href="/docs/errors/"${currentMark("errors")}>Errors</a></li><li><a href="/openapi.json">openapi.json</a></li></ul>${links.join("")}</div></details></nav>
<main id="main" tabindex="-1">${main}</main></div></body></html>`;
  return { title, html };
}

function groupLink(name: string, operations: readonly Operation[], current: string): string {
  if (name !== current) return `<li><a href="/docs/${name}/">${name}</a></li>`;
  const inside = operations.map(
    ({ id, summary }) => `<li><a href="#${id}">${prose(summary)}</a></li>`,
  );
  return `<li><a href="/docs/${name}/" aria-current="page">${name}</a><ul>${inside.join("")}</ul></li>`;
}

function groupHtml(group: Group, reference: Reference, examples: Examples): string {
  const { components } = reference;
  const schemas = object(components["schemas"]);
  const names = new Set(
    group.operations.flatMap(({ resource }) => (resource === null ? [] : [resource.name])),
  );
  const resources = [...names].map((name) => resourceHtml(name, object(schemas[name]), components));
  const toc = group.operations.map(
    ({ id, method, path, summary }) =>
      `<li><a href="#${id}"><b class="method ${method.toLowerCase()}">${method}</b> <code>${htmlText(path)}</code> <span>${prose(summary)}</span></a></li>`,
  );
  return `<h1>${group.name}</h1><ul class="contents">${toc.join("")}</ul>
${group.operations.map((operation) => operationSection(operation, components, examples)).join("\n")}
${resources.join("\n")}`;
}

/** Renders a resource's attributes and relationships. */
function resourceHtml(name: string, schema: JsonObject, components: JsonObject): string {
  const { attributes, relationships } = object(schema["properties"]);
  const related = Object.entries(object(object(relationships)["properties"])).map(([key, one]) => {
    const data = object(object(object(one)["properties"])["data"]);
    const choice = [
      data,
      ...(Array.isArray(data["anyOf"])
        ? data["anyOf"].map((each) => object(each as JsonObject))
        : []),
    ];
    const type = choice
      .map((each) => object(object(each["properties"])["type"])["const"])
      .find((each) => each !== undefined);
    return `<li><code>${htmlText(key)}</code>: one <code>${htmlText(typeof type === "string" ? type : "")}</code>. ${prose(object(one)["description"])}</li>`;
  });
  return `<section class="resource" id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title"><a class="anchor" href="#${name}">${name}</a></h2><p>${prose(schema["description"])}</p>
${schemaTable(object(attributes), components, { caption: "attributes", name: `Attributes of ${name}`, marks: "sometimes" })}
${related.length === 0 ? "" : `<h3>Relationships</h3><ul>${related.join("")}</ul>`}</section>`;
}

function overviewHtml(reference: Reference): string {
  const rows = chaptersOf(reference).map(
    ({ title, groups }) =>
      `<h2>${htmlText(title)}</h2>${groups.map(({ name, operations }) => `<h3><a href="/docs/${name}/">${name}</a></h3><ul class="contents">${operations.map(({ id, method, path, summary }) => `<li><a href="/docs/${name}/#${id}"><b class="method ${method.toLowerCase()}">${method}</b> <code>${htmlText(path)}</code> <span>${prose(summary)}</span></a></li>`).join("")}</ul>`).join("")}`,
  );
  const setUp = `BASE=${reference.baseUrl}
TOKEN=$(curl -s "$BASE/token/" -H 'Content-Type: application/vnd.api+json' \\
  -d '{"data":{"type":"auth-token","attributes":{"login":"...","password":"..."}}}' |
  node -p 'JSON.parse(require("fs").readFileSync(0)).data.attributes.access')`;
  const setUpClient = `import { createClient } from "sluice-client";

const client = createClient({ baseUrl: "${reference.baseUrl}", login, password });`;
  return `<h1>${htmlText(reference.title)} API</h1><p>${prose(reference.description)}</p>
<p>OpenAPI schema: <a href="/openapi.json">openapi.json</a>. The examples assume:</p>
${codeBlock("Log in with curl", htmlText(setUp))}${codeBlock("The TypeScript client", htmlText(setUpClient))}
<h2>Basics</h2><dl>
<dt>Authentication</dt><dd>Send <code>Authorization: Bearer &lt;access token&gt;</code>. Get one from <a href="/docs/token/">POST /token/</a>; it is valid for 15 minutes.</dd>
<dt>Documents</dt><dd>Requests and responses are JSON:API 1.1 documents (<code>application/vnd.api+json</code>). IDs and amounts are strings. An amount has all digits of its currency; do not convert it to a floating-point number. Times are UTC.</dd>
<dt>Lists</dt><dd>Lists accept <code>filter[name]</code>, <code>sort</code>, <code>include</code>, <code>fields[type]</code>, <code>page[number]</code> and <code>page[size]</code>. For long lists use cursor pagination: start with <code>page[after]=</code>, then follow <code>links.next</code>. In a shell, quote the brackets and pass <code>-g</code> to curl.</dd>
<dt id="keys">Idempotency keys</dt><dd>Payouts and refunds require an <code>Idempotency-Key</code> header (UUIDv4). If a response is lost, send the same document with the same key: the API returns 409 with code 1004, and <code>meta.payout_id</code> is the payout of the first request. A rejected request does not consume the key.</dd>
<dt>Errors</dt><dd>A rejected request returns a document of <a href="/docs/errors/">errors</a> and changes nothing. Retry 429 and 5xx later.</dd></dl>
${rows.join("\n")}`;
}

/** Where a link of the guide leads here; null for other files of the repository and for other sites. */
function guideLink(target: string): string | null {
  if (target.startsWith("#")) return target;
  return target.startsWith("errors.md") ? "/docs/errors/" : null;
}

/** What the service sends: headers, payload and verification of callbacks and webhook deliveries. */
function webhooksHtml(webhooks: JsonObject, examples: Examples): string {
  const sections = Object.entries(webhooks).map(([name, webhook]) => {
    const { summary, description, parameters, requestBody } = object(object(webhook)["post"]);
    const json = object(object(requestBody)["content"])["application/json"];
    const headers = (Array.isArray(parameters) ? parameters : []).map((parameter) => {
      const header = object(parameter as JsonObject);
      return `<tr><th scope="row"><code>${prose(header["name"])}</code></th><td>${prose(header["description"])}</td></tr>`;
    });
    return `<section id="${htmlText(name)}"><h2><a class="anchor" href="#${htmlText(name)}">${prose(summary)}</a></h2><p>${prose(description)}</p>
<div class="wide" tabindex="0" role="region" aria-label="Headers: ${htmlText(name)}"><table><thead><tr><th scope="col">Header</th><th scope="col">Content</th></tr></thead><tbody>${headers.join("")}</tbody></table></div>
${codeBlock(`Schema of ${name}`, jsonHtml(object(object(json)["schema"])))}</section>`;
  });
  const log = object(examples["getACallbackWithTheLogOfItsAttempts"]?.answer);
  const attempts = object(object(log["data"])["attributes"])["attempt_log"];
  const attempt: unknown = Array.isArray(attempts) ? attempts[0] : undefined;
  const { headers: sent = {}, body } = object(object(attempt as JsonObject)["request"]);
  const bodyText = typeof body === "string" ? body : "{}";
  return `<h1>Webhook payloads</h1><p>Callbacks go to the <code>callback_url</code> of a deposit or payout, and to the <a href="/docs/webhook-endpoint/">webhook endpoints</a> that select the event. Both have the same headers and body. Respond with 200; any other response is retried. The schemas refer to <a href="/openapi.json">openapi.json</a>.</p>
<h2>Example</h2>${codeBlock("Headers of a delivery", jsonHtml(sent))}${codeBlock("Body of a delivery", jsonHtml(JSON.parse(bodyText) as JsonObject))}
<h2>Verification</h2><p>Compute HMAC-SHA256 over <code>webhook-id</code>, <code>webhook-timestamp</code> and the exact bytes of the body, joined by points, with the base64-decoded part of the secret after <code>whsec_</code>. Compare it in constant time with each signature in <code>webhook-signature</code> (<code>v1,</code> and base64), and reject timestamps older than five minutes. The secret is the account's, or the endpoint's own. The <a href="/docs/guide/#verifying-a-callback">guide</a> has code in several languages.</p>
${sections.join("\n")}`;
}

function errorsHtml({ errorRows, groups }: Reference): string {
  const operations = groups.flatMap((group) =>
    group.operations.map((operation) => ({ group, operation })),
  );
  const rows = errorRows.map(({ status, code, title }) => {
    const where = operations.filter(({ operation }) =>
      operation.errors.some((row) => row.status === status && row.code === code),
    );
    const links = where.map(
      ({ group, operation }) =>
        `<a href="/docs/${group.name}/#${operation.id}">${operation.method} ${htmlText(operation.path)}</a>`,
    );
    const routes =
      where.length > operations.length / 2
        ? "Most routes"
        : where.length > 6
          ? `<details><summary>${where.length} routes</summary>${links.join("<br>")}</details>`
          : links.join("<br>");
    return `<tr id="e${status}-${htmlText(code)}"><td>${status}</td><th scope="row"><code>${htmlText(code)}</code></th><td>${htmlText(title)}</td><td>${routes}</td></tr>`;
  });
  return `<h1>Errors</h1><p>Handle errors by <code>status</code> and <code>code</code>. <code>source</code> locates the error: a <code>pointer</code> into the document, a query <code>parameter</code>, or a <code>header</code>. One response can contain several errors.</p>
<div class="wide" tabindex="0" role="region" aria-label="Errors"><table><thead><tr><th scope="col">HTTP</th><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">Returned by</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}
