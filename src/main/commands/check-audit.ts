import { verifyAudit } from "../../accounts/audit/read-audit.ts";
import { connect } from "../../platform/db/connect.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { Config } from "../config/config.ts";
import { examine, type Finding } from "./finding.ts";

/** Verifies the hash chain of every account's audit log. Prints the heads, which can be stored where nobody can rewrite them. */
export function checkAudit(config: Config, world: World): Promise<Finding> {
  return examine("audit logs", world.clock, async () => {
    const db = connect({
      url: config.database.url,
      clock: world.clock,
      logger: silentLogger,
      applicationName: "sluice check",
    });
    try {
      const verdicts = await verifyAudit(db);
      const faults = verdicts.flatMap(({ accountId, fault }) =>
        fault === null ? [] : [`account ${accountId}: ${fault}`],
      );
      if (faults.length > 0) throw new Error(faults.join("; "));
      return {
        detail: `the hash chains of ${verdicts.length} accounts are intact`,
        notes: verdicts
          .filter(({ entries }) => entries > 0)
          .map(
            ({ accountId, entries, head }) =>
              `account ${accountId}: ${entries} entries, head ${head}`,
          ),
      };
    } finally {
      await db.close();
    }
  });
}
