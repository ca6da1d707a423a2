import { reject } from "../platform/kernel/rejection.ts";
import { mayAdminister, mayAdministerAccount, type Principal } from "./principal.ts";

/** Returns a guard that rejects `permissionDenied` with the text `detail` unless the caller is Owner or Admin. */
export function administratorsOnly(detail: string): (principal: Principal) => void {
  return (principal) => {
    if (!mayAdminister(principal)) reject("permissionDenied", detail);
  };
}

/**
 * Returns a guard as `administratorsOnly` does that also rejects callers who see only granted wallets: it protects what concerns all
 * wallets of the account.
 */
export function accountAdministratorsOnly(detail: string): (principal: Principal) => void {
  const requireAdministrator = administratorsOnly(detail);
  return (principal) => {
    requireAdministrator(principal);
    if (!mayAdministerAccount(principal))
      reject("permissionDenied", "Only members with access to all wallets can do this.");
  };
}
