import { assertAccountExists } from "../../accounts/assert-account-exists.ts";
import { decideAsOperator } from "../../payouts/protection/decide-change.ts";
import { describeChange } from "../../payouts/protection/describe-change.ts";
import { readWaitingChanges } from "../../payouts/protection/protection-change.store.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { CommandContext } from "./command-context.ts";
import { printTable } from "./print-table.ts";
import { withDeployment } from "./with-deployment.ts";

/** `sluice protection list ACCOUNT`: prints the changes of limits and allowlist that wait for approval. */
export async function listProtectionChanges(
  configFile: string,
  { accountId }: { readonly accountId: string },
  context: CommandContext,
): Promise<void> {
  await withDeployment(configFile, context, async ({ db, currencies }) => {
    await assertAccountExists(db, accountId);
    const changes = await readWaitingChanges(db, accountId);
    if (changes.length === 0) {
      context.print(`No change of account ${accountId} waits.`);
      return;
    }
    printTable(context, [
      ["CHANGE", "ASKED BY", "APPLIES", "WHAT"],
      ...changes.map((change) => [
        change.id,
        change.createdByName,
        change.appliesAt === null ? "once approved" : formatTimestamp(change.appliesAt),
        describeChange(change, currencies),
      ]),
    ]);
  });
}

/** `sluice protection approve|reject ACCOUNT CHANGE`: decides a waiting change as the operator. */
export async function decideProtectionChange(
  configFile: string,
  options: {
    readonly accountId: string;
    readonly id: string;
    readonly decision: "approve" | "reject";
  },
  context: CommandContext,
): Promise<void> {
  const { accountId, id, decision } = options;
  const status = decision === "approve" ? "applied" : "rejected";
  await withDeployment(configFile, context, async (foundation) => {
    const change = isObjectId(id)
      ? await decideAsOperator(foundation, accountId, id, status)
      : null;
    if (change === null) throw new Error(`Account ${accountId} has no change ${id}`);
    const what = describeChange(change, foundation.currencies);
    context.print(`Change ${id} ${status}: ${what}`);
  });
}
