import {
  type ListQuery,
  type PageRequest,
  rejectPage,
  type SortKey,
} from "../../platform/kernel/list-query.ts";
import { parseQueryTimestamp } from "../../platform/kernel/query-timestamp.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { textFault } from "../../platform/kernel/text-fault.ts";
import {
  type ResourceDefinition,
  sortableFields,
} from "../../platform/resources/define-resource.ts";
import type { FilterDefinition } from "../../platform/resources/filters.ts";
import type { QueryParameters } from "../server/route.ts";
import { isLongerThan } from "./read-field.ts";

/** What the response includes: JSON:API 1.1, "Inclusion of Related Resources" and "Sparse Fieldsets". */
export type ShapeQuery = {
  /** Requested relationship paths; null without the parameter, and then the response has no `included`. */
  readonly include: readonly string[] | null;
  /** Selected fields, by resource type. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
};

export type Parameters = readonly (readonly [name: string, value: string])[];

/** The API's parameters, to tell a misspelled one from a known one. */
export type QueryVocabulary = {
  readonly resourceTypes: ReadonlySet<string>;
  /** Whether `include` accepts this path from this resource. */
  readonly isIncludable: (resource: ResourceDefinition, path: string) => boolean;
};

const defaultPageSize = 10;
const pageSizeMax = 100;
const bracketed = /^(filter|fields|page)\[([^[\]]+)\]$/;

/** The decoded query parameters (`page[size]` and `page%5Bsize%5D` are the same). */
export function queryParameters(url: string): Parameters {
  const at = url.indexOf("?");
  return at === -1 ? [] : [...new URLSearchParams(url.slice(at + 1))];
}

/** Reads `include` and `fields`. Rejects every other parameter unless `isKnown` accepts it. */
export function readShape(
  parameters: Parameters,
  resource: ResourceDefinition,
  vocabulary: QueryVocabulary,
  isKnown: (name: string) => boolean = () => false,
): ShapeQuery {
  refuseRepeated(parameters);
  const fields = new Map<string, ReadonlySet<string>>();
  let include: string[] | null = null;
  for (const [name, value] of parameters) {
    const [, family, key = ""] = bracketed.exec(name) ?? [];
    if (name === "include") include = readInclude(value, resource, vocabulary);
    else if (family === "fields") {
      if (!vocabulary.resourceTypes.has(key))
        refuse(`Unknown resource type "${printable(key)}".`, name);
      fields.set(key, new Set(listed(value)));
    } else if (!isKnown(name)) refuse(`Unknown parameter ${printable(name)}.`, name);
  }
  return { include, fields };
}

/** Reads the parameters of a list: `filter`, `sort` (alias `ordering`) and `page`, besides `include` and `fields`. */
export function readListQuery(
  parameters: Parameters,
  resource: ResourceDefinition,
  vocabulary: QueryVocabulary,
): { readonly shape: ShapeQuery; readonly list: ListQuery } {
  const shape = readShape(parameters, resource, vocabulary, isListParameter);
  const filters = new Map<string, string>();
  for (const [name, value] of parameters) {
    const [, family, key = ""] = bracketed.exec(name) ?? [];
    if (family === "filter") filters.set(key, readFilter(key, value, resource, name));
  }
  return {
    shape,
    list: { filters, sort: readSort(parameters, resource), page: readPage(parameters) },
  };
}

/** The route's own parameters that are given; each must be one of its choices. */
export function readOwnParameters(
  parameters: Parameters,
  definitions: QueryParameters,
): Readonly<Record<string, string>> {
  const own = parameters.filter(([name]) => Object.hasOwn(definitions, name));
  for (const [name, value] of own) {
    const choices = definitions[name]?.choices ?? [];
    if (!choices.includes(value)) refuse(`This must be one of ${choices.join(", ")}.`, name);
  }
  return Object.fromEntries(own);
}

function isListParameter(name: string): boolean {
  const [, family, key] = bracketed.exec(name) ?? [];
  return (
    name === "sort" ||
    name === "ordering" ||
    name === "page" ||
    name === "page_size" ||
    family === "filter" ||
    (family === "page" && (key === "number" || key === "size" || key === "after"))
  );
}

/** The last of a repeated filter counts; any other repeated parameter is refused. */
function refuseRepeated(parameters: Parameters): void {
  const seen = new Set<string>();
  for (const [name] of parameters) {
    if (seen.has(name) && !name.startsWith("filter["))
      refuse(`The parameter ${printable(name)} appears more than once.`, name);
    seen.add(name);
  }
}

function readInclude(
  value: string,
  resource: ResourceDefinition,
  vocabulary: QueryVocabulary,
): string[] {
  const paths = listed(value);
  for (const path of paths)
    if (!vocabulary.isIncludable(resource, path))
      refuse(`This endpoint cannot include "${printable(path)}".`, "include");
  return paths;
}

function readFilter(
  key: string,
  value: string,
  resource: ResourceDefinition,
  parameter: string,
): string {
  const filter = Object.hasOwn(resource.filters, key) ? resource.filters[key] : undefined;
  if (filter === undefined) refuse(`Unknown filter ${printable(key)}.`, parameter);
  const fault = filterFault(filter, value);
  return fault === null ? value : refuse(fault, parameter);
}

/** Why a filter's text is invalid, or null. */
export function filterFault(filter: FilterDefinition, value: string): string | null {
  if (value === "") return "This filter needs a value.";
  const fault = textFault(value);
  if (fault !== null) return fault;
  if (filter.maxLength !== undefined && isLongerThan(value, filter.maxLength))
    return `This has more than ${filter.maxLength} characters.`;
  if (filter.regexp !== undefined && !new RegExp(filter.regexp, "u").test(value))
    return `This must be ${filter.expects ?? `a match of ${filter.regexp}`}.`;
  if (filter.choices?.every((choice) => String(choice.value) !== value) === true)
    return `This must be one of ${filter.choices.map((choice) => choice.value).join(", ")}.`;
  if (filter.value === "timestamp" && parseQueryTimestamp(value) === null)
    return "This must be an ISO 8601 date or time.";
  if (filter.value === "boolean" && !/^(true|false|1|0)$/i.test(value))
    return "This must be true or false.";
  return null;
}

function readSort(parameters: Parameters, resource: ResourceDefinition): readonly SortKey[] {
  const present = parameters.filter(([name]) => name === "sort" || name === "ordering");
  const [name, value] = present[0] ?? ["sort", ""];
  if (present.length > 1)
    refuse("sort and ordering are the same parameter: send one of them.", "ordering");
  const keys: SortKey[] = [];
  const terms = listed(value);
  for (const term of terms.length === 0 ? listed(resource.defaultSort) : terms) {
    const descending = term.startsWith("-");
    const field = descending ? term.slice(1) : term;
    if (field !== "id" && !sortableFields(resource).includes(field))
      refuse(`This list cannot sort by "${printable(field)}".`, name);
    // Nothing is left to sort after the id, but the remaining fields must be valid.
    const isSettled = keys.some((key) => key.field === field || key.field === "id");
    if (!isSettled) keys.push({ field, descending });
  }
  const last = keys.at(-1);
  return last?.field === "id"
    ? keys
    : [...keys, { field: "id", descending: last?.descending ?? false }];
}

function readPage(parameters: Parameters): PageRequest {
  const present = new Map(parameters);
  const size = pageSize(eitherOf(present, "page[size]", "page_size"));
  const cursor = present.get("page[after]");
  const number = eitherOf(present, "page[number]", "page");
  if (cursor === undefined) {
    const alias = present.has("page") ? { parameter: "page" } : {};
    return { kind: "numbered", number: pageNumber(number ?? "", alias), size, ...alias };
  }
  if (number !== undefined) refuse("Send page[number] or page[after], not both.", "page[after]");
  return { kind: "after", cursor: cursor === "" ? null : cursor, size };
}

/** The value of a parameter or its alias, which published clients send. Rejects both at once. */
function eitherOf(
  present: ReadonlyMap<string, string>,
  name: string,
  alias: string,
): string | undefined {
  if (present.has(name) && present.has(alias))
    refuse(`${alias} and ${name} are the same parameter: send one of them.`, alias);
  return present.get(name) ?? present.get(alias);
}

/** Values out of range and malformed values fall back to the default. */
function pageSize(text: string | undefined): number {
  const size = /^\d{1,9}$/.test(text ?? "") ? Number(text) : defaultPageSize;
  return size >= 1 && size <= pageSizeMax ? size : defaultPageSize;
}

function pageNumber(text: string, sent: { readonly parameter?: string }): number | "last" {
  if (text === "") return 1;
  if (text === "last") return "last";
  const number = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  return number >= 1 ? number : rejectPage(sent);
}

function listed(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** A caller's text inside our sentence, short and without control characters. */
function printable(present: string): string {
  return present.slice(0, 64).replaceAll(/[^\x20-\x7e]/g, "?");
}

function refuse(detail: string, parameter: string): never {
  return reject("invalidValue", detail, { parameter: printable(parameter) });
}
