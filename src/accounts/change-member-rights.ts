import { reject } from "../platform/kernel/rejection.ts";
import { storeGrants, storeMemberRights } from "./account.store.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { walletsInWords } from "./audit/wallets-in-words.ts";
import type { AccountsContext } from "./context.ts";
import type { Role, WalletRights } from "./principal.ts";

/**
 * As the operator, gives a member another role and, where they are named, other wallets; from the member's next request on they count.
 * Rejects `notFound`.
 */
export function changeMemberRights(
  context: Pick<AccountsContext, "db" | "clock">,
  member: {
    readonly accountId: string;
    readonly memberId: string;
    readonly role: Role;
    /** Null: those that it has. */
    readonly wallets: WalletRights | null;
  },
): Promise<void> {
  const { wallets } = member;
  return context.db.transaction(async (tx) => {
    const isKnown = await storeMemberRights(tx, {
      accountId: member.accountId,
      memberId: member.memberId,
      role: member.role,
      seesAllWallets: wallets === null ? null : wallets === "all",
    });
    if (!isKnown) reject("notFound", `The account has no member ${member.memberId}.`);
    if (wallets !== null) {
      const grants = wallets === "all" ? new Map<string, never>() : wallets;
      await storeGrants(tx, member.accountId, member.memberId, grants);
    }
    await recordAudit(tx, {
      by: { accountId: member.accountId },
      action: "member.changed",
      object: { type: "member", id: member.memberId },
      summary: {
        role: member.role,
        ...(wallets === null ? {} : { wallets: walletsInWords(wallets) }),
      },
      at: context.clock.now(),
    });
  });
}
