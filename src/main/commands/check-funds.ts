import type { ChainActivator } from "../../chains/chain-adapter.ts";
import { amountText } from "../../currencies/amount-text.ts";
import { type Currency, coinAmong } from "../../currencies/currency.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { type CurrencyRegistry, createRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { World } from "../../platform/kernel/world.ts";
import { readCoinLevels, readOwnAccounts } from "../../reports/operations/hot-wallet.store.ts";
import { readUnfunded } from "../../reports/operations/operations.store.ts";
import { deriveKeys } from "../../signer/keys/derive-keys.ts";
import { signerKeys } from "../build/signer-settings.ts";
import type { Config } from "../config/config.ts";
import { currencySettings } from "../config/currency-settings.ts";
import { claimNothing } from "../families/connection.ts";
import { connectChain } from "../families/connections.ts";
import { familyOf } from "../families/families.ts";
import { withCheckedDatabase } from "./check-database.ts";
import { examine, type Finding, type Found } from "./finding.ts";

/**
 * Checks, in a deployment that pays, the money of its own without which nothing moves: the account that activates deposits, and the coins
 * that payouts are made of.
 */
export function checkFunds(config: Config, world: World): readonly Promise<Finding>[] {
  if (config.payouts === undefined) return [];
  const { currencies } = deploymentCurrencies(currencySettings(config));
  const registry = createRegistry(currencies);
  return Object.keys(config.chains).flatMap((chain) => {
    const { funding, keyspace } = familyOf(chain);
    const examined = (item: string, check: (signal: AbortSignal) => Promise<Found>) =>
      examine(`${chain} ${item}`, world.clock, check);
    if (funding === "coins")
      return [examined("own coins", () => checkCoins(config, world, registry, chain))];
    return keyspace.needsActivation === true
      ? [
          examined("gas account", (signal) =>
            checkActivation(config, world, registry, chain, signal),
          ),
        ]
      : [];
  });
}

function coinOf(currencies: CurrencyRegistry, chain: string): Currency {
  return currencies.get(coinAmong(currencies.onChain(chain)));
}

const beforeWorker = { detail: "unknown before a worker has run" };

async function checkCoins(
  config: Config,
  { clock }: World,
  registry: CurrencyRegistry,
  chain: string,
): Promise<Found> {
  const coin = coinOf(registry, chain);
  const { keyspace } = familyOf(chain);
  return await withCheckedDatabase(config, clock, async (db) => {
    const levels = await readCoinLevels(db, [{ chain, confirmations: coin.confirmationBlocks }]);
    const [{ count, spendableUnits, units } = { count: 0, spendableUnits: 0n, units: 0n }] = levels;
    if (count > 0) {
      const of = `${count} with ${amountText(units, coin)}`;
      return { detail: `${of}, ${amountText(spendableUnits, coin)} of it usable now` };
    }
    const [own] = await readUnfunded(db, [{ chain, keyspace: keyspace.name }]);
    return own === undefined
      ? { detail: "none", notes: ["payouts wait for deposits or for your own money"] }
      : {
          detail: "none",
          notes: [
            `send your own ${coin.alpha} to ${own.address}: until then payouts wait for deposits`,
          ],
        };
  });
}

/** Whether the gas account can make another deposit payable. */
async function checkActivation(
  config: Config,
  world: World,
  currencies: CurrencyRegistry,
  chain: string,
  signal: AbortSignal,
): Promise<Found> {
  const { createAdapter, close } = await connectChain(chain, {
    ...world,
    logger: silentLogger,
    config: present(config.chains[chain], `chain ${chain}`),
    currencies,
  });
  const { keyspace } = familyOf(chain);
  const coin = coinOf(currencies, chain);
  try {
    return await withCheckedDatabase(config, world.clock, async (db) => {
      const gas = (await readOwnAccounts(db)).find(
        (own) => own.keyspace === keyspace.name && own.purpose === "gas",
      );
      if (gas === undefined) return beforeWorker;
      // What an address takes is asked for one that nobody has.
      const { network, keyTrees } = signerKeys(config);
      const strange = deriveKeys(world.random.bytes(32), network, keyTrees).accounts;
      const adapter = createAdapter(strange, claimNothing);
      const nobody = present(adapter.addressing.treasury, "accounts of the chain").hot.address;
      const writer = present(adapter.writer, "a writer");
      const account = present(writer.account, "an account");
      const funds = await account.funds(gas.address, writer.coin, 1, signal);
      const usable = funds.final - funds.reserved;
      const activator = present(adapter.activator, "an activator");
      const taken = await costOfActivation(activator, nobody, adapter.currencies, signal);
      const detail = `${gas.address} has ${amountText(usable, coin)} to activate deposits with, each of which takes up to ${amountText(taken, coin)}`;
      return usable >= taken
        ? { detail }
        : {
            detail,
            notes: [
              `it has too little beyond the ${amountText(funds.reserved, coin)} that it must keep: send your own ${coin.alpha} to it. Until then deposits get no addresses`,
            ],
          };
    });
  } finally {
    await close();
  }
}

/** What the gas account pays for the first deposit of the dearest currency. */
async function costOfActivation(
  activator: ChainActivator,
  address: string,
  currencies: readonly CurrencyId[],
  signal: AbortSignal,
): Promise<bigint> {
  let units = 0n;
  for (const currency of currencies) {
    const need = await activator.need(address, currency, signal);
    if (need?.kind === "topUp") units = maxBigInt(units, need.units);
  }
  return units + (await activator.feeUnits(signal));
}
