import type { Database, Executor, Statement } from "../platform/db/database.ts";

/** Tells when this process has changed what callers may do. */
export type AccessChanges = {
  /** Calls `listener` as soon as a change may be visible to other statements, before its caller learns of it. */
  readonly subscribe: (listener: () => void) => void;
};

/** The tables from which `principal.store.ts` reads. */
const changing =
  /\b(?:insert into|update|delete from)\s+(?:token_family|credential|member|account|person_login|wallet_grant)\b/i;

/**
 * The same database, and the changes that this process makes through it. Statements are recognized by their text, so that no
 * operation, present or future, has to announce what it changes.
 */
export function watchAccess(db: Database): {
  readonly db: Database;
  readonly accessChanges: AccessChanges;
} {
  const listeners: (() => void)[] = [];
  const known = new Map<string, boolean>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const changesAccess = ({ name, text }: Statement<unknown>): boolean => {
    if (name === "") return changing.test(text);
    const found = known.get(name) ?? changing.test(text);
    known.set(name, found);
    return found;
  };
  const watched: Database = {
    ...db,
    query: (statement, values) => {
      const rows = db.query(statement, values);
      return changesAccess(statement) ? rows.finally(notify) : rows;
    },
    transaction: async (work) => {
      const seen = { isChange: false };
      const watching = (tx: Executor): Executor => ({
        query: (statement, values) => {
          seen.isChange ||= changesAccess(statement);
          return tx.query(statement, values);
        },
      });
      try {
        return await db.transaction((tx) => work(watching(tx)));
      } finally {
        // Also after a failure: a connection that broke during the commit leaves its outcome unknown.
        if (seen.isChange) notify();
      }
    },
  };
  return {
    db: watched,
    accessChanges: {
      subscribe: (listener) => {
        listeners.push(listener);
      },
    },
  };
}
