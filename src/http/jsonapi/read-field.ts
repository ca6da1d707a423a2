import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { textFault } from "../../platform/kernel/text-fault.ts";
import type { FieldDefinition } from "../../platform/resources/define-document.ts";
import { NumberLiteral } from "./parse-json.ts";

/** A field's value, or why it was refused. */
export type FieldReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly rejection: Rejection };

type Reader<Kind> = (field: Kind, value: unknown, pointer: string) => FieldReading;
type Of<Name extends FieldDefinition["kind"]> = Extract<FieldDefinition, { kind: Name }>;

const plainUrl = /^https?:\/\/[^\s/?#\\@]+([/?#][^\s\\]*)?$/i;
/** More digits than any amount of any currency needs, and than any integer. */
const decimalDigitsMax = 64;

/** Reads the value of a given field (not null, not an empty string). */
export function readField(field: FieldDefinition, value: unknown, pointer: string): FieldReading {
  switch (field.kind) {
    case "String":
      return readText(field, value, pointer);
    case "URL":
      return readUrl(field, value, pointer);
    case "Integer":
      return readInteger(field, value, pointer);
    case "Decimal":
      return readDecimal(field, value, pointer);
    case "Boolean":
      return readBoolean(field, value, pointer);
    case "Choice":
      return readChoice(field, value, pointer);
    case "Field":
      return readJson(field, value, pointer);
    case "Relationship":
      return readId(field, value, pointer);
  }
}

/** A number as its digits, any other value unchanged: clients send `3` or `"3"`. */
export function sourceText(value: unknown): unknown {
  return value instanceof NumberLiteral ? value.source : value;
}

/** The same for an id or a choice: a number that is whole is its digits, however it is written (`3.0`, `3e0`). */
export function wholeText(value: unknown): unknown {
  const whole = value instanceof NumberLiteral ? wholeOf(value.source) : null;
  return whole === null ? sourceText(value) : whole.toString();
}

const readText: Reader<Of<"String"> | Of<"URL">> = (field, value, pointer) => {
  const text = sourceText(value);
  if (typeof text !== "string") return refuse("This must be a string.", pointer);
  const fault = textFault(text);
  if (fault !== null) return refuse(fault, pointer);
  if (field.maxLength !== undefined && isLongerThan(text, field.maxLength))
    return refuse(`This has more than ${field.maxLength} characters.`, pointer);
  return { ok: true, value: text };
};

const readUrl: Reader<Of<"URL">> = (field, value, pointer) => {
  const reading = readText(field, value, pointer);
  if (!reading.ok || typeof reading.value !== "string") return reading;
  return plainUrl.test(reading.value) && URL.canParse(reading.value)
    ? reading
    : refuse(
        "This must be an absolute http or https URL without a user name, password or spaces.",
        pointer,
      );
};

const readInteger: Reader<Of<"Integer">> = (field, value, pointer) => {
  const source = sourceText(value);
  const number = integerOf(source);
  if (number === null) {
    const isTooLarge = typeof source === "string" && /^\+?\d+$/.test(source);
    return refuse(
      isTooLarge && field.max !== undefined
        ? `This must not be greater than ${field.max}.`
        : "This must be an integer.",
      pointer,
    );
  }
  if (field.min !== undefined && number < field.min)
    return refuse(`This must not be less than ${field.min}.`, pointer);
  if (field.max !== undefined && number > field.max)
    return refuse(`This must not be greater than ${field.max}.`, pointer);
  return { ok: true, value: number };
};

/** `3`, `"3"`, `3.0` and `3e0` are the integer 3. Null for anything else, and for integers that a double does not hold exactly. */
function integerOf(source: unknown): number | null {
  const whole = typeof source === "string" ? wholeOf(source) : null;
  return whole !== null && Number.isSafeInteger(Number(whole)) ? Number(whole) : null;
}

/** Read digit by digit: as a double, `1e-400` would be 0. */
function wholeOf(source: string): bigint | null {
  if (source.length > decimalDigitsMax) return null;
  const parsed = parseDecimal(source, 0);
  return parsed.kind === "units" ? parsed.units : null;
}

const readDecimal: Reader<Of<"Decimal">> = (field, value, pointer) => {
  const source = sourceText(value);
  if (typeof source !== "string")
    return refuse("Enter a decimal number, for example 12.50.", pointer);
  if (source.length > (field.maxLength ?? decimalDigitsMax))
    return refuse(`This has more than ${field.maxLength ?? decimalDigitsMax} characters.`, pointer);
  const parsed = parseDecimal(source, decimalDigitsMax);
  if (parsed.kind !== "units") {
    const hasComma = /^-?\d+,\d+$/.test(source);
    return refuse(
      hasComma
        ? "Use a decimal point, for example 12.50."
        : "Enter a decimal number, for example 12.50.",
      pointer,
    );
  }
  const magnitude = parsed.units < 0n ? -parsed.units : parsed.units;
  if (magnitude >= 10n ** BigInt(2 * decimalDigitsMax))
    return refuse("This number has too many digits.", pointer);
  if (field.min !== undefined && parsed.units < BigInt(field.min) * 10n ** BigInt(decimalDigitsMax))
    return {
      ok: false,
      rejection: rejection(
        field.belowMin ?? "invalidValue",
        `This must not be less than ${field.min}.`,
        { pointer },
      ),
    };
  return { ok: true, value: source };
};

const readBoolean: Reader<Of<"Boolean">> = (_field, value, pointer) => {
  const source = sourceText(value);
  if (source === true || source === "true" || source === "1") return { ok: true, value: true };
  if (source === false || source === "false" || source === "0") return { ok: true, value: false };
  return refuse("This must be true or false.", pointer);
};

const readChoice: Reader<Of<"Choice">> = (field, value, pointer) => {
  const text = wholeText(value);
  const choice = field.choices.find((option) => String(option.value) === text);
  if (choice !== undefined) return { ok: true, value: choice.value };
  const known = field.choices.map((option) => option.value).join(", ");
  return refuse(`This must be one of ${known}.`, pointer);
};

const readId: Reader<Of<"Relationship">> = (_field, value, pointer) => {
  const id = wholeText(value);
  if (typeof id !== "string" || id === "" || isLongerThan(id, 64))
    return refuse("This must be the id of a related object.", pointer);
  const fault = textFault(id);
  return fault === null ? { ok: true, value: id } : refuse(fault, pointer);
};

/**
 * Free-form JSON: validates strings unless the feature does, converts numbers, drops members named `__proto__` and names that PostgreSQL
 * cannot store.
 */
function readJson(field: Of<"Field">, value: unknown, pointer: string): FieldReading {
  if (value instanceof NumberLiteral) return { ok: true, value: Number(value.source) };
  if (typeof value === "string") {
    const fault = field.checksTexts === true ? null : textFault(value);
    return fault === null ? { ok: true, value } : refuse(fault, pointer);
  }
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries()) {
      const reading = readJson(field, item, `${pointer}/${index}`);
      if (!reading.ok) return reading;
      items.push(reading.value);
    }
    return { ok: true, value: items };
  }
  if (typeof value === "object" && value !== null) {
    const members: [string, JsonValue][] = [];
    for (const [name, member] of Object.entries(value)) {
      if (name === "__proto__" || textFault(name) !== null) continue;
      const reading = readJson(field, member, `${pointer}/${pointerToken(name)}`);
      if (!reading.ok) return reading;
      members.push([name, reading.value]);
    }
    return { ok: true, value: Object.fromEntries(members) };
  }
  return { ok: true, value: typeof value === "boolean" ? value : null };
}

/** Whether a text has more than `max` characters, counted in code points. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}

/** A member name as a token of a JSON pointer: RFC 6901. */
export function pointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function refuse(detail: string, pointer: string): FieldReading {
  return { ok: false, rejection: rejection("invalidValue", detail, { pointer }) };
}
