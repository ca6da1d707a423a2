import type { Executor } from "../../platform/db/database.ts";
import { lockMembers, readAllMembers } from "../member.store.ts";
import type { MemberRecord } from "../member-record.ts";
import type { Acting } from "./decide-member.ts";

/** All members, none of whom changes until the transaction ends. */
export async function lockedMembers(
  tx: Executor,
  accountId: string,
): Promise<readonly MemberRecord[]> {
  await lockMembers(tx, accountId);
  return readAllMembers(tx, accountId);
}

/** A member as its rights are judged. */
export function acting({ id, role, wallets, deactivatedAt }: MemberRecord): Acting {
  return { id, role, wallets, isActive: deactivatedAt === null };
}
