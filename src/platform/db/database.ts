/**
 * What the rest of the code sees of PostgreSQL. Values come and go as: `bigint` columns as decimal strings (ids),
 * `numeric` as bigint (all our numerics are whole units), `timestamptz` as Instant, `bytea` as Buffer, `jsonb` parsed.
 */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | bigint | boolean | null | Uint8Array)[];

/** A prepared statement: named, so that PostgreSQL plans it once per connection. `Row` is what it returns. */
export type Statement<Row> = {
  readonly name: string;
  readonly text: string;
  /**
   * Reads as much as there is: a list that a caller filters, a sum over everything. Outside transactions it runs on
   * connections apart, since on a pipelined one all that comes after it, whoever asked, would wait for it.
   */
  readonly mayTakeLong?: boolean;
  /**
   * Changes a row that transactions hold for as long as they take. Outside transactions it waits for that on a connection of
   * its own: on a pipelined one all that comes after it would wait too, and such a transaction, when it asks for
   * anything there, for itself.
   */
  readonly mayWait?: boolean;
  /** Only for the type checker. */
  readonly row?: Row;
};

export type Executor = {
  readonly query: <Row>(
    statement: Statement<Row>,
    values?: readonly SqlValue[],
  ) => Promise<readonly Row[]>;
};

export type Database = Executor & {
  /**
   * Runs `work` in one transaction and commits it; whatever it throws rolls back. Serialization failures and
   * deadlocks run it again (so `work` may touch nothing but the transaction it is given).
   */
  readonly transaction: <Result>(work: (tx: Executor) => Promise<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
};

/** Names a statement. The name must be unique in the program, `<store>.<verb>`, and never carry values. */
export function statement<Row>(
  name: string,
  text: string,
  options: Pick<Statement<Row>, "mayTakeLong" | "mayWait"> = {},
): Statement<Row> {
  return { name, text, ...options };
}
