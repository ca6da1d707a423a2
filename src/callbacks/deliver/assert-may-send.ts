import { mayCreate, type Principal } from "../../accounts/principal.ts";
import { reject } from "../../platform/kernel/rejection.ts";

/** Rejects `permissionDenied` for a member who may only read. */
export function assertMaySend(principal: Principal): void {
  if (!mayCreate(principal)) reject("permissionDenied", "You may read callbacks, not send them.");
}
