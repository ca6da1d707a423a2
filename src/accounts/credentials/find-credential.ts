import type { Executor } from "../../platform/db/database.ts";
import { type Actor, assertAdministrator, type Target } from "../actor.ts";
import { assertAccountExists } from "../assert-account-exists.ts";
import { readCredential, readCredentials } from "./credential.store.ts";
import type { Credential } from "./credential.ts";

/**
 * The account's credentials, revoked ones included, oldest first. Rejects `permissionDenied` unless the actor administers the account,
 * `notFound` for an unknown account.
 */
export async function listCredentials(
  { db }: { readonly db: Executor },
  actor: Actor,
  accountId: string,
): Promise<readonly Credential[]> {
  assertAdministrator(actor, accountId);
  await assertAccountExists(db, accountId);
  return readCredentials(db, accountId);
}

/** The credential with this id; null when the account has none. Rejects `permissionDenied` as `listCredentials` does. */
export function findCredential(
  { db }: { readonly db: Executor },
  actor: Actor,
  { accountId, id }: Target,
): Promise<Credential | null> {
  assertAdministrator(actor, accountId);
  return readCredential(db, accountId, id);
}
