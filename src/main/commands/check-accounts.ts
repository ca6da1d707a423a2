import type { AccountReadiness } from "../../chains/paying-port.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { World } from "../../platform/kernel/world.ts";
import { type OwnAddress, readOwnAccounts } from "../../reports/operations/hot-wallet.store.ts";
import type { Config } from "../config/config.ts";
import { currencySettings } from "../config/currency-settings.ts";
import { connectChain } from "../families/connections.ts";
import { familyOf } from "../families/families.ts";
import { withCheckedDatabase } from "./check-database.ts";
import { examine, type Finding, type Found } from "./finding.ts";

/** Checks the account of each chain whose deposits share it. */
export function checkAccounts(config: Config, world: World): readonly Promise<Finding>[] {
  return Object.keys(config.chains)
    .filter((chain) => familyOf(chain).keyTree.sharesAccount === true)
    .map((chain) =>
      examine(`${chain} account`, world.clock, (signal) =>
        checkAccount(config, world, chain, signal),
      ),
    );
}

async function checkAccount(
  config: Config,
  world: World,
  chain: string,
  signal: AbortSignal,
): Promise<Found> {
  const { createQuoter, close } = connectChain(chain, {
    ...world,
    logger: silentLogger,
    config: present(config.chains[chain], `chain ${chain}`),
    currencies: createRegistry(deploymentCurrencies(currencySettings(config)).currencies),
  });
  const { keyspace } = familyOf(chain);
  try {
    return await withCheckedDatabase(config, world.clock, async (db) => {
      const hot = (await readOwnAccounts(db)).find(
        (own) => own.keyspace === keyspace.name && own.purpose === "hot",
      );
      if (hot === undefined) return { detail: "unknown before a worker has run" };
      const readiness = await createQuoter().account?.readiness?.(hot.address, signal);
      return readiness === undefined
        ? { detail: `${hot.address} needs no set-up` }
        : describe(hot, readiness, config);
    });
  } finally {
    await close();
  }
}

function describe(
  { address, tag }: OwnAddress,
  readiness: AccountReadiness,
  { payouts }: Config,
): Found {
  const waits = payouts === undefined ? "" : ". Until then deposits get no addresses";
  const under = tag === null ? "" : ` under the tag ${tag}`;
  switch (readiness) {
    case "ready":
      return { detail: `${address} exists and is set up` };
    case "needsSetUp":
      return {
        detail: `${address} exists`,
        notes: [
          payouts === undefined
            ? "it is not set up: without payouts, nothing is signed"
            : `it is not set up yet: a worker sends the transaction${waits}`,
        ],
      };
    case "needsFunds":
      return {
        detail: `${address} exists`,
        notes: [`it has too little to set itself up: send more of your own money${under}${waits}`],
      };
    case "missing":
      return {
        detail: `${address} does not exist yet`,
        notes: [`send your own money to it${under}, at least the chain's reserve${waits}`],
      };
  }
}
