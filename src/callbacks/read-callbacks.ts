import { mayView, type Principal, visibleWallets } from "../accounts/principal.ts";
import type { Executor } from "../platform/db/database.ts";
import { type ListQuery, type Page, resolvePage } from "../platform/kernel/list-query.ts";
import { reject } from "../platform/kernel/rejection.ts";
import type { Callback, CallbackAttempt } from "./callback.ts";
import {
  listCallbackRows,
  readCallbackAttempts,
  readCallbackPayload,
  readCallbackRow,
} from "./callback-list.store.ts";
import { recomposeRequest, type SentRequest } from "./deliver/compose-delivery.ts";
import type { Receiver } from "./receiver.ts";
import { listReceiverRows } from "./receiver-list.store.ts";

/** A page of the callbacks about objects that the caller may view. */
export function listCallbacks(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<Callback>> {
  return listCallbackRows(db, principal.accountId, visibleWallets(principal), query);
}

/** An attempt with the request that it sent; null if that is not known. */
export type LoggedAttempt = CallbackAttempt & { readonly request: SentRequest | null };

export type CallbackWithLog = {
  readonly callback: Callback;
  readonly log: readonly LoggedAttempt[];
};

/**
 * A callback of the caller's account with its log, or null if there is none with this id. Rejects with
 * `noPermissionToView` when its object belongs to a wallet that was not granted to the caller.
 */
export async function readCallback(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<CallbackWithLog | null> {
  const callback = await readCallbackRow(db, principal.accountId, id);
  if (callback === null) return null;
  if (!mayView(principal, callback.walletId ?? "")) {
    reject(
      "noPermissionToView",
      "This callback belongs to a wallet that you don't have access to.",
    );
  }
  const { accountId } = principal;
  const payload = await readCallbackPayload(db, accountId, id);
  const log = (await readCallbackAttempts(db, accountId, id)).map((attempt) => ({
    ...attempt,
    request:
      attempt.signed === null
        ? null
        : recomposeRequest(
            { payload, webhookId: callback.webhookId },
            attempt.signed,
            attempt.attemptedAt,
          ),
  }));
  return { callback, log };
}

/** A page of the account's receivers that have failed before. Members who see only granted wallets see none. */
export async function listReceivers(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<Receiver>> {
  if (principal.wallets === "all") return listReceiverRows(db, principal.accountId, query);
  const { page } = query;
  return page.kind === "after"
    ? { kind: "after", items: [], next: null }
    : { kind: "numbered", items: [], number: resolvePage(page, 0), count: 0 };
}
