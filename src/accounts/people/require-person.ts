import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { PersonSession, Principal } from "../principal.ts";
import type { PeopleContext, PeopleSettings } from "./context.ts";

type ConfirmationSettings = { readonly people: Pick<PeopleSettings, "confirmationSeconds"> };

/** The person's session. Rejects `permissionDenied` for programs. */
export function requirePerson({ person }: Principal): PersonSession {
  return (
    person ??
    reject("permissionDenied", "Sign in to the dashboard to do this. A program's credential can't.")
  );
}

/**
 * The person's session. Rejects `permissionDenied` for programs, and `confirmationDue` unless the person signed in or used
 * `POST /session/confirm/` within the last minutes.
 */
export function requireConfirmed(
  context: Pick<PeopleContext, "clock"> & ConfirmationSettings,
  principal: Principal,
): PersonSession {
  const person = requirePerson(principal);
  if (confirmedUntil(context, person) <= context.clock.now())
    reject("confirmationDue", "Enter your password or second factor again.");
  return person;
}

/**
 * Rejects `permissionDenied` while the person's password is an initial one. The member who gave it out may be signed in with it, and what
 * that member set up would still lead into the person's access after the password is changed.
 */
export function assertOwnPassword({ hasInitialPassword }: PersonSession): void {
  if (hasInitialPassword)
    reject("permissionDenied", "Change your initial password first. Someone else has seen it.");
}

/** Until when the person's identity counts as confirmed. */
export function confirmedUntil({ people }: ConfirmationSettings, person: PersonSession): Instant {
  return addSeconds(person.confirmedAt, people.confirmationSeconds);
}
