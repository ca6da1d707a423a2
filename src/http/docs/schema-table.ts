import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { htmlText } from "../server/write-page.ts";
import { prose } from "./html.ts";
import { list, object, resolve, text } from "./read-description.ts";

type Member = {
  readonly path: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
};

/** Renders the members of an object schema as a table, with nested members by their path. */
export function schemaTable(
  schema: JsonObject,
  components: JsonObject,
  layout: {
    readonly caption: string;
    /** Label of the table's region, unique on its page. */
    readonly name: string;
    readonly marks: "required" | "sometimes";
  },
): string {
  const members = membersOf(schema, components, "", 0);
  if (members.length === 0) return "";
  const rows = members.map(({ path, schema: member, isRequired }) => {
    const mark =
      layout.marks === "required"
        ? isRequired
          ? " <b>required</b>"
          : ""
        : isRequired
          ? ""
          : " <i>optional</i>";
    return `<tr><th scope="row"><code>${pathHtml(path)}</code>${mark}</th><td>${typeHtml(member)}</td><td>${description(member)}</td></tr>`;
  });
  return `<div class="wide" tabindex="0" role="region" aria-label="${htmlText(layout.name)}"><table><caption>${htmlText(layout.caption)}</caption><thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** A member's path, which may break after a point. */
function pathHtml(path: string): string {
  return htmlText(path).replaceAll(".", ".<wbr>");
}

function membersOf(
  rawSchema: JsonObject,
  components: JsonObject,
  prefix: string,
  depth: number,
): readonly Member[] {
  const schema = withoutNull(resolve(rawSchema, components));
  const required = new Set(list(schema["required"]));
  return Object.entries(object(schema["properties"])).flatMap(([name, member]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const own = resolve(object(member), components);
    const items = withoutNull(own)["items"];
    const inside = items === undefined ? own : object(items);
    const below =
      depth < 8
        ? membersOf(inside, components, items === undefined ? path : `${path}[]`, depth + 1)
        : [];
    return [{ path, schema: own, isRequired: required.has(name) }, ...below];
  });
}

/** Removes null from an `anyOf` of a schema and null. */
function withoutNull(schema: JsonObject): JsonObject {
  const choices = list(schema["anyOf"]).map(object);
  return choices.find(({ type }) => type !== "null") ?? schema;
}

/** Renders a type, such as `string or null, at most 32 characters`. */
export function typeHtml(schema: JsonObject): string {
  const choices = list(schema["anyOf"]).map(object);
  const isNullable = choices.some(({ type }) => type === "null");
  const inner = isNullable ? withoutNull(schema) : schema;
  const types = Array.isArray(inner["type"]) ? inner["type"].map(text) : [text(inner["type"])];
  const named = types
    .filter((type) => type !== "" && type !== "null")
    .map((type) => nameOf(type, inner));
  const values = list(inner["enum"]);
  const constant = inner["const"];
  const words =
    constant !== undefined
      ? [codeOf(constant)]
      : values.length > 0
        ? [values.map(codeOf).join(", ")]
        : named.length > 0
          ? named
          : ["any JSON"];
  const nulled = isNullable || types.includes("null") ? [...words, "null"] : words;
  return [nulled.join(" or "), ...limitsOf(inner)].join(", ");
}

function nameOf(type: string, schema: JsonObject): string {
  if (type === "object") return "object";
  if (type === "array") {
    const items = object(schema["items"]);
    return `list of ${items["type"] === "object" || items["type"] === undefined ? "objects" : `${typeHtml(items)}s`}`;
  }
  if (type === "integer") return "integer";
  if (type !== "string") return htmlText(type);
  if (schema["format"] === "date-time") return "timestamp";
  if (schema["format"] === "uri") return "URL";
  return text(schema["pattern"]) === decimalPattern ? "decimal string" : "string";
}

const decimalPattern = "^-?\\d+(\\.\\d+)?$";

function limitsOf(schema: JsonObject): readonly string[] {
  const { maxLength, minimum, maximum, pattern, default: fallback } = schema;
  return [
    ...(maxLength === undefined ? [] : [`at most ${JSON.stringify(maxLength)} characters`]),
    ...(minimum === undefined ? [] : [`at least ${JSON.stringify(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${JSON.stringify(maximum)}`]),
    ...(fallback === undefined ? [] : [`default ${codeOf(fallback)}`]),
    ...(pattern === undefined || pattern === decimalPattern || schema["format"] === "date-time"
      ? []
      : [`like ${codeOf(pattern)}`]),
  ];
}

function codeOf(value: JsonValue): string {
  return `<code>${htmlText(typeof value === "string" ? value : JSON.stringify(value))}</code>`;
}

function description(schema: JsonObject): string {
  return prose(schema["description"] ?? withoutNull(schema)["description"]);
}
