import type { Executed } from "../chain.ts";
import { wrongRequest } from "../toncenter-error.ts";
import { parseAddress, parseHash } from "../v2/parameters.ts";

/** The members of a query; every name may be there more than once. */
export type Query = URLSearchParams;

const pageMax = 1_000;

export function integerIn(query: Query, name: string): bigint | null {
  const value = query.get(name);
  if (value === null || value === "") return null;
  if (!/^-?\d+$/.test(value))
    throw wrongRequest(`failed to decode: schema: error converting value for "${name}"`);
  return BigInt(value);
}

/** Raw addresses, as the ledger names accounts. */
export function addressesIn(query: Query, name: string): readonly string[] {
  return valuesOf(query, name).map((value) => {
    const parsed = parseAddress(value);
    if (parsed === null) throw wrongRequest(`failed to decode: invalid address in "${name}"`);
    return parsed.toRawString();
  });
}

/** Hashes as 64 hexadecimal digits. */
export function hashesIn(query: Query, name: string): readonly string[] {
  return valuesOf(query, name).map((value) => {
    const hash = parseHash(value);
    if (hash === null) throw wrongRequest(`failed to decode: invalid hash in "${name}"`);
    return hash;
  });
}

function valuesOf(query: Query, name: string): readonly string[] {
  // A query has a space where a base64 text has a plus sign that was not escaped.
  return query
    .getAll(name)
    .flatMap((value) => value.split(","))
    .map((value) => value.replaceAll(" ", "+"))
    .filter((value) => value !== "");
}

export function isAscending(query: Query): boolean {
  const sort = query.get("sort") ?? "desc";
  if (sort !== "asc" && sort !== "desc") throw wrongRequest("sort should be one of: asc, desc");
  return sort === "asc";
}

/** A page of what a query found. */
export function pageOf<Item>(query: Query, items: readonly Item[]): readonly Item[] {
  const limit = Number(integerIn(query, "limit") ?? 10n);
  const offset = Number(integerIn(query, "offset") ?? 0n);
  if (limit < 1 || limit > pageMax) throw wrongRequest(`limit should be between 1 and ${pageMax}`);
  if (offset < 0) throw wrongRequest("offset should be non-negative");
  return items.slice(offset, offset + limit);
}

/** Whether a transaction is in the range of times that a query names. */
export function isInRange(
  query: Query,
): (one: { readonly transaction: Pick<Executed["transaction"], "lt" | "now"> }) => boolean {
  const [startLt, endLt, startTime, endTime] = [
    "start_lt",
    "end_lt",
    "start_utime",
    "end_utime",
  ].map((name) => integerIn(query, name));
  return ({ transaction: { lt, now } }) =>
    (startLt == null || lt >= startLt) &&
    (endLt == null || lt <= endLt) &&
    (startTime == null || BigInt(now) >= startTime) &&
    (endTime == null || BigInt(now) <= endTime);
}

/** By logical time, then by account, newest first unless the query says otherwise. */
export function sorted(query: Query, found: readonly Executed[]): readonly Executed[] {
  const sign = isAscending(query) ? 1 : -1;
  return found.toSorted((one, other) => {
    if (one.transaction.lt !== other.transaction.lt)
      return one.transaction.lt < other.transaction.lt ? -sign : sign;
    return one.account < other.account ? -1 : 1;
  });
}
