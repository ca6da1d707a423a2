import { type Executor, statement } from "./database.ts";

/** A column of values that are sealed by the service's data keys, each named by a unique column of its row. */
export type SealedColumn = {
  /** `table.column` */
  readonly name: string;
  /** What the value in the row of that key is sealed for. */
  readonly context: (key: string) => string;
  /** How many values begin with each head, in hex. */
  readonly countByHead: (db: Executor, headLength: number) => Promise<ReadonlyMap<string, number>>;
  /** Values that begin otherwise than `head` (hex; null: any) in the order of their keys, past `after`; `limit` at most. */
  readonly read: (db: Executor, range: SealedRange) => Promise<readonly SealedValue[]>;
  /** Puts new values in the place of those that are still the former ones; returns how many. */
  readonly replace: (db: Executor, changes: readonly SealedChange[]) => Promise<number>;
};

export type SealedRange = {
  readonly exceptHead: string | null;
  readonly after: string | null;
  readonly limit: number;
};
export type SealedValue = { readonly key: string; readonly sealed: Uint8Array };
export type SealedChange = SealedValue & { readonly former: Uint8Array };

/** A sealed column of the schema. Names are the program's own, never a caller's. */
export function sealedColumn(column: {
  readonly table: string;
  readonly column: string;
  /** Unique column, and its type. */
  readonly key: string;
  readonly keyType: "bigint" | "uuid" | "text";
  readonly context: (key: string) => string;
}): SealedColumn {
  const { table, column: value, key, keyType, context } = column;
  const name = `${table}.${value}`;
  const count = statement<{ head: string; count: string }>(
    `sealed.count-${name}`,
    `select encode(substring(${value} from 1 for $1::integer), 'hex') as head, count(*) as count
     from ${table} where ${value} is not null group by 1`,
    { mayTakeLong: true },
  );
  const read = statement<SealedValue>(
    `sealed.read-${name}`,
    `select ${key}::text as key, ${value} as sealed from ${table}
     where ${value} is not null
       and ($1::bytea is null or substring(${value} from 1 for octet_length($1::bytea)) <> $1::bytea)
       and ($2::${keyType} is null or ${key} > $2::${keyType})
     order by ${table}.${key} limit $3`,
    { mayTakeLong: true },
  );
  const replace = statement<{ key: string }>(
    `sealed.replace-${name}`,
    `update ${table} set ${value} = change.sealed
     from unnest($1::${keyType}[], $2::bytea[], $3::bytea[]) as change (key, sealed, former)
     where ${table}.${key} = change.key and ${table}.${value} = change.former
     returning ${table}.${key}::text as key`,
  );
  return {
    name,
    context,
    countByHead: async (db, headLength) => {
      const rows = await db.query(count, [headLength]);
      return new Map(rows.map((row) => [row.head, Number(row.count)]));
    },
    read: (db, { exceptHead, after, limit }) => {
      const head = exceptHead === null ? null : Buffer.from(exceptHead, "hex");
      return db.query(read, [head, after, limit]);
    },
    replace: async (db, changes) => {
      const rows = await db.query(replace, [
        changes.map((change) => change.key),
        changes.map((change) => change.sealed),
        changes.map((change) => change.former),
      ]);
      return rows.length;
    },
  };
}
