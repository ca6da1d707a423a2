import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Actor } from "../actor.ts";
import type { WalletRights } from "../principal.ts";
import {
  type MemberState,
  managingFault,
  memberChangeFault,
  stateOf,
} from "./decide-member-change.ts";
import { readOwnWallets } from "./member.store.ts";
import type { Member } from "./member.ts";

export const memberNameMax = 64;

/** Rejects `invalidValue` for a blank name, or one of more than 64 characters. */
export function assertName(name: string): void {
  if (name.trim() === "" || name.length > memberNameMax)
    reject("invalidValue", `A member's name has 1 to ${memberNameMax} characters.`, {
      pointer: "/data/attributes/name",
    });
}

/**
 * Rejects a change of one of these members as `memberChangeFault` decides; `before` null: the member is new. Lock the members first.
 */
export function assertMemberChange(
  members: readonly Member[],
  actor: Actor,
  before: Member | null,
  after: MemberState,
): void {
  const otherOwners = members.filter(
    ({ id, role, deactivatedAt }) =>
      role === "owner" && deactivatedAt === null && id !== before?.id,
  );
  const fault = memberChangeFault(
    actor === "operator" ? actor : stateOf(memberOf(members, actor.memberId)),
    before === null ? null : stateOf(before),
    after,
    otherOwners.length,
  );
  if (fault === null) return;
  const { name, detail, attribute } = fault;
  if (attribute === null) reject(name, detail);
  reject(name, detail, { pointer: `/data/attributes/${attribute}` });
}

/** Rejects `permissionDenied` unless the actor has every right of the member: a credential or a login of the member grants them all. */
export function assertMayManage(
  members: readonly Member[],
  actor: Actor,
  member: Pick<Member, "role" | "wallets">,
): void {
  if (actor === "operator") return;
  const fault = managingFault(stateOf(memberOf(members, actor.memberId)), member);
  if (fault !== null) reject(fault.name, fault.detail);
}

/** Rejects `invalidValue` for a wallet of another account, exactly as for one that does not exist. */
export async function assertOwnWallets(
  tx: Executor,
  accountId: string,
  wallets: WalletRights,
): Promise<void> {
  if (wallets === "all") return;
  const ids = [...wallets.keys()];
  const own = await readOwnWallets(tx, accountId, ids);
  const index = ids.findIndex((id) => !own.has(id));
  if (index !== -1)
    reject("invalidValue", `The account has no wallet ${ids[index] ?? ""}.`, {
      pointer: `/data/attributes/wallet_grants/${index}/wallet`,
    });
}

function memberOf(members: readonly Member[], id: string): Member {
  return present(
    members.find((member) => member.id === id),
    "the acting member",
  );
}
