import { type AuditRecord, recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Payout } from "../payout.ts";

/**
 * Writes down the payouts that people made in a browser, and what operators returned by one. Those of programs are not written down: their rows say who made them, and
 * the log takes one transaction of an account after the other, which a program's thousands would wait for.
 */
export async function auditCreations(
  tx: Executor,
  made: readonly {
    readonly person: Principal | null;
    readonly after: Payout;
    readonly further: readonly AuditRecord[];
  }[],
  now: Instant,
): Promise<void> {
  const [first, ...others] = made.flatMap(({ person, after, further }): readonly AuditRecord[] =>
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
