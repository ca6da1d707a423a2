import type { Executor } from "../../platform/db/database.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { readAllMembers, readMember } from "../member.store.ts";
import type { MemberRecord } from "../member-record.ts";
import type { Principal } from "../principal.ts";
import { requireAdministrator } from "./require-administrator.ts";

const list: MemoryList<MemberRecord> = {
  id: (member) => member.id,
  filters: {
    role: (member, text) => member.role === text,
    is_active: (member, text) => (member.deactivatedAt === null) === /^(true|1)$/i.test(text),
    name: (member, text) => member.name.toLowerCase().includes(text.toLowerCase()),
  },
  sort: {
    name: (member) => member.name,
    created_at: (member) => member.createdAt,
    role: (member) => member.role,
  },
};

/** Who acts for the account. Rejects `permissionDenied` unless the caller is Owner or Admin. */
export async function listTeam(
  context: { readonly db: Executor },
  principal: Principal,
  query: ListQuery,
): Promise<Page<MemberRecord>> {
  requireAdministrator(principal);
  return listInMemory(await readAllMembers(context.db, principal.accountId), list, query);
}

/** One of them; null when the account has none of that id. */
export function findTeamMember(
  context: { readonly db: Executor },
  principal: Principal,
  id: string,
): Promise<MemberRecord | null> {
  requireAdministrator(principal);
  return readMember(context.db, principal.accountId, id);
}
