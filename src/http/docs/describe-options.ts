import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import type { FieldDefinition } from "../../platform/resources/define-document.ts";
import type { FilterDefinition } from "../../platform/resources/filters.ts";
import type { Choice } from "../../platform/resources/json-schema.ts";
import { mediaType } from "../server/negotiate.ts";
import type { ApiRoute } from "../server/route.ts";

/** The OPTIONS response of a path: the interface's `renders`, `parses`, `allowed_methods`, `actions` and `custom`. */
export async function describeOptions(
  routes: readonly ApiRoute[],
  allowed: readonly string[],
): Promise<JsonObject> {
  const actions: Record<string, JsonValue> = {};
  const custom: Record<string, JsonValue> = {};
  for (const route of routes) {
    if (route.handle.answers === "page")
      actions["GET"] = mapValues(route.resource.filters, describeFilter);
    if (route.document !== null)
      actions[route.method] = mapValues(route.document.fields, describeField);
    if (route.custom !== null) custom[route.method] = await route.custom();
  }
  return {
    data: {
      name: routes.map((route) => route.summary).join(", "),
      description: routes[0]?.resource.description ?? "",
      renders: [mediaType],
      parses: ["multipart/form-data", mediaType],
      allowed_methods: allowed,
      actions,
      ...(Object.keys(custom).length === 0 ? {} : { custom }),
    },
  };
}

/** The methods of a path in the interface's order. */
export function allowedMethods(routes: readonly { readonly method: string }[]): string[] {
  const served = new Set(routes.map((route) => route.method));
  const written = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => served.has(method));
  return [...written, ...(served.has("GET") ? ["HEAD"] : []), "OPTIONS"];
}

function describeFilter(filter: FilterDefinition): JsonObject {
  return {
    lookup_expr: filter.lookup,
    ...(filter.regexp === undefined ? {} : { regexp: filter.regexp }),
    ...(filter.maxLength === undefined ? {} : { max_length: filter.maxLength }),
    ...(filter.choices === undefined ? {} : { choices: describeChoices(filter.choices) }),
    required: false,
  };
}

function describeField(field: FieldDefinition, name: string): JsonObject {
  const described: Record<string, JsonValue> = {
    type: field.kind === "Field" ? "GenericField" : field.kind,
    required: field.required === true,
    read_only: field.readOnly === true,
    label: labelOf(name),
  };
  if (field.kind === "Relationship") {
    described["relationship_type"] = "ManyToOne";
    described["relationship_resource"] = field.resource;
  }
  if ("maxLength" in field) described["max_length"] = field.maxLength;
  if ("min" in field) described["min_value"] = field.min;
  if ("max" in field) described["max_value"] = field.max;
  if (field.kind === "Choice") described["choices"] = describeChoices(field.choices);
  return described;
}

function describeChoices(choices: readonly Choice[]): JsonObject[] {
  return choices.map(({ value, name }) => ({ value, display_name: name }));
}

/** Labels `callback_url` as `Callback url`. */
function labelOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  describe: (value: Value, name: string) => JsonObject,
): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, describe(value, name)]),
  );
}
