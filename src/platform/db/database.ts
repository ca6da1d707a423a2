import type { ReplicaState } from "./replica-state.ts";

/**
 * The interface to PostgreSQL. Values are converted: `bigint` columns to decimal strings (ids),
 * `numeric` to bigint (all our numerics are whole units), `timestamptz` to Instant, `bytea` to Buffer, `jsonb` parsed.
 */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | bigint | boolean | null | Uint8Array)[];

/** A prepared statement. Its name lets PostgreSQL plan it once per connection. `Row` is the type of its rows. */
export type Statement<Row> = {
  readonly name: string;
  readonly text: string;
  /**
   * May read whole tables: a filtered list, a sum over everything. Outside transactions it runs on
   * separate connections, because on a pipelined one every later statement would wait for it.
   */
  readonly mayTakeLong?: boolean;
  /**
   * May wait for a row that a transaction has locked. Outside transactions it runs on a connection of its own: on a
   * pipelined one every later statement would wait too, including those of the transaction that holds the lock.
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
   * Runs `work` in one transaction and commits it; an error rolls back. Serialization failures and
   * deadlocks run `work` again, so it must not have effects outside the transaction.
   */
  readonly transaction: <Result>(work: (tx: Executor) => Promise<Result>) => Promise<Result>;
  /** The connections of transactions and of long statements, for metrics; absent where there is no server. */
  readonly pools?: () => readonly PoolState[];
  /** What a replica answered, for metrics; absent without one. */
  readonly replica?: () => ReplicaState;
  readonly close: () => Promise<void>;
};

/** A pool of connections at one moment: how many are open, how many of them idle, and how many callers wait for one. */
export type PoolState = {
  readonly pool: "transactions" | "long";
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
};

/** Creates a statement. Its name must be unique in the program, `<store>.<verb>`, and contain no values. */
export function statement<Row>(
  name: string,
  text: string,
  options: Pick<Statement<Row>, "mayTakeLong" | "mayWait"> = {},
): Statement<Row> {
  return { name, text, ...options };
}
