import { verifyAudit } from "../../accounts/audit/read-audit.ts";
import { isPayable } from "../../currencies/currency.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { findUncoveredPayouts } from "../../ledger/commission.store.ts";
import { listPauses } from "../../payouts/controls/pause.store.ts";
import { pauseKindNames } from "../../payouts/controls/pause.ts";
import { connect } from "../../platform/db/connect.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { readDatabaseHosts } from "../../platform/db/database-hosts.ts";
import { encodingFault } from "../../platform/db/encoding-fault.ts";
import { inspectDatabase } from "../../platform/db/inspect-database.ts";
import { inspectReplica } from "../../platform/db/inspect-replica.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { readReconciliation } from "../../reports/operations/operations.store.ts";
import type { Config } from "../config/config.ts";
import { currencySettings } from "../config/currency-settings.ts";
import { examine, type Finding, type Found } from "./finding.ts";

/** Reports whether the database accepts writes, stores all text, and has this version's schema. */
export function checkDatabase({ database }: Config, clock: Clock): Promise<Finding> {
  return examine(itemOf(database.url), clock, async () => {
    const { version, encoding, isStandby, pending, altered } = await inspectDatabase(database.url);
    if (isStandby) throw new Error("it is a standby and accepts no writes");
    const fault = encodingFault(encoding);
    if (fault !== null) throw new Error(fault);
    if (altered.length > 0)
      throw new Error(`its schema differs from this version's: ${altered.join(", ")}`);
    if (pending.length > 0)
      throw new Error(`${pending.length} migrations are pending: run \`sluice migrate\``);
    return { detail: `PostgreSQL ${version}, schema up to date` };
  });
}

/** Reports whether the replica, if there is one, replays the primary's log. */
export function checkReplica({ database }: Config, clock: Clock): readonly Promise<Finding>[] {
  const { replica, url } = database;
  if (replica === undefined) return [];
  return [
    examine(itemOf(replica.url).replace("database", "replica"), clock, async () => {
      const { version, isStandby, isOfPrimary, lagBytes } = await inspectReplica(url, replica.url);
      if (!isStandby) throw new Error("it is no standby: lists are read from the primary");
      if (isOfPrimary === false)
        throw new Error("it follows another primary, or an earlier life of this one");
      const notes = isOfPrimary === null ? ["no worker has marked the database yet"] : [];
      return { detail: `PostgreSQL ${version}, ${lagBytes} bytes behind the primary`, notes };
    }),
  ];
}

/** Host and name of the database. Text that is not a URL is not printed, because it may hold anything. */
function itemOf(url: string): string {
  const { urls } = readDatabaseHosts(url);
  if (!urls.every((one) => URL.canParse(one))) return "database";
  const hosts = urls.map((one) => new URL(one).host).join(",");
  return `database ${hosts}${new URL(urls[0]).pathname}`;
}

/** Runs one check with a connection of its own, which it closes. */
export async function withCheckedDatabase(
  { database }: Config,
  clock: Clock,
  check: (db: Database) => Promise<Found>,
): Promise<Found> {
  const db = connect({
    url: database.url,
    clock,
    logger: silentLogger,
    applicationName: "sluice check",
  });
  try {
    return await check(db);
  } finally {
    await db.close();
  }
}

/** Reports whether ledger and chains agreed at the last comparison, and whether payouts are paused. */
export function checkBooks(config: Config, clock: Clock): Promise<Finding> {
  return examine("books", clock, () =>
    withCheckedDatabase(config, clock, (db) => compareBooks(db, clock.now())),
  );
}

async function compareBooks(db: Executor, now: Instant): Promise<Found> {
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

/** Verifies the hash chain of every account's audit log. Prints the heads, which can be stored where nobody can rewrite them. */
export function checkAudit(config: Config, clock: Clock): Promise<Finding> {
  return examine("audit logs", clock, () =>
    withCheckedDatabase(config, clock, async (db) => {
      const verdicts = await verifyAudit(db);
      const faults = verdicts.flatMap(({ accountId, fault }) =>
        fault === null ? [] : [`account ${accountId}: ${fault}`],
      );
      if (faults.length > 0) throw new Error(faults.join("; "));
      const notes = verdicts.flatMap(({ accountId, entries, head }) =>
        entries > 0 ? [`account ${accountId}: ${entries} entries, head ${head}`] : [],
      );
      return { detail: `the hash chains of ${verdicts.length} accounts are intact`, notes };
    }),
  );
}

/**
 * When the operator pays token fees: checks that each account's commission has a fixed part or a minimum for each token. Without
 * one, tiny payouts burn the operator's coin at no cost to the account.
 */
export function checkTokenFees(config: Config, clock: Clock): readonly Promise<Finding>[] {
  if (config.payouts?.token_fees !== "operator") return [];
  const tokens = deploymentCurrencies(currencySettings(config)).currencies.filter(
    (currency) =>
      currency.kind === "token" &&
      isPayable(currency) &&
      Object.hasOwn(config.chains, currency.chain ?? ""),
  );
  const ids = tokens.map(({ id }) => id);
  return [
    examine("token fees", clock, () =>
      withCheckedDatabase(config, clock, async (db) => {
        const found = new Set(await findUncoveredPayouts(db, ids));
        const names = tokens.filter(({ id }) => found.has(id)).map(({ alpha }) => alpha);
        const note = `accounts pay out ${names.join(", ")} at the operator's expense: no commission minimum covers the fee. Set one (\`sluice commission payout\`), or set payouts.token_fees = "wallet"`;
        return { detail: "paid by the operator", notes: names.length === 0 ? [] : [note] };
      }),
    ),
  ];
}
