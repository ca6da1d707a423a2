import type { Database, Executor } from "../../src/platform/db/database.ts";

/** A process that dies before or after one of its awaited operations and does nothing afterwards. */
export type Mortal = {
  readonly around: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** After each statement and each commit; "before" equals "after" the previous one. */
  readonly database: (db: Database) => Database;
  readonly isDead: () => boolean;
  /** Starts a new process that dies at its operation of that number, or never. */
  readonly restart: (deathAt?: number) => void;
};

class Crash extends Error {}

export function createMortal(deathAt = Infinity): Mortal {
  let moments = 0;
  let last = deathAt;
  const live = (): void => {
    moments += 1;
    if (moments >= last) throw new Crash(`died at ${last}`);
  };
  const after: Mortal["around"] = async (work) => {
    if (moments >= last) throw new Crash(`dead since ${last}`);
    const result = await work();
    live();
    return result;
  };
  const executor = (inner: Executor): Executor => ({
    query: (statement, values) => after(() => inner.query(statement, values)),
  });
  return {
    around: async (work) => {
      live();
      return after(work);
    },
    database: (db) => ({
      ...executor(db),
      transaction: (work) => after(() => db.transaction((tx) => work(executor(tx)))),
      close: () => db.close(),
    }),
    isDead: () => moments >= last,
    restart: (next = Infinity) => {
      moments = 0;
      last = next;
    },
  };
}
