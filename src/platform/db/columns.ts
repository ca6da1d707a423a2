import { assert, present } from "../kernel/assert.ts";
import type { Instant } from "../kernel/clock.ts";
import type { JsonObject, JsonValue } from "../kernel/json.ts";
import type { Rate } from "../kernel/rate.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

/** A row as PostgreSQL returns it, by column name. */
export type Row = Readonly<Record<string, unknown>>;

type Stored = Readonly<Record<string, JsonValue>>;

/** How one member of a record is read: its columns with their types, and the conversion. */
export type ColumnReader<Value> = {
  readonly types: Readonly<Record<string, string>>;
  readonly read: (row: Row) => Value;
};

/** How one member of a record is stored: the conversion in both directions. */
export type Column<Value> = ColumnReader<Value> & {
  /** JSON values for `json_to_recordset`: a bigint as text, since JSON numbers do not hold it. */
  readonly write: (value: Value) => Stored;
};

/** The columns of a record, by member name. */
export type Readers = Readonly<Record<string, ColumnReader<unknown>>>;
export type Columns = Readonly<
  Record<string, ColumnReader<unknown> & { readonly write: (value: never) => Stored }>
>;

/** The record that these columns hold. */
export type RecordOf<Fields extends Readers> = {
  readonly [Name in keyof Fields]: ReturnType<Fields[Name]["read"]>;
};

/** A text. */
export function text(name: string): Column<string>;
export function text<Value extends string>(name: string): Column<Value>;
export function text(name: string): Column<string> {
  return plain(name, "text");
}

/** A uuid. */
export function uuid(name: string): Column<string> {
  return plain(name, "uuid");
}

/** A bigint that is an id: decimal text. */
export function id(name: string): Column<string> {
  return plain(name, "bigint");
}

/** A smallint or integer. */
export function integer(name: string): Column<number>;
export function integer<Value extends number>(name: string): Column<Value>;
export function integer(name: string): Column<number> {
  return plain(name, "integer");
}

export function flag(name: string): Column<boolean> {
  return plain(name, "boolean");
}

export function textArray(name: string): Column<readonly string[]> {
  return plain(name, "text[]");
}

/** A bigint that a double holds exactly, such as a block height. */
export function height(name: string): Column<number> {
  return {
    ...plain<number>(name, "bigint"),
    read: (row) => Number(row[name]),
  };
}

/** A numeric that holds whole units of a currency. */
export function units(name: string): Column<bigint> {
  return {
    ...plain<bigint>(name, "numeric"),
    write: (value) => ({ [name]: value.toString() }),
  };
}

/** A timestamptz. */
export function instant(name: string): Column<Instant> {
  return {
    ...plain<Instant>(name, "timestamptz"),
    write: (value) => ({ [name]: formatTimestamp(value) }),
  };
}

/** A bytea. */
export function bytes(name: string): Column<Uint8Array> {
  return {
    types: { [name]: "bytea" },
    read: (row) => row[name] as Uint8Array,
    write: (value) => ({ [name]: `\\x${Buffer.from(value).toString("hex")}` }),
  };
}

/** A jsonb that holds an object. */
export function jsonObject(name: string): Column<JsonObject>;
export function jsonObject<Value extends JsonObject>(name: string): Column<Value>;
export function jsonObject(name: string): Column<JsonObject> {
  return plain(name, "jsonb");
}

/** A jsonb with conversions of its own. */
export function json<Value, Json extends JsonValue>(
  name: string,
  read: (stored: Json) => Value,
  write: (value: Value) => Json,
): Column<Value> {
  return {
    types: { [name]: "jsonb" },
    read: (row) => read(row[name] as Json),
    write: (value) => ({ [name]: write(value) }),
  };
}

/** A rate in two columns. */
export function rate(unitsName: string, expName: string): Column<Rate> {
  return group({ units: units(unitsName), exp: integer(expName) });
}

/** Several columns as one member of the record. */
export function group<const Fields extends Columns>(fields: Fields): Column<RecordOf<Fields>> {
  return {
    types: columnTypes(fields),
    read: recordReader(fields),
    write: (value) => writeRecord(fields, value),
  };
}

/** The same column where null is allowed; a group is null when any of its columns is. */
export function orNull<Value>(column: Column<Value>): Column<Value | null> {
  const names = Object.keys(column.types);
  const nothing = Object.fromEntries(names.map((name) => [name, null]));
  const [only] = names;
  return {
    types: column.types,
    read:
      names.length === 1 && only !== undefined
        ? (row) => (row[only] === null ? null : column.read(row))
        : (row) => (names.some((name) => row[name] === null) ? null : column.read(row)),
    write: (value) => (value === null ? nothing : column.write(value)),
  };
}

/** A column whose values are the same in the record and in the row. */
function plain<Value extends JsonValue | bigint>(name: string, type: string): Column<Value> {
  return {
    types: { [name]: type },
    read: (row) => row[name] as Value,
    write: (value) => ({ [name]: value as JsonValue }),
  };
}

/**
 * The names of these columns, each behind the table's alias; those in `expressions` are computed instead: `d.id, d.label,
 * (d.paid > 0) as is_paid`.
 */
export function columnList(
  fields: Readers,
  alias?: string,
  expressions: Readonly<Record<string, string>> = {},
): string {
  const names = Object.keys(columnTypes(fields));
  for (const name of Object.keys(expressions)) assert(names.includes(name), `no column ${name}`);
  const prefix = alias === undefined ? "" : `${alias}.`;
  return names
    .map((name) => {
      const sql = expressions[name];
      return sql === undefined ? prefix + name : `(${sql}) as ${name}`;
    })
    .join(", ");
}

/** The names and types of these columns, as `json_to_recordset` takes them. */
export function columnDefinitions(fields: Columns): string {
  return Object.entries(columnTypes(fields))
    .map(([name, type]) => `${name} ${type}`)
    .join(", ");
}

/** The `set` clause that takes each of these columns from another table: `label = i.label`. */
export function assignments(fields: Columns, source: string): string {
  return Object.keys(columnTypes(fields))
    .map((name) => `${name} = ${source}.${name}`)
    .join(", ");
}

function columnTypes(fields: Readers): Readonly<Record<string, string>> {
  return Object.assign({}, ...Object.values(fields).map(({ types }) => types)) as Record<
    string,
    string
  >;
}

/** Reads the record from a row that holds all of its columns. */
export function recordReader<Fields extends Readers>(
  fields: Fields,
): (row: Row) => RecordOf<Fields> {
  const names = Object.keys(fields);
  const reads = names.map((name) => present(fields[name], name).read);
  const template = Object.fromEntries(names.map((name) => [name, null]));
  return (row) => {
    const record: Record<string, unknown> = { ...template };
    for (let at = 0; at < names.length; at += 1)
      record[names[at] as string] = (reads[at] as (row: Row) => unknown)(row);
    return record as RecordOf<Fields>;
  };
}

/** The record's columns as JSON values; members that are not among `fields` are left out. */
export function writeRecord<Fields extends Columns>(
  fields: Fields,
  record: RecordOf<Fields>,
): Stored {
  const stored: Record<string, JsonValue> = {};
  for (const [name, column] of Object.entries(fields))
    Object.assign(stored, column.write(record[name] as never));
  return stored;
}

/** The members of a record that `fields` name, without any others that the object has. */
export function membersOf<Fields extends Columns>(
  fields: Fields,
  record: RecordOf<Fields>,
): RecordOf<Fields> {
  const names = Object.keys(fields) as (keyof Fields & string)[];
  return Object.fromEntries(names.map((name) => [name, record[name]])) as RecordOf<Fields>;
}
