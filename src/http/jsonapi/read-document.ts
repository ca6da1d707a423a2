import type { JsonValue } from "../../platform/kernel/json.ts";
import { Rejected, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import type {
  DocumentDefinition,
  DocumentReading,
  FieldDefinition,
  InputOf,
} from "../../platform/resources/define-document.ts";
import { fingerprintDocument } from "./fingerprint-document.ts";
import { NumberLiteral } from "./parse-json.ts";
import { type FieldReading, readField, wholeText } from "./read-field.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a parsed body (see `parse-json.ts`) by its definition; `pathId` is the `{id}` of the path. Rejects a conflicting type or
 * id, then what `assertAllowed` rejects, else every field error at once, including those of `findFaults`.
 */
export async function readDocument<Document extends DocumentDefinition>(
  definition: Document,
  body: unknown,
  pathId: string | null,
  assertAllowed: () => void,
  findFaults: () => Promise<readonly Rejection[]>,
): Promise<InputOf<Document>> {
  const { values, faults } = readFields(definition, body, pathId, assertAllowed);
  const [first, ...others] = [...faults, ...(await findFaults())];
  if (first !== undefined) throw new Rejected(first, ...others);
  return Object.fromEntries(values) as InputOf<Document>;
}

/**
 * The same for a handler that combines field errors with its own: returns the readable fields and the faults of the others.
 * Rejects a conflicting type or id, and what `assertAllowed` rejects.
 */
export function readDocumentWithFaults<Document extends DocumentDefinition>(
  definition: Document,
  body: unknown,
  assertAllowed: () => void,
): DocumentReading<Document> {
  const { values, faults } = readFields(definition, body, null, assertAllowed);
  return {
    values: Object.fromEntries([
      ...Object.keys(definition.fields).map((name) => [name, null]),
      ...values,
    ]) as DocumentReading<Document>["values"],
    faults,
    isRelated: (name) =>
      namesSomething(member(membersOf(primaryData(body), "relationships"), name)),
    get fingerprint() {
      return fingerprintDocument(body);
    },
  };
}

function readFields(
  definition: DocumentDefinition,
  body: unknown,
  pathId: string | null,
  assertAllowed: () => void,
) {
  const isBare = definition.mayBeBare === true && isMembers(body) && !Object.hasOwn(body, "data");
  const data = isBare ? { type: definition.type, attributes: body } : primaryData(body);
  if (member(data, "type") !== definition.type)
    reject("typeConflict", `The type of this resource is "${definition.type}".`, {
      pointer: "/data/type",
    });
  checkId(definition, member(data, "id"), pathId);
  assertAllowed();
  const attributes = membersOf(data, "attributes");
  const relationships = membersOf(data, "relationships");

  const values: [string, JsonValue][] = [];
  const faults: Rejection[] = [];
  for (const [name, field] of Object.entries(definition.fields)) {
    if (field.readOnly === true) continue;
    const reading = readNamed(definition, name, field, attributes, relationships);
    if (reading === null) continue;
    if (reading.ok) values.push([name, reading.value]);
    else faults.push(reading.rejection);
  }
  return { values, faults };
}

function primaryData(body: unknown): Members {
  const data = isMembers(body) ? member(body, "data") : undefined;
  if (!isMembers(data))
    reject("invalidValue", "The document needs a member data that is an object.", {
      pointer: "/data",
    });
  return data;
}

function checkId(definition: DocumentDefinition, id: unknown, pathId: string | null): void {
  if (id === undefined || id === null || id === "" || definition.id === "ignored") return;
  if (definition.id !== "path")
    reject("clientGeneratedId", "Omit data.id: the service assigns it.", {
      pointer: "/data/id",
    });
  if (wholeText(id) !== pathId)
    reject("typeConflict", "data.id differs from the id in the path.", { pointer: "/data/id" });
}

/** The names of a document's attributes; none if it has another shape. */
export function attributeNames(body: unknown): readonly string[] {
  const data = isMembers(body) ? member(body, "data") : undefined;
  const attributes = isMembers(data) ? member(data, "attributes") : undefined;
  return isMembers(attributes) ? Object.keys(attributes) : [];
}

function membersOf(data: Members, name: "attributes" | "relationships"): Members {
  const value = member(data, name);
  if (value === undefined || value === null) return {};
  if (!isMembers(value))
    reject("invalidValue", `The member ${name} must be an object.`, { pointer: `/data/${name}` });
  return value;
}

/** Reads one field; null when a partial document omits it. */
function readNamed(
  definition: DocumentDefinition,
  name: string,
  field: FieldDefinition,
  attributes: Members,
  relationships: Members,
): FieldReading | null {
  const isRelationship = field.kind === "Relationship";
  const relationship = isRelationship ? member(relationships, name) : undefined;
  const isEither = isRelationship && field.alsoAttribute === true;
  const isRelated = isRelationship && (!isEither || namesSomething(relationship));
  const pointer = `/data/${isRelated ? "relationships" : "attributes"}/${name}`;
  const resource = isRelated
    ? linkage(field.resource, relationship, pointer)
    : { ok: true as const, value: member(attributes, name) };
  if (!resource.ok) return resource;
  const { value } = resource;
  if (value === undefined && definition.partial === true) return null;
  if (isNotGiven(value)) {
    if (field.required !== true) return { ok: true, value: null };
    const row = definition.missing ?? "invalidValue";
    return { ok: false, rejection: rejection(row, `The member ${name} is required.`, { pointer }) };
  }
  const reading = readField(field, value, pointer);
  return isEither && isRelated ? agreed(reading, name, field, member(attributes, name)) : reading;
}

/** A relationship that may also be an attribute: both may name the object, but not different ones. */
function agreed(
  reading: FieldReading,
  name: string,
  field: FieldDefinition,
  attribute: unknown,
): FieldReading {
  if (!reading.ok || isNotGiven(attribute)) return reading;
  const pointer = `/data/attributes/${name}`;
  const other = readField(field, attribute, pointer);
  if (!other.ok || other.value === reading.value) return other;
  const detail = `This names another object than the relationship ${name}; send only one of them.`;
  return { ok: false, rejection: rejection("invalidValue", detail, { pointer }) };
}

function isNotGiven(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Without a relationship, or with a null one, the attribute of the same name counts. */
function namesSomething(relationship: unknown): boolean {
  if (relationship === undefined || relationship === null) return false;
  return !isMembers(relationship) || member(relationship, "data") !== null;
}

/** The id in a relationship object; undefined without the relationship, null when it is empty. */
function linkage(
  resource: string,
  relationship: unknown,
  pointer: string,
): { ok: true; value: unknown } | { ok: false; rejection: Rejection } {
  if (relationship === undefined || relationship === null) return { ok: true, value: relationship };
  const data = isMembers(relationship) ? member(relationship, "data") : undefined;
  if (data === null) return { ok: true, value: null };
  if (!isMembers(data)) {
    const detail = "A relationship needs a member data with type and id.";
    return { ok: false, rejection: rejection("invalidValue", detail, { pointer }) };
  }
  if (member(data, "type") !== resource) {
    const detail = `The type of this related object is "${resource}".`;
    const at = { pointer: `${pointer}/data/type` };
    return { ok: false, rejection: rejection("typeConflict", detail, at) };
  }
  const id = member(data, "id");
  return { ok: true, value: id === undefined ? null : id };
}

/** Own members only: `constructor` and `__proto__` in a document are ordinary names. */
function member(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function isMembers(value: unknown): value is Members {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof NumberLiteral)
  );
}
