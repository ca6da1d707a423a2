import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { list, type Operation, object, resolve, text } from "./read-description.ts";

/** A request and its response, recorded on a sandbox by `scripts/record-docs-examples.ts`. */
export type Example = {
  /** The path with its parameters filled in. */
  readonly path: string;
  readonly request: JsonObject | null;
  /** Null without a body; a string if the response is not JSON. */
  readonly answer: JsonValue;
};

export type Examples = Readonly<Record<string, Example>>;

/** Returns the recorded request document, or one with the schema's required members. */
export function requestOf(
  operation: Operation,
  examples: Examples,
  components: JsonObject,
): JsonObject | null {
  if (operation.request === null) return null;
  return examples[operation.id]?.request ?? object(sampleOf(operation.request, components));
}

/** Returns the recorded path, or one with a placeholder value for each parameter. */
export function pathOf(operation: Operation, examples: Examples): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => valueOf(name));
  return examples[operation.id]?.path ?? path;
}

function valueOf(parameter: string): string {
  return ({ pair: "1000-840", chain: "ETH" } as Readonly<Record<string, string>>)[parameter] ?? "1";
}

/** Returns the parameter values of a filled-in path. */
export function paramsOf(
  operation: Operation,
  path: string,
): readonly (readonly [string, string])[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const pattern = operation.path.replace(/\{\w+\}/g, "([^/]+)");
  const values = new RegExp(`^${pattern}$`).exec(path.split("?")[0] ?? "")?.slice(1) ?? [];
  return names.map((name, index) => [name, values[index] ?? valueOf(name)]);
}

function sampleOf(subschema: JsonObject, components: JsonObject): JsonValue {
  const schema = resolve(subschema, components);
  const [first] = list(schema["enum"]);
  const value = schema["const"] ?? first;
  if (value !== undefined) return value;
  const [choice] = list(schema["anyOf"]).map(object);
  if (choice !== undefined) return sampleOf(choice, components);
  const types: readonly JsonValue[] = Array.isArray(schema["type"])
    ? schema["type"]
    : [schema["type"] ?? "string"];
  switch (text(types[0])) {
    case "object": {
      const required = list(schema["required"]).map(text);
      const members = Object.entries(object(schema["properties"]));
      const needed = members.filter(([name]) => required.includes(name));
      const shown = needed.length > 0 ? needed : members.slice(0, 1);
      return Object.fromEntries(
        shown.map(([name, one]) => [name, sampleOf(object(one), components)]),
      );
    }
    case "array":
      return [sampleOf(object(schema["items"]), components)];
    case "integer":
    case "number":
      return schema["minimum"] ?? 1;
    case "boolean":
      return true;
    default:
      return textOf(schema);
  }
}

function textOf(schema: JsonObject): string {
  if (schema["format"] === "uri") return "https://shop.example/";
  if (schema["format"] === "date-time") return "2026-01-02T03:04:05.000000Z";
  return /decimal/i.test(text(schema["description"])) || schema["pattern"] !== undefined
    ? "1"
    : "...";
}
