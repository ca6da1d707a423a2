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
  const { createQuoter, countLenders, readClaimable, close } = await connectChain(chain, {
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
      if (readiness === undefined) return { detail: `${hot.address} needs no set-up` };
      const claimable = (await readClaimable?.(hot.address, signal)) ?? [];
      const found = withClaimable(describe(hot, readiness, config), claimable);
      const lenders =
        readiness === "missing" ? undefined : await countLenders?.(hot.address, signal);
      return lenders === undefined ? found : withChannels(found, config.chains[chain], lenders);
    });
  } finally {
    await close();
  }
}

const shownMax = 3;

/** Adds what the account could claim. The service leaves it: anyone can create such amounts, and taking them costs fees. */
function withClaimable(found: Found, claimable: readonly string[]): Found {
  if (claimable.length === 0) return found;
  const [first, more] = [claimable.slice(0, shownMax), claimable.length - shownMax];
  const listed = `${first.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const note = `it could claim ${listed}: nothing of that counts before a wallet claims it with the account's key`;
  return { ...found, notes: [...(found.notes ?? []), note] };
}

/** Adds how many of the configured channels there are, and whether the account can keep the reserve of the others. */
function withChannels(
  found: Found,
  chain: Config["chains"][string] | undefined,
  { made, affordable }: { readonly made: number; readonly affordable: number },
): Found {
  const wanted = chain?.channels ?? 0;
  const missing = wanted - made;
  const short = missing - affordable;
  const notes =
    missing <= 0
      ? []
      : [
          short > 0
            ? `it lacks the reserve of ${short} channels: send ${short} XLM more of your own money`
            : "a worker makes the other channels",
        ];
  return {
    ...found,
    detail: `${found.detail}; ${made} of ${wanted} channels`,
    notes: [...(found.notes ?? []), ...notes],
  };
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
    case "unauthorized":
      return {
        detail: `${address} exists and is set up`,
        notes: [
          "the issuer of a token has not authorized the account to hold the token: payments in it fail, and its payouts wait. Ask the issuer to authorize the account",
        ],
      };
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
