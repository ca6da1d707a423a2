import { reject } from "../platform/kernel/rejection.ts";
import { mayAdminister, type Principal } from "./principal.ts";

/** Returns a guard that rejects `permissionDenied` with the text `detail` unless the caller is Owner or Admin. */
export function administratorsOnly(detail: string): (principal: Principal) => void {
  return (principal) => {
    if (!mayAdminister(principal)) reject("permissionDenied", detail);
  };
}
