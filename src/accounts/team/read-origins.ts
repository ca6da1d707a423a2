import type { Executor } from "../../platform/db/database.ts";
import { readCredentialOrigins, readMemberOrigins } from "./origins.store.ts";
import type { Origins } from "./origins.ts";

/** Where the access of everyone in an account comes from. */
export async function readOrigins(db: Executor, accountId: string): Promise<Origins> {
  const [members, credentials] = await Promise.all([
    readMemberOrigins(db, accountId),
    readCredentialOrigins(db, accountId),
  ]);
  return {
    members: new Map(members.map((member) => [member.id, member])),
    credentials: new Map(credentials.map((credential) => [credential.id, credential])),
  };
}
