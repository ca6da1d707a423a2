import { listPauses } from "../../payouts/controls/pause.store.ts";
import { pauseKindNames } from "../../payouts/controls/pause.ts";
import { connect } from "../../platform/db/connect.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import type { World } from "../../platform/kernel/world.ts";
import { readReconciliation } from "../../reports/operations/operations.store.ts";
import type { Config } from "../config/config.ts";
import { examine, type Finding } from "./finding.ts";

/** Reports whether ledger and chains agreed at the last comparison, and whether payouts are paused. */
export function checkBooks(config: Config, world: World): Promise<Finding> {
  return examine("books", world.clock, async () => {
    const db = connect({
      url: config.database.url,
      clock: world.clock,
      logger: silentLogger,
      applicationName: "sluice check",
    });
    try {
      return await compareBooks(db, world.clock.now());
    } finally {
      await db.close();
    }
  });
}

async function compareBooks(
  db: Executor,
  now: Instant,
): Promise<{ readonly detail: string; readonly notes: readonly string[] }> {
  const compared = await readReconciliation(db);
  const differing = compared.filter(({ differs_since }) => differs_since !== null);
  if (differing.length > 0) {
    const found = differing.map(
      ({ chain, currency, ledger_units, chain_units }) =>
        `${chain} currency ${currency}: ${ledger_units} in the ledger, ${chain_units} on the chain`,
    );
    throw new Error(`ledger and chain differ: ${found.join("; ")}`);
  }
  const pauses = await listPauses(db, now);
  return {
    detail: `${compared.length} currencies compared with their chains, no differences`,
    notes: pauses.map(
      ({ kind, scope, reason, since }) =>
        `payouts are paused by ${pauseKindNames[kind]} (${scope}) since ${formatTimestampOrNull(since) ?? "the start"}: ${reason}`,
    ),
  };
}
