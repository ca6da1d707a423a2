import { administratorsOnly } from "../../accounts/administrators-only.ts";
import { type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type LimitRow, readLimits } from "./limit-list.store.ts";

export type { LimitRow };

const requireAdministrator = administratorsOnly(
  "Only Owner and Admin may see the limits of payouts.",
);

/** The limits that hold for the caller's account. Rejects with permissionDenied who is neither Owner nor Admin. */
export function listLimits(db: Executor, principal: Principal): Promise<readonly LimitRow[]> {
  requireAdministrator(principal);
  return readLimits(db, principal.accountId, visibleWallets(principal));
}
