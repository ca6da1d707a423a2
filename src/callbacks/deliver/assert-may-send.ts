import { mayCreate, type Principal } from "../../accounts/principal.ts";
import { reject } from "../../platform/kernel/rejection.ts";

/** Rejects with `permissionDenied` for read-only members. */
export function assertMaySend(principal: Principal): void {
  if (!mayCreate(principal))
    reject("permissionDenied", "Your role can read callbacks but not send them.");
}
