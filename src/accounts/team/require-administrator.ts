import { reject } from "../../kernel/rejection.ts";
import { requirePerson } from "../people/require-person.ts";
import { mayAdminister, type Principal } from "../principal.ts";

/** Rejects `permissionDenied` unless the caller is Owner or Admin. */
export function requireAdministrator(principal: Principal): void {
  if (!mayAdminister(principal))
    reject(
      "permissionDenied",
      "Only an Owner or Admin may see and change who acts for the account.",
    );
}

/** Rejects `permissionDenied` unless the caller is Owner or Admin, and a person. */
export function requireAdministratingPerson(principal: Principal): void {
  requireAdministrator(principal);
  requirePerson(principal);
}
