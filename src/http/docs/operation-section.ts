import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { htmlText } from "../server/write-page.ts";
import type { Examples } from "./example.ts";
import { codeBlock, jsonHtml, prose } from "./html.ts";
import type { ErrorRow, Operation, Parameter } from "./read-description.ts";
import { list, object, text } from "./read-description.ts";
import { clientSample, curlSample } from "./request-samples.ts";
import { schemaTable, typeHtml } from "./schema-table.ts";

/** Renders an operation's section with parameters, request, response, errors and samples. */
export function operationSection(
  operation: Operation,
  components: JsonObject,
  examples: Examples,
): string {
  const { id, method, path, summary, description, isPublic, isKeyed } = operation;
  const isKeyRequired = operation.parameters.some(
    ({ name, isRequired }) => name === "idempotency-key" && isRequired,
  );
  const notes = [
    ...(description === "" ? [] : [`<p>${prose(description)}</p>`]),
    ...(isPublic ? ["<p>No token is needed.</p>"] : []),
    ...(isKeyed
      ? [
          `<p>${isKeyRequired ? "Requires" : "Takes"} an <a href="/docs/#keys">idempotency key</a>, so that a retry has no second effect.</p>`,
        ]
      : []),
  ];
  return `<section class="operation" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title"><a class="anchor" href="#${id}">${prose(summary)}</a></h2>
<p class="route"><b class="method ${method.toLowerCase()}">${method}</b> <code>${pathHtml(path)}</code></p>
${notes.join("\n")}
<div class="columns"><div>
${parametersHtml(operation)}
${requestHtml(operation, components)}
${responseHtml(operation)}
${errorsHtml(operation.errors, id)}
</div><div class="samples">
${samplesHtml(operation, components, examples)}
</div></div></section>`;
}

function pathHtml(path: string): string {
  return htmlText(path).replaceAll(/\{\w+\}/g, "<i>$&</i>");
}

function parametersHtml({ parameters, id }: Operation): string {
  const isFilter = ({ name }: Parameter): boolean => name.startsWith("filter[");
  const filters = parameters.filter(isFilter);
  const others = parameters.filter((parameter) => !isFilter(parameter));
  const more =
    filters.length === 0
      ? ""
      : `<details${filters.length <= 6 ? " open" : ""}><summary>${filters.length === 1 ? "1 filter" : `${filters.length} filters`}</summary>${parameterTable(filters, `Filters of ${id}`)}</details>`;
  if (others.length === 0) return more === "" ? "" : `<h3>Parameters</h3>${more}`;
  return `<h3>Parameters</h3>${parameterTable(others, `Parameters of ${id}`)}${more}`;
}

function parameterTable(parameters: readonly Parameter[], caption: string): string {
  const rows = parameters.map(
    ({ name, place, isRequired, schema, description }) =>
      `<tr><th scope="row"><code>${htmlText(name)}</code>${isRequired ? " <b>required</b>" : ""}</th><td>${htmlText(place)}</td><td>${typeHtml(schema)}</td><td>${prose(description)}</td></tr>`,
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="${htmlText(caption)}"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function requestHtml({ request, id }: Operation, components: JsonObject): string {
  if (request === null) return "";
  const data = object(object(request["properties"])["data"]);
  const { attributes, relationships, type } = object(data["properties"]);
  const tables = [
    schemaTable(object(attributes), components, {
      caption: "attributes",
      name: `Attributes sent to ${id}`,
      marks: "required",
    }),
    relationshipTable(object(relationships), id),
  ].filter((table) => table !== "");
  const named = object(type)["const"];
  const lead = `<p>A document of type <code>${htmlText(text(named))}</code>${tables.length === 0 ? " without attributes" : ""}.</p>`;
  return `<h3 id="${id}-request">Request</h3>${lead}${tables.join("")}`;
}

function relationshipTable(relationships: JsonObject, id: string): string {
  const required = list(relationships["required"]);
  const rows = Object.entries(object(relationships["properties"])).map(([name, one]) => {
    const { description, properties } = object(one);
    const { type } = object(object(object(properties)["data"])["properties"]);
    const mark = required.includes(name) ? " <b>required</b>" : "";
    return `<tr><th scope="row"><code>${htmlText(name)}</code>${mark}</th><td>one <code>${htmlText(text(object(type)["const"]))}</code></td><td>${prose(description)}</td></tr>`;
  });
  if (rows.length === 0) return "";
  return `<div class="wide" tabindex="0" role="region" aria-label="Relationships sent to ${id}"><table><caption>relationships</caption><thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function responseHtml({ status, resource, answer }: Operation): string {
  const what =
    resource === null
      ? answer === null
        ? "No document, or one that is not JSON:API."
        : "A document."
      : `${resource.isPage ? "A page of " : "A "}<a href="#${resource.name}">${htmlText(resource.name)}</a>${resource.isPage ? " resources" : " resource"}.`;
  return `<h3>Response</h3><p><b>${status}</b> ${what}</p>`;
}

function errorsHtml(errors: readonly ErrorRow[], id: string): string {
  if (errors.length === 0) return "";
  const rows = errors.map(
    ({ status, code, title }) =>
      `<tr><td>${status}</td><th scope="row"><a href="/docs/errors/#e${status}-${htmlText(code)}"><code>${htmlText(code)}</code></a></th><td>${htmlText(title)}</td></tr>`,
  );
  return `<details><summary>Errors (${errors.length})</summary><div class="wide" tabindex="0" role="region" aria-label="Errors of ${id}"><table><thead><tr><th scope="col">HTTP</th><th scope="col">Code</th><th scope="col">Title</th></tr></thead><tbody>${rows.join("")}</tbody></table></div></details>`;
}

function samplesHtml(operation: Operation, components: JsonObject, examples: Examples): string {
  const { summary, id, status } = operation;
  const client = clientSample(operation, examples, components);
  return [
    `<h3>curl</h3>${codeBlock(`${summary}: curl`, htmlText(curlSample(operation, examples, components)))}`,
    ...(client === null
      ? []
      : [`<h3>Client</h3>${codeBlock(`${summary}: TypeScript client`, htmlText(client))}`]),
    ...exampleHtml(examples[id]?.answer, summary, status),
  ].join("\n");
}

function exampleHtml(
  answer: JsonValue | undefined,
  summary: string,
  status: string,
): readonly string[] {
  if (answer === undefined) return [];
  const heading = "<h3>Example response</h3>";
  if (answer === null) return [`${heading}<p class="quiet">${status}, no body</p>`];
  const shown = typeof answer === "string" ? htmlText(answer) : jsonHtml(answer);
  return [
    `${heading}<p class="quiet">${status}, recorded on a sandbox</p>${codeBlock(`${summary}: response`, shown)}`,
  ];
}
