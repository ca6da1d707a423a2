import type { Executor } from "../../platform/db/database.ts";
import { type Actor, assertAdministrator, type Target } from "../actor.ts";
import { assertAccountExists } from "../assert-account-exists.ts";
import { readMember, readMembers } from "./member.store.ts";
import type { Member } from "./member.ts";

/**
 * The account's members, deactivated ones included, oldest first. Rejects `permissionDenied` unless the actor administers the account,
 * `notFound` for an unknown account.
 */
export async function listMembers(
  { db }: { readonly db: Executor },
  actor: Actor,
  accountId: string,
): Promise<readonly Member[]> {
  assertAdministrator(actor, accountId);
  await assertAccountExists(db, accountId);
  return readMembers(db, accountId);
}

/** The member with this id; null when the account has none. Rejects `permissionDenied` as `listMembers` does. */
export function findMember(
  { db }: { readonly db: Executor },
  actor: Actor,
  { accountId, id }: Target,
): Promise<Member | null> {
  assertAdministrator(actor, accountId);
  return readMember(db, accountId, id);
}
