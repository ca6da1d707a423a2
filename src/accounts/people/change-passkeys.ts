import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import type { PeopleContext } from "./context.ts";
import { hasFactor, readFactors } from "./factor.store.ts";
import { readPasskeys, removePasskey, storePasskeyName } from "./passkey.store.ts";
import type { Passkey } from "./passkey.ts";
import { replaceRecoveryCodes } from "./recovery-code.store.ts";
import { requireConfirmed, requirePerson } from "./require-person.ts";

const list: MemoryList<Passkey> = {
  id: (passkey) => passkey.id,
  filters: {},
  sort: { created_at: (passkey) => passkey.createdAt },
};

/** The caller's own passkeys. */
export async function listPasskeys(
  context: Pick<PeopleContext, "db">,
  principal: Principal,
  query: ListQuery,
): Promise<Page<Passkey>> {
  requirePerson(principal);
  return listInMemory(await readPasskeys(context.db, principal), list, query);
}

/** Renames one of the caller's passkeys; `name` null keeps the name. Null when the caller has no such passkey. */
export function renamePasskey(
  context: Pick<PeopleContext, "db">,
  principal: Principal,
  id: string,
  name: string | null,
): Promise<Passkey | null> {
  requirePerson(principal);
  return storePasskeyName(context.db, principal, id, name);
}

/** Removes one of the caller's passkeys. False when the caller has no such passkey. Rejects `confirmationDue`. */
export async function removeOwnPasskey(
  context: PeopleContext,
  principal: Principal,
  id: string,
): Promise<boolean> {
  requireConfirmed(context, principal);
  return context.db.transaction(async (tx) => {
    const name = await removePasskey(tx, principal, id);
    if (name === null) return false;
    if (!hasFactor(await readFactors(tx, principal.accountId, principal.memberId)))
      await replaceRecoveryCodes(tx, principal, []);
    await recordAudit(tx, {
      by: principal,
      action: "passkey.removed",
      object: { type: "passkey", id },
      summary: { name },
      at: context.clock.now(),
    });
    return true;
  });
}
