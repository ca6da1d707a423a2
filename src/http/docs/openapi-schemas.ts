import type { JsonObject } from "../../platform/kernel/json.ts";
import type {
  DocumentDefinition,
  FieldDefinition,
} from "../../platform/resources/define-document.ts";
import type { ResourceDefinition } from "../../platform/resources/define-resource.ts";
import { described, type JsonSchema, nullable } from "../../platform/resources/json-schema.ts";

/** The schema name of `payout-calculation`: `PayoutCalculation`. */
export function schemaName(type: string): string {
  return type.replaceAll(/(?:^|[-_ ])(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** A reference to a schema of the description. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema name of a resource with sparse fields. */
export function sparseName(type: string): string {
  return `Sparse${schemaName(type)}`;
}

/** A resource object of a response to `fields[TYPE]`: only the named members. */
export function sparseSchema({ type, attributes, relationships }: ResourceDefinition): JsonSchema {
  return {
    type: "object",
    description: `A ${type} with only the attributes and relationships that fields[${type}] names.`,
    required: ["type", "id"],
    properties: {
      type: { const: type },
      id: { type: "string" },
      attributes: { type: "object", propertyNames: { enum: Object.keys(attributes) } },
      ...(Object.keys(relationships).length === 0
        ? {}
        : {
            relationships: { type: "object", propertyNames: { enum: Object.keys(relationships) } },
          }),
    },
  };
}

/** A resource object with all its attributes. */
export function resourceSchema(resource: ResourceDefinition): JsonSchema {
  const relationships = Object.entries(resource.relationships);
  return {
    type: "object",
    description: resource.description,
    required: [
      "type",
      "id",
      "attributes",
      ...(relationships.length === 0 ? [] : ["relationships"]),
    ],
    properties: {
      type: { const: resource.type },
      id: { type: "string" },
      attributes: {
        type: "object",
        required: Object.keys(resource.attributes).filter(
          (name) => resource.sometimes?.includes(name) !== true,
        ),
        properties: resource.attributes,
      },
      ...(relationships.length === 0
        ? {}
        : {
            relationships: {
              type: "object",
              required: relationships.map(([name]) => name),
              properties: Object.fromEntries(
                relationships.map(([name, one]) => [name, toOneSchema(one)]),
              ),
            },
          }),
    },
  };
}

function toOneSchema(relationship: ResourceDefinition["relationships"][string]): JsonSchema {
  const identifier = identifierSchema(relationship.resource, { type: "string" });
  const data = relationship.nullable === true ? nullable(identifier) : identifier;
  const schema = { type: "object", required: ["data"], properties: { data } };
  return relationship.description === undefined
    ? schema
    : described(schema, relationship.description);
}

/** A resource identifier object of this type. */
export function identifierSchema(type: string, id: JsonSchema): JsonSchema {
  return {
    type: "object",
    required: ["type", "id"],
    properties: { type: { const: type }, id },
  };
}

/** A request document in the recommended spelling; the service accepts more. */
export function documentSchema(document: DocumentDefinition): JsonSchema {
  const isPartial = document.partial === true;
  const writable = Object.entries(document.fields).filter(([, field]) => field.readOnly !== true);
  const attributes = writable.filter(([, field]) => field.kind !== "Relationship");
  const related = writable.filter(([, field]) => field.kind === "Relationship");
  const data = {
    type: { const: document.type },
    ...(document.id === "path" ? { id: { type: "string" } } : {}),
    ...(attributes.length === 0 ? {} : { attributes: membersSchema(attributes, isPartial) }),
    ...(related.length === 0 ? {} : { relationships: membersSchema(related, isPartial) }),
  };
  const isNeeded = (fields: readonly (readonly [string, FieldDefinition])[]): boolean =>
    !isPartial && fields.some(([, field]) => field.required === true);
  return {
    type: "object",
    required: ["data"],
    properties: {
      data: {
        type: "object",
        required: [
          "type",
          ...(isNeeded(attributes) ? ["attributes"] : []),
          ...(isNeeded(related) ? ["relationships"] : []),
        ],
        properties: data,
      },
    },
  };
}

function membersSchema(
  fields: readonly (readonly [string, FieldDefinition])[],
  isPartial: boolean,
): JsonSchema {
  const required = fields.flatMap(([name, field]) =>
    field.required === true && !isPartial ? [name] : [],
  );
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
  };
}

function fieldSchema(field: FieldDefinition): JsonSchema {
  const schema = valueSchema(field);
  const open = field.required === true ? schema : nullable(schema);
  return field.description === undefined ? open : described(open, field.description);
}

function valueSchema(field: FieldDefinition): JsonSchema {
  switch (field.kind) {
    case "String":
      return { type: "string", ...bound("maxLength", field.maxLength) };
    case "URL":
      return { type: "string", format: "uri", ...bound("maxLength", field.maxLength) };
    case "Integer":
      return { type: "integer", ...bound("minimum", field.min), ...bound("maximum", field.max) };
    case "Decimal":
      return {
        type: "string",
        description: `A decimal number${field.min === undefined ? "" : `, at least ${field.min}`}.`,
        ...bound("maxLength", field.maxLength),
      };
    case "Boolean":
      return { type: "boolean" };
    case "Choice":
      return {
        enum: field.choices.map((choice) => choice.value),
        description: field.choices.map(({ value, name }) => `${value} ${name}`).join(", "),
      };
    case "Field":
      return field.schema ?? {};
    case "Relationship":
      return {
        type: "object",
        required: ["data"],
        properties: { data: identifierSchema(field.resource, { type: ["string", "integer"] }) },
      };
  }
}

function bound(name: string, value: number | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

/** An error response of any status. */
export const errorDocumentSchema: JsonSchema = {
  type: "object",
  required: ["errors"],
  properties: {
    errors: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["status", "code", "title", "detail", "id"],
        properties: {
          status: { type: "string", pattern: "^[45]\\d\\d$" },
          code: { type: "string", description: "Application code, or a stable word." },
          title: { type: "string" },
          detail: { type: "string" },
          source: {
            type: "object",
            minProperties: 1,
            maxProperties: 1,
            properties: {
              pointer: { type: "string" },
              parameter: { type: "string" },
              header: { type: "string" },
            },
          },
          id: { type: "string", description: "The request's id, as in X-Request-Id." },
          meta: { type: "object" },
        },
      },
    },
    meta: { type: "object", description: "The `meta` of the errors." },
  },
};

/** The response of OPTIONS. It is not a JSON:API document. */
export const metadataSchema: JsonSchema = {
  type: "object",
  required: ["data"],
  properties: {
    data: {
      type: "object",
      required: ["name", "description", "renders", "parses", "allowed_methods", "actions"],
      properties: {
        name: { type: "string" },
        description: { type: "string" },
        renders: { type: "array", items: { type: "string" } },
        parses: { type: "array", items: { type: "string" } },
        allowed_methods: { type: "array", items: { type: "string" } },
        actions: { type: "object", additionalProperties: { type: "object" } },
        custom: { type: "object" },
      },
    },
  },
};
