import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import { isVisibleWallet } from "../../accounts/wallets/administer-wallets.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { readTestCallbackId, takeTestDeliveryId } from "../callback-list.store.ts";
import type { WebhookEndpoint } from "../endpoints/webhook-endpoint.ts";
import type { NewEvent } from "../events/new-event.ts";
import { recordEvents } from "../events/record-events.ts";
import { assertMaySend } from "./assert-may-send.ts";

export type TestDeliveryContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** Why a URL is not an allowed callback URL; null if it is one. */
  readonly callbackUrlFault: (url: string) => string | null;
};

const walletPointer = { pointer: "/data/relationships/wallet" };

/**
 * Creates a signed delivery of type `test`, sent like every callback: outbox, dispatcher, log, retries. It refers to
 * no deposit or payout, has no amount and is not in the feed, so no receiver can credit it. Returns the
 * callback's id. Rejects with `permissionDenied` for read-only members, and with `invalidValue` for a refused URL or a wallet
 * that does not exist or that the caller may not see. A caller who sees only granted wallets must name one, whose members then see
 * the delivery.
 */
export async function sendTestDelivery(
  context: TestDeliveryContext,
  principal: Principal,
  input: { readonly url: string; readonly walletId: string | null },
): Promise<string> {
  assertMaySend(principal);
  const fault = context.callbackUrlFault(input.url);
  if (fault !== null) reject("invalidValue", fault, { pointer: "/data/attributes/url" });
  const { url, walletId } = input;
  const isPermitted =
    walletId === null
      ? principal.wallets === "all"
      : await isVisibleWallet(context.db, principal, walletId);
  if (!isPermitted)
    reject("invalidValue", "Select a wallet that you have access to.", walletPointer);
  return writeTest(context, principal, { url, walletId, callbackUrl: url, endpoints: null });
}

/**
 * Sends the same to an enabled webhook endpoint, signed with its secret. Returns the callback's id. Rejects with `permissionDenied`
 * for read-only members, and with `invalidValue` for a disabled endpoint.
 */
export function testEndpoint(
  context: Omit<TestDeliveryContext, "callbackUrlFault">,
  principal: Principal,
  { id, url, isEnabled }: Pick<WebhookEndpoint, "id" | "url" | "isEnabled">,
): Promise<string> {
  assertMaySend(principal);
  if (!isEnabled)
    reject("invalidValue", "Enable the webhook endpoint first.", { pointer: "/data" });
  const to = { url, walletId: null, callbackUrl: null, endpoints: { id } };
  return writeTest(context, principal, to);
}

function writeTest(
  { db, clock, random }: Omit<TestDeliveryContext, "callbackUrlFault">,
  principal: Principal,
  test: Pick<NewEvent, "callbackUrl" | "endpoints"> & {
    readonly url: string;
    readonly walletId: string | null;
  },
): Promise<string> {
  const { accountId, credentialId } = principal;
  const now = clock.now();
  return db.transaction(async (tx) => {
    const id = await takeTestDeliveryId(tx);
    const event: NewEvent = {
      accountId,
      credentialId,
      createdAt: now,
      callbackUrl: test.callbackUrl,
      endpoints: test.endpoints,
      objectType: "test",
      objectId: id,
      transferId: null,
      trigger: "test",
      key: `test/${id}`,
      payload: { data: testResource(id, test.walletId, formatTimestamp(now)), included: [] },
    };
    await recordEvents(tx, [event], random);
    const callbackId = await readTestCallbackId(tx, accountId, id);
    await recordAudit(tx, {
      by: principal,
      action: "callback.tested",
      at: now,
      object: { type: "callback", id: callbackId },
      summary: { url: test.url },
    });
    return callbackId;
  });
}

function testResource(id: string, walletId: string | null, createdAt: string): JsonObject {
  return {
    type: "test",
    id,
    attributes: {
      message: "A test delivery: nothing was paid. Verify the signature and answer 200.",
      tracking_id: null,
      created_at: createdAt,
    },
    relationships: { wallet: toOne("wallet", walletId) },
  };
}
