import { mayAdminister, type Principal, visibleWallets } from "../accounts/principal.ts";
import type { Executor } from "../db/database.ts";
import { reject } from "../kernel/rejection.ts";
import { type LimitRow, readLimits } from "./limit-list.store.ts";

export type { LimitRow };

/** The limits that hold for the caller's account. Rejects with permissionDenied who is neither Owner nor Admin. */
export function listLimits(db: Executor, principal: Principal): Promise<readonly LimitRow[]> {
  if (!mayAdminister(principal))
    reject("permissionDenied", "Only Owner and Admin may see the limits of payouts.");
  return readLimits(db, principal.accountId, visibleWallets(principal));
}
