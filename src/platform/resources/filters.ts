import type { Choice } from "./json-schema.ts";

/** A query parameter `filter[name]` as the API describes and validates it. */
export type FilterDefinition = {
  readonly lookup: "exact" | "icontains";
  /** The format of the text; other texts are rejected before the database is asked. Default `text`: anything. */
  readonly value?: "text" | "timestamp" | "boolean";
  /** Anchored pattern that the text must match. */
  readonly regexp?: string;
  /** What matches the pattern, for people: `a whole number greater than zero`. Default: the pattern. */
  readonly expects?: string;
  /** Longest text, in characters (code points). */
  readonly maxLength?: number;
  readonly choices?: readonly Choice[];
};

/** A number from 1 up, as ids are, of at most `maxLength` digits. */
export function wholeNumber(maxLength: number): FilterDefinition {
  const expects = "a whole number greater than zero";
  return { lookup: "exact", regexp: "^[1-9][0-9]*$", expects, maxLength };
}

/** A decimal, compared by value. */
export function decimalNumber(maxLength?: number): FilterDefinition {
  const regexp = "^-?[0-9]+(\\.[0-9]+)?$";
  const expects = "a decimal number, for example 12.50";
  return { lookup: "exact", regexp, expects, ...(maxLength === undefined ? {} : { maxLength }) };
}

/** A text that must be equal, of at most `maxLength` characters. */
export function exactText(maxLength?: number): FilterDefinition {
  return { lookup: "exact", ...(maxLength === undefined ? {} : { maxLength }) };
}

/** Part of a text, ignoring case, of at most `maxLength` characters. */
export function containedText(maxLength: number): FilterDefinition {
  return { lookup: "icontains", maxLength };
}

/** An inclusive bound of a time range. */
export function timeBound(maxLength = 32): FilterDefinition {
  return { lookup: "exact", maxLength, value: "timestamp" };
}

/** One of a fixed set of values. */
export function choice<const Choices extends readonly Choice[]>(choices: Choices) {
  return { lookup: "exact", choices } as const;
}

/** true, false, 1 or 0. */
export const yesOrNo: FilterDefinition = { lookup: "exact", value: "boolean" };
