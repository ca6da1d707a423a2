import type { Executor } from "../platform/db/database.ts";
import { storeGrant } from "./account.store.ts";

/** Adds one wallet to those that a member may see; on one that is granted already it changes whether it may be paid from. */
export function grantWallet(
  db: Executor,
  grant: {
    readonly accountId: string;
    readonly memberId: string;
    readonly walletId: string;
    readonly mayPay: boolean;
  },
): Promise<void> {
  return storeGrant(db, grant);
}
