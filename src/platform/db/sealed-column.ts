import { type Executor, statement } from "./database.ts";

/** A column of values sealed by the service's data keys; a unique column of the row is the key. */
export type SealedColumn = {
  /** `table.column` */
  readonly name: string;
  /** The sealing context of the value with this key. */
  readonly context: (key: string) => string;
  /** Number of values per head (first bytes, in hex). */
  readonly countByHead: (db: Executor, headLength: number) => Promise<ReadonlyMap<string, number>>;
  /** Values whose head is not `exceptHead` (hex; null: all), sorted by key, after `after`, at most `limit`. */
  readonly read: (db: Executor, range: SealedRange) => Promise<readonly SealedValue[]>;
  /** Replaces values that have not changed since they were read; returns how many. */
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
