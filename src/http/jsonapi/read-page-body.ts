import { Rejected, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import { textFault } from "../../platform/kernel/text-fault.ts";
import type { PlainRequest } from "../server/plain-route.ts";
import { parseJson } from "./parse-json.ts";
import { isLongerThan, pointerToken } from "./read-field.ts";

/** More than any of our pages sends. */
const bodyBytesMax = 4 * 1024;

/** A text member of a page's request, and its maximum length. */
export type PageField = { readonly required: boolean; readonly maxLength: number };

/** The sent values; an absent, null or empty member is null. */
export type PageBody<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { required: true } ? string : string | null;
};

/**
 * Reads the request of one of our pages: a JSON object of strings as `application/json`, which another site's form cannot send.
 * Rejects with unsupportedMediaType, bodyTooLarge, parseError, and invalidValue with a pointer for each member that is missing,
 * unknown, not a string, or too long.
 */
export function readPageBody<const Fields extends Readonly<Record<string, PageField>>>(
  request: Pick<PlainRequest, "body" | "header">,
  fields: Fields,
): PageBody<Fields> {
  const [type = ""] = (request.header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json")
    reject("unsupportedMediaType", "Send application/json.", { header: "content-type" });
  if (request.body.length > bodyBytesMax) reject("bodyTooLarge", "The body must not exceed 4 KiB.");
  if (request.body.length === 0) reject("parseError", "The body must be a JSON object.");
  const body = parseJson(request.body);
  if (typeof body !== "object" || body === null || Array.isArray(body) || !isPlain(body))
    return reject("parseError", "The body must be a JSON object.");
  const members = body as Readonly<Record<string, unknown>>;
  const faults = [
    ...Object.keys(members)
      .filter((name) => !Object.hasOwn(fields, name))
      .map((name) => fault(name, "Unknown member.")),
    ...Object.entries(fields).flatMap(([name, field]) => faultOf(name, field, members[name])),
  ];
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
  return Object.fromEntries(
    Object.keys(fields).map((name) => [name, textOf(members[name])]),
  ) as PageBody<Fields>;
}

/** Numbers are `NumberLiteral` objects here, see `parseJson`. */
function isPlain(body: object): boolean {
  return Object.getPrototypeOf(body) === Object.prototype;
}

function faultOf(name: string, field: PageField, value: unknown): readonly Rejection[] {
  if (value === undefined || value === null || value === "")
    return field.required ? [fault(name, `${name} is required.`)] : [];
  if (typeof value !== "string") return [fault(name, `${name} must be a string.`)];
  if (isLongerThan(value, field.maxLength))
    return [fault(name, `${name} has more than ${field.maxLength} characters.`)];
  const unfit = textFault(value);
  return unfit === null ? [] : [fault(name, unfit)];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function fault(name: string, detail: string): Rejection {
  return rejection("invalidValue", detail, { pointer: `/${pointerToken(name).slice(0, 64)}` });
}
