import { type LoginRecord, readLogin } from "../credentials/credential.store.ts";
import { isAllowedFrom } from "./allowed-network.ts";
import { unmatchableHash, verifyPassword } from "./password-hash.ts";
import type { SessionContext } from "./session-context.ts";
import { addressNotAllowed, unauthenticated } from "./unauthenticated.ts";

/**
 * Checks login and password. Rejects `unauthenticated` for a login that is unknown or revoked as for a wrong password,
 * in the same time (an unknown login is checked against a hash that nothing matches), and `addressNotAllowed` only
 * to who knows the password.
 */
export async function verifyLogin(
  context: Pick<SessionContext, "db" | "random" | "passwordHashing">,
  login: string,
  password: string,
  ip: string,
): Promise<LoginRecord> {
  // PostgreSQL's text holds no NUL, so no login does.
  const record = login.includes("\0") ? null : await readLogin(context.db, login);
  const passwordHash =
    record?.passwordHash ?? unmatchableHash(context.passwordHashing, context.random);
  const isRight = await verifyPassword(passwordHash, password);
  if (record === null || !isRight || record.isRevoked) throw unauthenticated();
  if (!isAllowedFrom(record.allowedNetworks, ip)) throw addressNotAllowed();
  return record;
}
