import type { Database, Executor } from "../../platform/db/database.ts";

class Undone<Outcome> extends Error {
  override readonly name = "Undone";
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super("undone");
    this.outcome = outcome;
  }
}

/** Runs `work` in a transaction that rolls back unless `isDone` accepts its outcome. */
export async function commitOnlyIf<Outcome>(
  db: Database,
  work: (tx: Executor) => Promise<Outcome>,
  isDone: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  try {
    return await db.transaction(async (tx) => {
      const outcome = await work(tx);
      if (!isDone(outcome)) throw new Undone(outcome);
      return outcome;
    });
  } catch (error) {
    if (error instanceof Undone) return error.outcome as Outcome;
    throw error;
  }
}
