import { type AuditRecord, recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Payout } from "../payout.ts";

/**
 * Records payouts created in the dashboard, and returns made by operators, in the audit log. Payouts of programs are
 * left out: their rows name the creator, and the log serializes an account's transactions, which would slow down
 * programs that create thousands.
 */
export async function auditCreations(
  tx: Executor,
  created: readonly {
    readonly person: Principal | null;
    readonly after: Payout;
    readonly further: readonly AuditRecord[];
  }[],
  now: Instant,
): Promise<void> {
  const [first, ...others] = created.flatMap(
    ({ person, after, further }): readonly AuditRecord[] =>
      person === null
        ? further
        : [
            ...further,
            {
              by: person,
              action: "payout.created",
              at: now,
              object: { type: "payout", id: after.id },
              summary: { wallet: after.walletId, stage: after.stage },
            },
          ],
  );
  if (first !== undefined) await recordAudit(tx, first, ...others);
}
