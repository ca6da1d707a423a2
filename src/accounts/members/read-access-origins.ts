import type { Executor } from "../../platform/db/database.ts";
import { readCredentialOrigins, readMemberOrigins } from "./access-origins.store.ts";
import type { AccessOrigins } from "./access-origins.ts";

/** Who gave each member and credential of an account its access. */
export async function readAccessOrigins(db: Executor, accountId: string): Promise<AccessOrigins> {
  const [members, credentials] = await Promise.all([
    readMemberOrigins(db, accountId),
    readCredentialOrigins(db, accountId),
  ]);
  return {
    members: new Map(members.map((member) => [member.id, member])),
    credentials: new Map(credentials.map((credential) => [credential.id, credential])),
  };
}
