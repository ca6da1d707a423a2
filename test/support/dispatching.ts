import { createHash } from "node:crypto";
import { compileCallbackPolicy, sandboxCallbacks } from "../../src/callbacks/callback-url.ts";
import {
  type DispatchContext,
  defaultDispatchSettings,
  dispatchCallbacks,
} from "../../src/callbacks/deliver/dispatch-callbacks.ts";
import type { NewEvent } from "../../src/callbacks/events/new-event.ts";
import { recordEvents } from "../../src/callbacks/events/record-events.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { TestDatabase } from "./database.ts";

export const credential = { login: "login", password: "password" };
const callbackKey = createHash("sha256").update("loginpassword").digest();
export const webhookSecret = `whsec_${createHash("sha256").update("secret").digest("base64")}`;

/**
 * A dispatcher's context that retries within a tenth of a second. An attempt may take as long as a busy machine needs; a test of
 * hanging attempts sets its own limit.
 */
export function dispatchContext(
  db: Database,
  changes: Partial<DispatchContext["settings"]> = {},
): DispatchContext {
  return {
    db,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    policy: compileCallbackPolicy(sandboxCallbacks),
    resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    readSigningKeys: () => Promise.resolve({ callbackKey, webhookSecret }),
    onAttempt: () => undefined,
    settings: {
      ...defaultDispatchSettings,
      retryDelaysSeconds: [0.1, 0.1, 0.1],
      connectTimeoutMs: 60_000,
      totalTimeoutMs: 60_000,
      leaseSeconds: 300,
      pollMs: 20,
      stopGraceMs: 100,
      ...changes,
    },
  };
}

export type Running = { readonly stop: () => Promise<void> };

export function startDispatcher(context: DispatchContext): Running {
  const stopping = new AbortController();
  const running = dispatchCallbacks(context, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Accounts with ids only, for rows that refer to them. */
export async function arrangeAccounts(
  { sql }: TestDatabase,
  ids: readonly string[],
): Promise<void> {
  await sql(
    `insert into account (id, name, webhook_secret_sealed, created_at)
     select id, 'Test', '', '2026-01-01' from unnest($1::bigint[]) as id on conflict do nothing`,
    [ids],
  );
}

/** Records events of deposits, one for each `[depositId, url]`. */
export async function arrangeCallbacks(
  db: Database,
  callbacks: readonly (readonly [depositId: string, url: string])[],
  changes: Partial<NewEvent> = {},
): Promise<void> {
  const events = callbacks.map(
    ([objectId, callbackUrl]): NewEvent => ({
      accountId: "7",
      objectType: "deposit",
      objectId,
      transferId: null,
      trigger: "status",
      key: systemRandom.uuid(),
      payload: {
        data: { type: "deposit", id: objectId, attributes: { tracking_id: "order-42" } },
        included: [{ type: "transfer", id: "5", attributes: { status: 2, amount: "0.00100000" } }],
      },
      callbackUrl,
      endpoints: "selecting",
      credentialId: "4",
      createdAt: systemClock.now(),
      ...changes,
    }),
  );
  await recordEvents(db, events, systemRandom);
}
