import type { JsonObject } from "../kernel/json.ts";

/** A JSON Schema (2020-12) in the OpenAPI description. */
export type JsonSchema = JsonObject;

export const text: JsonSchema = { type: "string" };
export const integer: JsonSchema = { type: "integer" };
export const boolean: JsonSchema = { type: "boolean" };
/** All digits of the currency's precision, without exponent. */
export const decimal: JsonSchema = { type: "string", pattern: "^-?\\d+(\\.\\d+)?$" };
/** UTC with microseconds and `Z`. */
export const timestamp: JsonSchema = {
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$",
};
export const url: JsonSchema = { type: "string", format: "uri" };
/** As given by a client: the WHATWG URL standard of browsers allows more than RFC 3986, such as `https://a/ü`. */
export const givenUrl: JsonSchema = { type: "string", description: "An http or https URL." };

/** The schema, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const type = schema["type"];
  return typeof type === "string" && schema["enum"] === undefined
    ? { ...schema, type: [type, "null"] }
    : { anyOf: [schema, { type: "null" }] };
}

/** One of a fixed set of values, each explained in the description. */
export function oneOf(choices: readonly Choice[]): JsonSchema {
  return {
    enum: choices.map((choice) => choice.value),
    description: choices.map((choice) => `${choice.value} ${choice.name}`).join(", "),
  };
}

/** The schema with another description. */
export function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}

/** A value of a field or filter, and its label. */
export type Choice = { readonly value: number | string; readonly name: string };
