import { builtInCurrencies } from "../../../src/currencies/built-in-currencies.ts";
import { familyOf } from "../../../src/main/families/families.ts";
import { openFaucet, sandboxFamilyOf } from "../../../src/main/families/sandbox-families.ts";
import { connect } from "../../../src/platform/db/connect.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
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
    const keyspaces = Object.keys(chains).map((chain) => ({
      chain,
      keyspace: familyOf(chain).keyspace.name,
    }));
    await fundTreasury(await readUnfunded(db, keyspaces), (chain) => {
      const site = present(chains[chain], `chain ${chain}`);
      return {
        openFaucet: () => openFaucet(chain, site, world),
        floats: sandboxFamilyOf(chain).floats(site),
        confirmations: confirmationsOf(chain),
      };
    });
    await eventually(
      () => readUnfunded(db, keyspaces),
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
