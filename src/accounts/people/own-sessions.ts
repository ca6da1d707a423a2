import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import { tokenDigest } from "../tokens/opaque-token.ts";
import type { ClientInfo, PeopleContext } from "./context.ts";
import { endPersonSessions, lockPersonSession, readOpenSessions } from "./person-session.store.ts";
import type { OpenSession } from "./person-session.ts";

const list: MemoryList<OpenSession> = {
  id: (session) => session.id,
  filters: {},
  sort: {
    created_at: (session) => session.createdAt,
    last_used_at: (session) => session.lastUsedAt,
  },
};

/** The caller's active sessions. */
export async function listOwnSessions(
  context: Pick<PeopleContext, "db" | "clock">,
  { accountId, memberId }: Principal,
  query: ListQuery,
): Promise<Page<OpenSession>> {
  const open = await readOpenSessions(context.db, accountId, memberId, context.clock.now());
  return listInMemory(open, list, query);
}

/** Ends the session of a refresh token. Does nothing for an unknown token or an ended session. */
export function signOut(
  context: PeopleContext,
  refreshToken: string,
  from: ClientInfo,
): Promise<void> {
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    const session = await lockPersonSession(tx, tokenDigest(refreshToken));
    if (session === null || session.isEnded) return;
    const { accountId, memberId, number } = session;
    await endPersonSessions(tx, { accountId, memberId, number, except: null }, at);
    await recordAudit(tx, {
      by: { accountId, memberId, ip: from.ip },
      action: "session.closed",
      object: { type: "session", id: number },
      summary: {},
      at,
    });
  });
}

/** Ends one of the caller's sessions. False when the caller has no such active session. */
export async function endOwnSession(
  context: Pick<PeopleContext, "db" | "clock">,
  principal: Principal,
  number: string,
): Promise<boolean> {
  const ended = await endOwn(context, principal, { number, except: null });
  return ended.length > 0;
}

/** Ends all of the caller's sessions except the current one; returns how many. */
export async function endOtherSessions(
  context: Pick<PeopleContext, "db" | "clock">,
  principal: Principal,
): Promise<number> {
  const except = principal.person?.familyId ?? null;
  return (await endOwn(context, principal, { number: null, except })).length;
}

function endOwn(
  context: Pick<PeopleContext, "db" | "clock">,
  principal: Principal,
  which: { readonly number: string | null; readonly except: string | null },
): Promise<readonly string[]> {
  const at = context.clock.now();
  const { accountId, memberId } = principal;
  return context.db.transaction(async (tx) => {
    const ended = await endPersonSessions(tx, { accountId, memberId, ...which }, at);
    if (ended.length > 0)
      await recordAudit(tx, {
        by: principal,
        action: "session.revoked",
        object: null,
        summary: { sessions: ended },
        at,
      });
    return ended;
  });
}
