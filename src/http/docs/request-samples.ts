import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { type Examples, paramsOf, pathOf, requestOf } from "./example.ts";
import { type Operation, object } from "./read-description.ts";

/** Renders an operation as a curl command with the variables `$BASE` and `$TOKEN` of the integration guide. */
export function curlSample(
  operation: Operation,
  examples: Examples,
  components: JsonObject,
): string {
  const body = requestOf(operation, examples, components);
  const words = [
    `curl -s${operation.method === "GET" || operation.method === "POST" ? "" : ` -X ${operation.method}`}`,
    ...(operation.method === "POST" && body === null ? ["-X POST"] : []),
    `"$BASE${pathOf(operation, examples)}"`,
  ].join(" ");
  const headers = [
    ...(operation.isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(operation.isKeyed ? [`-H "idempotency-key: $(node -p 'crypto.randomUUID()')"`] : []),
    ...(body === null ? [] : ["-H 'Content-Type: application/vnd.api+json'"]),
  ];
  const sent =
    body === null ? [] : [`-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`];
  return [words, ...headers, ...sent].join(" \\\n  ");
}

/** Renders an operation as a call of the TypeScript client; null for tokens, which it handles itself, and outside JSON:API. */
export function clientSample(
  operation: Operation,
  examples: Examples,
  components: JsonObject,
): string | null {
  const { method, path, resource } = operation;
  if (path.startsWith("/token/") || (resource === null && operation.status !== "204")) return null;
  const data = object(requestOf(operation, examples, components)?.["data"]);
  const related = Object.entries(object(data["relationships"])).map(
    ([name, one]): [string, JsonValue] => [name, object(one)["data"] ?? null],
  );
  const input: JsonObject = {
    ...Object.fromEntries(paramsOf(operation, pathOf(operation, examples))),
    ...(data["attributes"] === undefined ? {} : { attributes: data["attributes"] }),
    ...(related.length === 0 ? {} : { relationships: Object.fromEntries(related) }),
  };
  const words = Object.keys(input).length === 0 ? "" : `, ${literal(input, 0)}`;
  const call = `"${path}"${words}`;
  if (resource?.isPage === true) {
    return `for await (const one of client.each(${call})) {\n  console.log(one.id, one.attributes);\n}`;
  }
  if (method === "DELETE") return `await client.delete(${call});`;
  return `const { data } = await client.${method.toLowerCase()}(${call});`;
}

/** Renders a value as a TypeScript literal, with quoted keys only if needed. */
function literal(value: JsonValue, depth: number): string {
  const indent = "  ".repeat(depth + 1);
  const close = "  ".repeat(depth);
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => literal(item, depth + 1));
    const line = `[${items.join(", ")}]`;
    if (line.length + close.length < 72 && !line.includes("\n")) return line;
    return `[\n${items.map((item) => `${indent}${item},\n`).join("")}${close}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return `${key}: ${literal(member, depth + 1)}`;
  });
  const line = `{ ${members.join(", ")} }`;
  if (line.length + close.length < 72 && !line.includes("\n")) return line;
  return `{\n${members.map((member) => `${indent}${member},\n`).join("")}${close}}`;
}
