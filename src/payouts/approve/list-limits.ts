import { administratorsOnly } from "../../accounts/administrators-only.ts";
import { type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type LimitRow, readLimits } from "./limit-list.store.ts";

export type { LimitRow };

const requireAdministrator = administratorsOnly("Only an Owner or Admin can view payout limits.");

/** The limits that apply to the caller's account. Rejects with permissionDenied unless the caller is Owner or Admin. */
export function listLimits(db: Executor, principal: Principal): Promise<readonly LimitRow[]> {
  requireAdministrator(principal);
  return readLimits(db, principal.accountId, visibleWallets(principal));
}
