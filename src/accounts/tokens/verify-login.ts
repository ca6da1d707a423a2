import { type LoginRecord, readLogin } from "../credentials/credential.store.ts";
import { isAllowedFrom } from "./allowed-network.ts";
import { unmatchableHash, verifyPassword } from "./password-hash.ts";
import type { SessionContext } from "./session-context.ts";
import { addressNotAllowed, unauthenticated } from "./unauthenticated.ts";

/**
 * Verifies a program's login and password. Unknown logins, revoked credentials and wrong passwords reject `unauthenticated` alike, in the
 * same time (unknown logins are verified against a hash that nothing matches). `addressNotAllowed` is revealed only after a correct
 * password.
 */
export async function verifyLogin(
  context: Pick<SessionContext, "db" | "random" | "passwordHashing">,
  login: string,
  password: string,
  ip: string,
): Promise<LoginRecord> {
  // PostgreSQL cannot store NUL, so no login contains it.
  const record = login.includes("\0") ? null : await readLogin(context.db, login);
  const passwordHash =
    record?.passwordHash ?? unmatchableHash(context.passwordHashing, context.random);
  const isRight = await verifyPassword(passwordHash, password);
  if (record === null || !isRight || record.isRevoked) throw unauthenticated("login");
  if (!isAllowedFrom(record.allowedNetworks, ip)) throw addressNotAllowed();
  return record;
}
