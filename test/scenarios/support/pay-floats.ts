import { builtInCurrencies } from "../../../src/currencies/built-in-currencies.ts";
import { familyOf } from "../../../src/main/families/families.ts";
import { connect } from "../../../src/platform/db/connect.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { readUnfunded } from "../../../src/reports/operations/operations.store.ts";
import { fundTreasury } from "../../../src/sandbox/fund-treasury.ts";
import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";
import { eventually } from "../../support/eventually.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

/**
 * Funds a deployment's own accounts for payouts, as its operator would: pays the addresses that it lists the amounts that a
 * sandbox has. Resolves when everything is booked.
 */
export async function payFloats(
  databaseUrl: string,
  chains: Readonly<Record<string, SandboxChain>>,
): Promise<void> {
  const db = connect({
    url: databaseUrl,
    clock: systemClock,
    logger: silentLogger,
    statementConnections: 1,
    transactionConnections: 1,
  });
  try {
    const unfunded = await readUnfunded(db);
    const addresses = Object.keys(chains).flatMap((chain) =>
      unfunded
        .filter(({ keyspace }) => keyspace === familyOf(chain).keyspace.name)
        .map(({ address, purpose }) => ({ chain, address, purpose })),
    );
    await fundTreasury(addresses, chains, confirmationsOf, world);
    await eventually(
      () => readUnfunded(db),
      (left) => left.length === 0,
      300,
    );
  } finally {
    await db.close();
  }
}

function confirmationsOf(chain: string): number {
  const own = builtInCurrencies.filter((currency) => currency.chain === chain);
  return Math.max(...own.map(({ confirmationBlocks }) => confirmationBlocks));
}
