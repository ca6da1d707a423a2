/** What the ledger prints: JSON with integers of any size. Absent members are left out. */
export type Printable =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly Printable[]
  | PrintableObject;
export type PrintableObject = { readonly [member: string]: Printable | undefined };

/** JSON with integers of any size as numbers, which `JSON.stringify` cannot print. */
export function printJson(value: Printable): string {
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(printJson).join(",")}]`;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${printJson(member)}`],
  );
  return `{${members.join(",")}}`;
}

function isList(value: Printable): value is readonly Printable[] {
  return Array.isArray(value);
}
