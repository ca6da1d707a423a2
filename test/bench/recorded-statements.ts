import type { Database, Executor, SqlValue } from "../../src/platform/db/database.ts";

/** A statement of the product with its values. */
export type RecordedStatement = {
  readonly text: string;
  readonly values: readonly SqlValue[];
};

/** Runs `work` on a database that returns no rows, and returns the statements it sent. */
export async function recordStatements(
  work: (db: Database) => Promise<unknown>,
): Promise<readonly RecordedStatement[]> {
  const recorded: RecordedStatement[] = [];
  const query: Database["query"] = ({ text }, values = []) => {
    recorded.push({ text, values });
    return Promise.resolve([]);
  };
  await work({
    query,
    transaction: (inner) => inner({ query }),
    close: () => Promise.resolve(),
  });
  return recorded;
}

/** The same on a real database, with `isInTransaction` for each statement. */
export async function recordAnswered(
  db: Database,
  work: (db: Database) => Promise<unknown>,
): Promise<readonly (RecordedStatement & { readonly isInTransaction: boolean })[]> {
  const recorded: (RecordedStatement & { readonly isInTransaction: boolean })[] = [];
  const recording = (executor: Executor, isInTransaction: boolean): Executor => ({
    query: (statement, values = []) => {
      recorded.push({ text: statement.text, values, isInTransaction });
      return executor.query(statement, values);
    },
  });
  await work({
    ...recording(db, false),
    transaction: (inner) => db.transaction((tx) => inner(recording(tx, true))),
    close: () => Promise.resolve(),
  });
  return recorded;
}
