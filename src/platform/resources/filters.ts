import type { FilterDefinition } from "./define-resource.ts";

/** A number from 1 up, as ids are, of at most so many digits. */
export function wholeNumber(maxLength: number): FilterDefinition {
  return { lookup: "exact", regexp: "^[1-9][0-9]*$", maxLength };
}

/** A decimal, compared by value. */
export function decimalNumber(maxLength?: number): FilterDefinition {
  const regexp = "^-?[0-9]+(\\.[0-9]+)?$";
  return { lookup: "exact", regexp, ...(maxLength === undefined ? {} : { maxLength }) };
}

/** A text that has to be equal, of at most so many characters. */
export function exactText(maxLength: number): FilterDefinition {
  return { lookup: "exact", maxLength };
}

/** A part of a text, whatever its case, of at most so many characters. */
export function containedText(maxLength: number): FilterDefinition {
  return { lookup: "icontains", maxLength };
}

/** A bound of a range of times, itself included. */
export function timeBound(maxLength = 32): FilterDefinition {
  return { lookup: "exact", maxLength, value: "timestamp" };
}
