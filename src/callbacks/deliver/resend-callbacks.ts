import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ListQuery } from "../../platform/kernel/list-query.ts";
import { Rejected, rejection } from "../../platform/kernel/rejection.ts";
import { listCallbackRows, resendCallbackRows } from "../callback-list.store.ts";
import { assertMaySend } from "./assert-may-send.ts";

/** How many one request sends at most; who wants more asks again. */
export const resendMax = 500;

/** Which callbacks are to be sent again: those named, or all that failed and match. */
export type ResendChoice =
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  /** `exhausted`: gave up. `failing`: waits for its next attempt after one that failed. Other filters by the list's names. */
  | {
      readonly kind: "failed";
      readonly status: "exhausted" | "failing";
      readonly filters: ReadonlyMap<string, string>;
    };

export type ResendOutcome = {
  readonly resent: number;
  /** False: there are more than one request takes. */
  readonly isComplete: boolean;
};

/**
 * Has several callbacks sent again now, as `resendCallback` does one, in one statement. Asked twice, it finds nothing left the
 * second time, until an attempt was made. Rejects with `permissionDenied` for a member who may only read, `invalidValue` at
 * each id that names none the caller may see.
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
    const found = await listCallbackRows(tx, accountId, visibleWallets(principal), queryOf(choice));
    const ids = found.items.map(({ id }) => id);
    if (choice.kind === "ids") refuseUnknown(choice.ids, new Set(ids));
    const resent = await resendCallbackRows(tx, accountId, ids, now);
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

/** The oldest first, as they happened. */
function queryOf(choice: ResendChoice): ListQuery {
  return {
    filters:
      choice.kind === "ids"
        ? new Map([["ids", choice.ids.join(",")]])
        : new Map([
            ...choice.filters,
            choice.status === "exhausted" ? ["status", "exhausted"] : ["failing", "true"],
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
          rejection("invalidValue", "There is no such callback.", {
            pointer: `/data/attributes/ids/${index}`,
          }),
        ],
  );
  if (first !== undefined) throw new Rejected(first, ...others);
}
