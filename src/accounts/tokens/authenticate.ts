import type { Database } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { AccessChanges } from "../access-changes.ts";
import { type PrincipalRecord, readPrincipals } from "../principal.store.ts";
import type { Principal } from "../principal.ts";
import type { AccessTokens, Session } from "./access-token.ts";
import { isAllowedFrom } from "./allowed-network.ts";
import { createReusedPrincipals } from "./reused-principals.ts";
import { addressNotAllowed, unauthenticated } from "./unauthenticated.ts";

/**
 * Authenticates a request by its whole `Authorization` header (`Bearer`, RFC 6750; null when absent) and the caller's address. Rejects
 * `unauthenticated` and `addressNotAllowed`.
 */
export type Authenticate = (request: {
  readonly authorization: string | null;
  readonly ip: string;
  /** True only if the request changes nothing: it may then rely on what was read up to 5 s ago. */
  readonly onlyReads: boolean;
}) => Promise<Principal>;

const bearer = /^bearer +([\w.-]+)$/i;

/**
 * The token only identifies the session. Role, wallets and revocation are read from the database on each request; parallel requests
 * share one query. Requests that change nothing reuse what was read about a program in the last 5 s (see `ReusedPrincipals`).
 */
export function createAuthenticate(context: {
  readonly db: Database;
  readonly clock: Clock;
  readonly accessTokens: AccessTokens;
  readonly accessChanges: AccessChanges;
}): Authenticate {
  const reused = createReusedPrincipals(context.clock, context.accessChanges);
  const readFresh = microBatch<Session, PrincipalRecord | null>(
    (sessions) => readDistinct(context.db, sessions),
    { slots: 2, maxSize: 500 },
  );
  const read = async (session: Session, onlyReads: boolean, ip: string) => {
    const known = onlyReads ? reused.find(session) : null;
    if (known !== null && isAllowedFrom(known.allowedNetworks, ip)) return known;
    const mark = reused.mark();
    const found = await readFresh(session);
    if (found !== null) reused.keep(session, found, mark);
    return found;
  };
  return async ({ authorization, ip, onlyReads }) => {
    const token = bearer.exec(authorization?.trim() ?? "")?.[1];
    const session = token === undefined ? null : await context.accessTokens.verify(token);
    const found = session === null ? null : await read(session, onlyReads, ip);
    if (found === null) throw unauthenticated("token");
    if (!isAllowedFrom(found.allowedNetworks, ip)) throw addressNotAllowed();
    return { ...found.principal, ip };
  };
}

/** Parallel requests often come from the same client, so each session is read once. */
async function readDistinct(
  db: Database,
  sessions: readonly Session[],
): Promise<readonly (PrincipalRecord | null)[]> {
  const distinct = [...new Map(sessions.map((session) => [session.familyId, session])).values()];
  const records = await readPrincipals(db, distinct);
  const byFamily = new Map(distinct.map((session, index) => [session.familyId, records[index]]));
  return sessions.map((session) => byFamily.get(session.familyId) ?? null);
}
