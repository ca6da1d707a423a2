import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { PersonSession, Principal } from "../principal.ts";
import type { PeopleContext, PeopleSettings } from "./context.ts";

type ConfirmationSettings = { readonly people: Pick<PeopleSettings, "confirmationSeconds"> };

/** Rejects `permissionDenied` for programs: who may act for an account is decided by people who signed in. */
export function requirePerson({ person }: Principal): PersonSession {
  return (
    person ??
    reject("permissionDenied", "This takes a person's session; a program's credential may not.")
  );
}

/**
 * Rejects `permissionDenied` for programs, and `confirmationDue` unless the person has proved who they are within minutes: by signing
 * in, or by `POST /session/confirm/`.
 */
export function requireConfirmed(
  context: Pick<PeopleContext, "clock"> & ConfirmationSettings,
  principal: Principal,
): PersonSession {
  const person = requirePerson(principal);
  if (confirmedUntil(context, person) <= context.clock.now())
    reject("confirmationDue", "Give your password or second factor again first.");
  return person;
}

/** Until when the session's person need not prove anything again. */
export function confirmedUntil({ people }: ConfirmationSettings, person: PersonSession): Instant {
  return addSeconds(person.confirmedAt, people.confirmationSeconds);
}
