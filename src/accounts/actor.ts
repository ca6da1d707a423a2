import { assert } from "../platform/kernel/assert.ts";
import { accountAdministratorsOnly, administratorsOnly } from "./administrators-only.ts";
import type { AuditActor } from "./audit/record-audit.ts";
import type { AccountsContext } from "./context.ts";
import type { PeopleSettings } from "./people/context.ts";
import { requireConfirmed, requirePerson } from "./people/require-person.ts";
import type { Principal } from "./principal.ts";

/** Who administers an account: one of its members over HTTP, or the deployment's operator at the command line. */
export type Actor = Principal | "operator";

/** What members, credentials and the webhook secret are administered with. */
export type AdministrationContext = AccountsContext & {
  readonly people: Omit<PeopleSettings, "isSandbox">;
};

/** An account and one of its members or credentials. */
export type Target = { readonly accountId: string; readonly id: string };

/** An object of the caller's account. */
export function ownTarget({ accountId }: Principal, id: string): Target {
  return { accountId, id };
}

const administration =
  "Only an Owner or Admin may view and change members, credentials and the webhook secret.";
const assertOwnerOrAdmin = administratorsOnly(administration);
const assertSeesAllWallets = accountAdministratorsOnly(administration);

/** Rejects `permissionDenied` unless the actor is the operator, or an Owner or Admin. */
export function assertAdministrator(actor: Actor, accountId: string): void {
  if (actor === "operator") return;
  assert(actor.accountId === accountId, "members administer their own account");
  assertOwnerOrAdmin(actor);
}

/**
 * Rejects `permissionDenied` unless the actor is the operator, or an Owner or Admin who sees all wallets. For what signs the callbacks of
 * all wallets.
 */
export function assertAccountAdministrator(actor: Actor): void {
  if (actor !== "operator") assertSeesAllWallets(actor);
}

/** Rejects `permissionDenied` unless the actor is the operator, or an Owner or Admin who signed in as a person. */
export function assertAdministratingPerson(actor: Actor, accountId: string): void {
  assertAdministrator(actor, accountId);
  if (actor !== "operator") requirePerson(actor);
}

/**
 * Rejects `permissionDenied` as `assertAdministratingPerson` does, and `confirmationDue` unless the person entered a password or second
 * factor within the last minutes.
 */
export function assertConfirmedAdministrator(
  context: Pick<AdministrationContext, "clock" | "people">,
  actor: Actor,
  accountId: string,
): void {
  assertAdministrator(actor, accountId);
  if (actor !== "operator") requireConfirmed(context, actor);
}

/** The actor as the account's audit log records it. */
export function auditActor(actor: Actor, accountId: string): AuditActor {
  return actor === "operator" ? { accountId } : actor;
}

/** The id of the member who acts; null: the operator. */
export function actingMemberId(actor: Actor): string | null {
  return actor === "operator" ? null : actor.memberId;
}
