import { present } from "../platform/kernel/assert.ts";
import { storeGrants, storeMember } from "./account.store.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { walletsInWords } from "./audit/wallets-in-words.ts";
import type { AccountsContext } from "./context.ts";
import type { Role, WalletRights } from "./principal.ts";

export type NewMember = {
  readonly accountId: string;
  readonly name: string;
  readonly role: Role;
  /** `"all"`, or the wallets granted by id. */
  readonly wallets: WalletRights;
};

/** As the operator, adds someone (a person or a system) who acts for the account; returns the member's id. */
export function createMember(
  context: Pick<AccountsContext, "db" | "clock">,
  member: NewMember,
): Promise<string> {
  const { accountId, name, role, wallets } = member;
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    const id = present(
      await storeMember(tx, {
        accountId,
        name,
        role,
        seesAllWallets: wallets === "all",
        createdAt: at,
        createdByMemberId: null,
      }),
      "a new member's id",
    );
    if (wallets !== "all") await storeGrants(tx, accountId, id, wallets);
    await recordAudit(tx, {
      by: { accountId },
      action: "member.created",
      object: { type: "member", id },
      summary: { name, role, wallets: walletsInWords(wallets) },
      at,
    });
    return id;
  });
}
