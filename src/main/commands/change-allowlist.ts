import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { lockOwnAccount } from "../../accounts/lock-own-account.ts";
import { addPayee, removePayee, setAllowlistOnly } from "../../payouts/controls/controls.store.ts";
import { supersedeChanges } from "../../payouts/protection/protection-change.store.ts";
import { allowlistSubject, payeeSubject } from "../../payouts/protection/protection-change.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { payeeAddressing } from "../build/payee-addressing.ts";
import type { CommandContext } from "./command-context.ts";
import { withDeployment } from "./with-deployment.ts";
import { withKnownAccount } from "./with-known-account.ts";

/**
 * `sluice payee add|remove ACCOUNT CHAIN ADDRESS`: changes an account's allowlist. Rejects addresses that are invalid
 * on the chain. An address that contains its tag (an X-address, an M-address) is the address with that tag.
 */
export async function changeAllowlist(
  configFile: string,
  options: {
    readonly change: "add" | "remove";
    readonly accountId: string;
    readonly chain: string;
    readonly address: string;
    readonly tag: string | null;
    readonly label: string;
  },
  context: CommandContext,
): Promise<void> {
  const { accountId, chain, label } = options;
  await withDeployment(configFile, context, async (foundation) => {
    const { db, clock } = foundation;
    const destination =
      payeeAddressing(foundation, chain)?.parse(options.address, options.tag) ?? null;
    if (destination === null)
      throw new Error(`${options.address} is not a valid address on ${chain}`);
    // Also a tag that the address contains, in the spelling that payouts are compared with.
    const { address, tag } = destination;
    const payee = { accountId, chain, address, tag };
    const at = clock.now();
    await withKnownAccount(accountId, () =>
      db.transaction(async (tx) => {
        await lockOwnAccount(tx, accountId);
        await supersedeChanges(tx, accountId, payeeSubject(payee), at);
        if (options.change === "add") await addPayee(tx, payee, label, at);
        else if (!(await removePayee(tx, payee)))
          throw new Error(`account ${accountId} has no such allowlisted address`);
        await recordAudit(tx, {
          by: { accountId },
          at,
          object: null,
          action: options.change === "add" ? "payee.added" : "payee.removed",
          summary: { chain, address, tag },
        });
      }),
    );
    const done = options.change === "add" ? "added to" : "removed from";
    const shown = tag === null ? address : `${address} with tag ${tag}`;
    context.print(`${shown} ${done} the allowlist of account ${accountId}`);
  });
}

/** `sluice book-only ACCOUNT on|off`: restricts an account's payouts to allowlisted addresses, or lifts the restriction. */
export async function setAllowlistMode(
  configFile: string,
  options: { readonly accountId: string; readonly isAllowlistOnly: boolean },
  context: CommandContext,
): Promise<void> {
  const { accountId, isAllowlistOnly } = options;
  await withDeployment(configFile, context, async ({ db, clock }) => {
    const isThere =
      isObjectId(accountId) &&
      (await db.transaction(async (tx) => {
        await lockOwnAccount(tx, accountId);
        await supersedeChanges(tx, accountId, allowlistSubject, clock.now());
        if (!(await setAllowlistOnly(tx, accountId, isAllowlistOnly))) return false;
        await recordAudit(tx, {
          by: { accountId },
          action: "account.changed",
          at: clock.now(),
          object: { type: "account", id: accountId },
          summary: { pays_to_its_address_book_only: isAllowlistOnly },
        });
        return true;
      }));
    if (!isThere) throw new Error(`Account ${accountId} does not exist`);
    context.print(
      `Account ${accountId} can pay ${isAllowlistOnly ? "allowlisted addresses only" : "any address"}`,
    );
  });
}
