import type { JsonValue } from "../../../../../client/src/api-types.gen.ts";
import type { PlainText } from "../../language/catalogs.ts";

export type Recipient = {
  readonly name: string;
  readonly kind: PlainText;
  readonly address: string;
};

/** The names and addresses in a `travel_rule_info`. */
export function parseRecipients(info: JsonValue): readonly Recipient[] {
  const persons = list(member(member(info, "beneficiary"), "beneficiaryPersons"));
  return persons.map((person) => {
    const natural = member(person, "naturalPerson");
    const legal = member(person, "legalPerson");
    return natural === null
      ? { name: nameOfLegal(legal), kind: "Company", address: addressOf(legal) }
      : { name: nameOfNatural(natural), kind: "Individual", address: addressOf(natural) };
  });
}

function nameOfNatural(person: JsonValue): string {
  const [name = null] = list(member(person, "name"));
  const [identifier = null] = list(member(name, "nameIdentifier"));
  return [member(identifier, "secondaryIdentifier"), member(identifier, "primaryIdentifier")]
    .filter((part) => typeof part === "string")
    .join(" ");
}

function nameOfLegal(person: JsonValue): string {
  const [identifier = null] = list(member(member(person, "name"), "nameIdentifier"));
  return text(member(identifier, "legalPersonName"));
}

function addressOf(person: JsonValue): string {
  const [address = null] = list(member(person, "geographicAddress"));
  const lines = list(member(address, "addressLine")).map(text);
  return [...lines, text(member(address, "country"))].filter((part) => part !== "").join(", ");
}

function member(value: JsonValue, name: string): JsonValue {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  return (value as Readonly<Record<string, JsonValue>>)[name] ?? null;
}

function list(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function text(value: JsonValue): string {
  return typeof value === "string" ? value : "";
}
