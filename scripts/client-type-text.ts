import type { JsonObject, JsonValue } from "../src/platform/kernel/json.ts";

/** A JSON Schema of `/openapi.json` as a TypeScript type. `depth`: indentation of its members. */
export function typeText(schema: JsonObject, depth: number, mode: "answer" | "request"): string {
  const { $ref: target, enum: values, const: value, anyOf, type } = schema;
  if (typeof target === "string") return target.replace("#/components/schemas/", "");
  if (value !== undefined) return literal(value);
  if (Array.isArray(values)) return union(values.map(literal));
  if (Array.isArray(anyOf)) {
    return union(anyOf.map((option) => typeText(option as JsonObject, depth, mode)));
  }
  if (Array.isArray(type)) {
    return union(type.map((name) => typeText({ ...schema, type: name as string }, depth, mode)));
  }
  switch (type) {
    case "string":
      return nameOfText(schema);
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return type;
    case "array": {
      const items = typeText(asObject(schema["items"]), depth, mode);
      return `readonly ${items.includes("|") && !items.startsWith("{") ? `(${items})` : items}[]`;
    }
    case "object":
      return objectText(schema, depth, mode);
    default:
      return "JsonValue";
  }
}

function nameOfText(schema: JsonObject): string {
  if (schema["format"] === "date-time") return "Timestamp";
  if (schema["pattern"] === decimalPattern) return "Decimal";
  return "string";
}

const decimalPattern = "^-?\\d+(\\.\\d+)?$";

function objectText(schema: JsonObject, depth: number, mode: "answer" | "request"): string {
  const members = Object.entries(asObject(schema["properties"]));
  const more = schema["additionalProperties"];
  if (members.length === 0) {
    const each = typeof more === "object" ? typeText(asObject(more), depth, mode) : "JsonValue";
    return `{ readonly [name: string]: ${each} }`;
  }
  const required = new Set(asTexts(schema["required"]));
  const lines = members.map(([name, member]) =>
    memberText({ name, schema: asObject(member), isRequired: required.has(name) }, depth + 1, mode),
  );
  return `{\n${lines.join("")}${indent(depth)}}`;
}

type Member = { readonly name: string; readonly schema: JsonObject; readonly isRequired: boolean };

/** One line of an object type with its description. Optional members of a request also accept undefined. */
export function memberText(
  { name, schema, isRequired }: Member,
  depth: number,
  mode: "answer" | "request",
): string {
  const text = typeText(schema, depth, mode);
  const type = isRequired || mode === "answer" ? text : `${text} | undefined`;
  const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
  return `${commentText(schema["description"], depth)}${indent(depth)}readonly ${key}${isRequired ? "" : "?"}: ${type};\n`;
}

export function commentText(description: JsonValue | undefined, depth: number): string {
  if (typeof description !== "string" || description === "") return "";
  return `${indent(depth)}/** ${description.replaceAll("*/", "* /")} */\n`;
}

export function union(parts: readonly string[]): string {
  return parts.length === 0 ? "never" : [...new Set(parts)].join(" | ");
}

export function literal(value: JsonValue | undefined): string {
  return JSON.stringify(value);
}

export function indent(depth: number): string {
  return "  ".repeat(depth);
}

export function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

export function asTexts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
