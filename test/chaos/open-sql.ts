import { connect } from "../../src/platform/db/connect.ts";
import type { SqlValue } from "../../src/platform/db/database.ts";
import { assembledStatement } from "../../src/platform/db/list-query.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";

/** Any SQL; numerics come as bigint, ids as text. */
export type Sql = <Row>(text: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>;

/** The checks at the end of a run read whole tables, on a machine that other programs use too. */
const statementMsMax = 30 * 60_000;

/** Longer than a failover takes on such a machine. */
const awaySecondsMax = 180;

/** Every statement only reads. One that meets a database that is away, as during a failover, is repeated. */
export function openSql(url: string): { readonly sql: Sql; readonly close: () => Promise<void> } {
  const db = connect({
    url,
    clock: systemClock,
    logger: silentLogger,
    statementTimeoutMs: statementMsMax,
  });
  return {
    sql: async (text, values) => {
      const statement = assembledStatement<never>("chaos", text);
      const giveUpAt = addSeconds(systemClock.now(), awaySecondsMax);
      for (;;) {
        try {
          return await db.query(statement, values ?? []);
        } catch (error) {
          if (!(error instanceof Unavailable) || systemClock.now() > giveUpAt) throw error;
          await systemClock.sleep(1_000);
        }
      }
    },
    close: () => db.close(),
  };
}
