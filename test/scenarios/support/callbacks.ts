import { verifyCallback } from "../../../client/src/verify-callback.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import type { CallbackReceiver } from "../../support/callback-receiver.ts";
import type { Resource } from "./api-client.ts";
import type { Login } from "./deployment.ts";

/** The content of a callback in a few words: `transfer 2 0.50000000 (3)` with status, amount and confirmations; `status 3`. */
export type CallbackSummary = string;

/** The callbacks of a resource in the order of arrival, each verified by both signatures. */
export function readCallbacks(
  { received }: CallbackReceiver,
  { type, id }: Pick<Resource, "type" | "id">,
  secrets: { readonly credential: Login; readonly webhookSecret: string },
  checkBody: (body: JsonObject) => void,
): Promise<readonly CallbackSummary[]> {
  const own = received.filter(({ document }) => {
    const { data } = document;
    return data.type === type && data.id === id;
  });
  return Promise.all(
    own.map(async (callback) => {
      checkBody(JSON.parse(callback.body) as JsonObject);
      const verdict = await verifyCallback(callback, secrets);
      if (!verdict.isGenuine) throw new Error(`a callback is not genuine: ${verdict.reason}`);
      const transfer = verdict.document.included.find((one) => one.type === "transfer");
      return transfer === undefined
        ? `status ${String(verdict.document.data.attributes["status"])}`
        : wordsOf(transfer.attributes);
    }),
  );
}

function wordsOf(transfer: Readonly<Record<string, unknown>>): CallbackSummary {
  const { status, amount, confirmations } = transfer as Record<string, string | number>;
  return `transfer ${String(status)} ${String(amount)} (${String(confirmations)})`;
}

/** The same as `Told` of a transfer, for any number of confirmations: on a chain that mines automatically it is unpredictable. */
export function withoutConfirmations(
  callbacks: readonly CallbackSummary[],
): readonly CallbackSummary[] {
  return callbacks.map((words) => words.replace(/ \(\d+\)$/, ""));
}

const patienceSeconds = 180;

/** Polls until the value matches or time runs out, so that the assertion shows the difference. */
export async function settled<Value>(
  ask: () => Promise<Value>,
  isExpected: (value: Value) => boolean,
): Promise<Value> {
  const giveUpAt = systemClock.now() + patienceSeconds * 1_000_000;
  // With growing delays, because all scenarios share one credential's reads per minute.
  for (let delayMs = 60; ; delayMs = Math.min(delayMs * 1.5, 1_000)) {
    const value = await ask();
    if (isExpected(value) || systemClock.now() > giveUpAt) return value;
    await systemClock.sleep(delayMs);
  }
}

export function hasAll(
  value: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(expected).every(([name, member]) => value[name] === member);
}
