import { administratorsOnly } from "../administrators-only.ts";
import { requirePerson } from "../people/require-person.ts";
import type { Principal } from "../principal.ts";

/** Rejects `permissionDenied` unless the caller is Owner or Admin. */
export const requireAdministrator = administratorsOnly(
  "Only an Owner or Admin may see and change who acts for the account.",
);

/** Rejects `permissionDenied` unless the caller is Owner or Admin, and a person. */
export function requireAdministratingPerson(principal: Principal): void {
  requireAdministrator(principal);
  requirePerson(principal);
}
