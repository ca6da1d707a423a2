import type pg from "pg";
import type { Caller } from "../kernel/caller.ts";
import type { SqlValue, Statement } from "./database.ts";
import { statement } from "./database.ts";
import { execute } from "./execute.ts";
import type { FairSlots } from "./fair-slots.ts";

/** A connection that `execute` may find unusable. */
type Connection = { isBroken: boolean };
type WithClient = <Result>(
  work: (client: pg.PoolClient, connection: Connection) => Promise<Result>,
) => Promise<Result>;

type LongStatements = {
  readonly slots: FairSlots;
  readonly currentCaller: () => Caller | null;
  readonly withClient: WithClient;
  /** Runs a statement on another connection. */
  readonly ask: (statement: Statement<unknown>, values: readonly SqlValue[]) => Promise<unknown>;
};

// The text is compared as well, because behind a pooler the process may be another one.
const cancel = statement<never>(
  "database.cancel",
  `select pg_cancel_backend(pid) from pg_stat_activity
   where pid = $1 and usename = current_user and state = 'active' and left(query, 200) = left($2, 200)`,
);

/**
 * Runs statements that may take long, each on a connection of its own, in fair turns between callers. Cancels a statement in PostgreSQL
 * when its caller is gone; the connection is closed then, so that a late cancellation meets no other statement.
 */
export function createLongStatements({ slots, currentCaller, withClient, ask }: LongStatements) {
  return async <Row>(
    wanted: Statement<Row>,
    values?: readonly SqlValue[],
  ): Promise<readonly Row[]> => {
    const caller = currentCaller();
    const give = await slots.take(caller);
    try {
      return await withClient(async (client, connection) => {
        const { processID } = client as pg.PoolClient & { readonly processID: number };
        const onGone = (): void => {
          connection.isBroken = true;
          void ask(cancel, [processID, wanted.text]).catch(() => undefined);
        };
        caller?.signal.addEventListener("abort", onGone, { once: true });
        try {
          return await execute(client, wanted, values, () => {
            connection.isBroken = true;
          });
        } finally {
          caller?.signal.removeEventListener("abort", onGone);
        }
      });
    } finally {
      give();
    }
  };
}
