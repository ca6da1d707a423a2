import { connect } from "../../src/platform/db/connect.ts";
import type { SqlValue } from "../../src/platform/db/database.ts";
import { assembledStatement } from "../../src/platform/db/list-query.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

/** Any SQL; numerics come as bigint, ids as text. */
export type Sql = <Row>(text: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>;

/** The checks at the end of a run read whole tables, on a machine that other programs use too. */
const statementMsMax = 30 * 60_000;

export function openSql(url: string): { readonly sql: Sql; readonly close: () => Promise<void> } {
  const db = connect({
    url,
    clock: systemClock,
    logger: silentLogger,
    statementTimeoutMs: statementMsMax,
  });
  return {
    sql: (text, values) => db.query(assembledStatement("chaos", text), values ?? []),
    close: () => db.close(),
  };
}
