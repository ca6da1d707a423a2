import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import type { Principal } from "../principal.ts";
import type { PeopleContext } from "./context.ts";
import { readOpenSessions } from "./person-session.store.ts";
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
