import { reject } from "../platform/kernel/rejection.ts";
import { mayAdminister, type Principal } from "./principal.ts";

/**
 * Makes the guard of what only an Owner or Admin may do. The guard rejects `permissionDenied` with `detail`, a sentence that says
 * what is kept from the caller.
 */
export function administratorsOnly(detail: string): (principal: Principal) => void {
  return (principal) => {
    if (!mayAdminister(principal)) reject("permissionDenied", detail);
  };
}
