import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ListQuery } from "../../platform/kernel/list-query.ts";
import { Rejected, reject, rejection } from "../../platform/kernel/rejection.ts";
import {
  type EnabledEndpoint,
  listCallbackRows,
  lockEnabledEndpoints,
  resendCallbackRow,
  resendCallbackRows,
} from "../callback-list.store.ts";
import { readCallback } from "../read-callbacks.ts";
import { assertMaySend } from "./assert-may-send.ts";

/**
 * Makes a callback due now, with the same `webhook-id` and a new retry schedule, even if it was delivered or exhausted or the
 * receiver's circuit breaker is open. A callback of a webhook endpoint goes to its present URL. Returns false if there is no callback with this id. Rejects with `permissionDenied`
 * for read-only members, `noPermissionToView` for callbacks of wallets not granted, and `invalidValue` for those of a webhook endpoint that
 * is disabled or removed.
 */
export function resendCallback(
  context: { readonly db: Database; readonly clock: Clock },
  principal: Principal,
  id: string,
): Promise<boolean> {
  assertMaySend(principal);
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const found = await readCallback(tx, principal, id);
    if (found === null) return false;
    const { endpointId } = found.callback;
    const endpoints = await lockEnabledEndpoints(tx, principal.accountId);
    if (endpointId !== null && endpoints.every((endpoint) => endpoint.id !== endpointId))
      reject("invalidValue", "The webhook endpoint is disabled or was removed.", {
        pointer: "/data",
      });
    await resendCallbackRow(tx, principal.accountId, id, endpoints, now);
    await recordAudit(tx, {
      by: principal,
      action: "callback.resent",
      at: now,
      object: null,
      summary: { callbacks: [id] },
    });
    return true;
  });
}

/** Maximum callbacks per request; for more, the request is repeated. */
export const resendMax = 500;

/** Which callbacks to resend: those named, or all failed ones that match. */
export type ResendChoice =
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  /** `exhausted`: no attempts left. `failing`: waiting for the next attempt. `filters` as in the list of callbacks. */
  | {
      readonly kind: "failed";
      readonly status: "exhausted" | "failing";
      readonly filters: ReadonlyMap<string, string>;
    };

export type ResendOutcome = {
  readonly resent: number;
  /** False if more callbacks match than one request resends. */
  readonly isComplete: boolean;
};

/**
 * Resends several callbacks as `resendCallback` does, in one statement. A repeated request resends nothing until an
 * attempt has been made. Callbacks of disabled webhook endpoints are skipped. Rejects with `permissionDenied` for read-only members, and with `invalidValue` for
 * each id that is unknown or not visible to the caller.
 */
export async function resendCallbacks(
  context: { readonly db: Database; readonly clock: Clock },
  principal: Principal,
  choice: ResendChoice,
): Promise<ResendOutcome> {
  assertMaySend(principal);
  const { accountId } = principal;
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const endpoints = await lockEnabledEndpoints(tx, accountId);
    const query = queryOf(choice, endpoints);
    const found = await listCallbackRows(tx, accountId, visibleWallets(principal), query);
    const ids = found.items.map(({ id }) => id);
    if (choice.kind === "ids") refuseUnknown(choice.ids, new Set(ids));
    const resent = await resendCallbackRows(tx, accountId, ids, endpoints, now);
    if (resent.length > 0)
      await recordAudit(tx, {
        by: principal,
        action: "callback.resent",
        at: now,
        object: null,
        summary: { callbacks: [...resent] },
      });
    return {
      resent: resent.length,
      isComplete: found.kind !== "after" || found.next === null,
    };
  });
}

/** Oldest first. Failed ones of other endpoints are left out, or the oldest would fill each request in place of those that it can resend. */
function queryOf(choice: ResendChoice, endpoints: readonly EnabledEndpoint[]): ListQuery {
  return {
    filters:
      choice.kind === "ids"
        ? new Map([["ids", choice.ids.join(",")]])
        : new Map([
            ...choice.filters,
            choice.status === "exhausted" ? ["status", "exhausted"] : ["failing", "true"],
            ["receivable", endpoints.map(({ id }) => id).join(",")],
          ]),
    sort: [{ field: "id", descending: false }],
    page: { kind: "after", cursor: null, size: resendMax },
  };
}

function refuseUnknown(ids: readonly string[], found: ReadonlySet<string>): void {
  const [first, ...others] = ids.flatMap((id, index) =>
    found.has(id)
      ? []
      : [
          rejection("invalidValue", "No callback has this id.", {
            pointer: `/data/attributes/ids/${index}`,
          }),
        ],
  );
  if (first !== undefined) throw new Rejected(first, ...others);
}
