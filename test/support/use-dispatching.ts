import { afterEach, beforeEach } from "vitest";
import { type CallbackReceiver, startReceiver } from "./callback-receiver.ts";
import type { TestDatabase } from "./database.ts";
import { dispatchContext, type Running, startDispatcher } from "./dispatching.ts";
import { eventually } from "./eventually.ts";

export type CallbackRow = {
  object_id: string;
  status: string;
  attempts: number;
  last_status_code: number | null;
  webhook_id: string;
  claimed_until: number | null;
};

export type AttemptRow = {
  number: number;
  status_code: number | null;
  error: string | null;
  answer_head: Buffer | null;
};

/** Receivers and dispatchers that end with the test, and an empty queue before each. */
export function useDispatching(database: TestDatabase) {
  const toClose: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    await database.sql("truncate callback, callback_attempt, callback_host, event cascade");
  });
  afterEach(async () => {
    for (const close of toClose.splice(0).reverse()) await close();
  });
  const callbacks = () => database.sql<CallbackRow>("select * from callback order by callback.id");
  return {
    toClose,
    receiver: async (...args: Parameters<typeof startReceiver>): Promise<CallbackReceiver> => {
      const started = await startReceiver(...args);
      toClose.push(started.close);
      return started;
    },
    dispatcher: (changes: Parameters<typeof dispatchContext>[1] = {}): Running => {
      const running = startDispatcher(dispatchContext(database.db, changes));
      toClose.push(running.stop);
      return running;
    },
    callbacks,
    attempts: () =>
      database.sql<AttemptRow>("select * from callback_attempt order by callback_id, number"),
    /** The callbacks, once none is pending. */
    finished: () => eventually(callbacks, (rows) => rows.every((row) => row.status !== "pending")),
  };
}
