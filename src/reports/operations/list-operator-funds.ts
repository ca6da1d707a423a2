import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { readPositions } from "../../ledger/position.store.ts";
import type { PositionLimits } from "../../ledger/position-limits.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import {
  type CoinLevel,
  type OwnAddress,
  readCoinLevels,
  readOwnAccounts,
  readUnswept,
  type UnsweptLevel,
} from "./hot-wallet.store.ts";
import type { OperatedChain } from "./operated-chain.ts";

export type HotWalletContext = {
  readonly db: Executor;
  readonly currencies: CurrencyRegistry;
  readonly chains: readonly OperatedChain[];
  /** The hot ceiling by currency. */
  readonly ceilings: ReadonlyMap<CurrencyId, bigint>;
  /** What held payouts of a chain need, fees included. */
  readonly readDemand: (db: Executor, chain: string) => Promise<readonly Money[]>;
  /** The balance of one of our accounts by its chain's node; null when the node does not answer. */
  readonly readFunds: (
    chain: string,
    address: string,
    currency: CurrencyId,
  ) => Promise<AccountBalance | null>;
};

/** An account's balance, and what of it the chain does not let it spend (a reserve, a stake); in units. */
export type AccountBalance = { readonly units: bigint; readonly reservedUnits: bigint };

/** Funds ready for payouts, in one currency of one chain. Amounts in units of `currency`. */
export type HotWallet = {
  readonly id: string;
  readonly chain: string;
  /** `hot` funds payouts, `gas` pays the fees of sweeping; `coins`: all unspent coins. */
  readonly purpose: "hot" | "gas" | "coins";
  readonly currency: CurrencyId;
  readonly address: string | null;
  /** The tag under which the operator sends money of its own to an account that deposits share. */
  readonly tag: string | null;
  /** Null: the node does not answer. */
  readonly units: bigint | null;
  /** What can be spent now; of accounts, everything but what the chain keeps back. */
  readonly spendableUnits: bigint | null;
  readonly coins: number | null;
  readonly ceilingUnits: bigint | null;
  /** What held payouts need. */
  readonly awaitedUnits: bigint;
  /** What sweeping could bring; null on UTXO chains, which need none. */
  readonly unsweptUnits: bigint | null;
};

/** The levels of all hot funds. Asks nodes for account balances; a silent node leaves its amounts null. */
export async function listHotWallets(context: HotWalletContext): Promise<readonly HotWallet[]> {
  const { db, chains, currencies } = context;
  const ofCoins = chains.filter(({ funding }) => funding === "coins");
  const [own, coins, unswept] = await Promise.all([
    readOwnAccounts(db),
    readCoinLevels(
      db,
      ofCoins.map(({ chain, coin }) => ({
        chain,
        confirmations: currencies.get(coin).confirmationBlocks,
      })),
    ),
    readUnswept(db),
  ]);
  const found = await Promise.all(
    chains.map(async (chain) => {
      const demand = await context.readDemand(db, chain.chain);
      return chain.funding === "coins"
        ? [coinWallet(context, chain, coins, demand)]
        : await accountWallets(context, chain, own, unswept, demand);
    }),
  );
  return found.flat();
}

function coinWallet(
  { ceilings }: HotWalletContext,
  { chain, coin }: OperatedChain,
  levels: readonly CoinLevel[],
  demand: readonly Money[],
): HotWallet {
  const level = levels.find((row) => row.chain === chain);
  return {
    id: `${chain}-coins-${coin}`,
    chain,
    purpose: "coins",
    currency: coin,
    address: null,
    tag: null,
    units: level?.units ?? 0n,
    spendableUnits: level?.spendableUnits ?? 0n,
    coins: level?.count ?? 0,
    ceilingUnits: ceilings.get(coin) ?? null,
    awaitedUnits: unitsOf(demand, coin),
    unsweptUnits: null,
  };
}

async function accountWallets(
  { ceilings, readFunds }: HotWalletContext,
  { chain, keyspace, coin, currencies }: OperatedChain,
  own: readonly OwnAddress[],
  unswept: readonly UnsweptLevel[],
  demand: readonly Money[],
): Promise<readonly HotWallet[]> {
  const accounts = own.filter((account) => account.keyspace === keyspace);
  const held = accounts.flatMap((account) =>
    (account.purpose === "gas" ? [coin] : currencies).map((currency) => ({ ...account, currency })),
  );
  return await Promise.all(
    held.map(async ({ purpose: kind, address, tag, currency }): Promise<HotWallet> => {
      const held = await readFunds(chain, address, currency);
      const isHot = kind === "hot";
      const purpose = isHot ? "hot" : "gas";
      const waiting = unswept.find((level) => level.chain === chain && level.currency === currency);
      return {
        id: `${chain}-${purpose}-${currency}`,
        chain,
        purpose,
        currency,
        address,
        tag,
        units: held?.units ?? null,
        spendableUnits: held === null ? null : spendableOf(held),
        coins: null,
        ceilingUnits: isHot ? (ceilings.get(currency) ?? null) : null,
        awaitedUnits: isHot ? unitsOf(demand, currency) : 0n,
        unsweptUnits: isHot ? (waiting?.units ?? 0n) : null,
      };
    }),
  );
}

function spendableOf({ units, reservedUnits }: AccountBalance): bigint {
  return units > reservedUnits ? units - reservedUnits : 0n;
}

function unitsOf(demand: readonly Money[], currency: CurrencyId): bigint {
  return demand.find((row) => row.currency === currency)?.units ?? 0n;
}

/** The operator's position in a currency from conversions, in its units; negative when the operator owes it. */
export type CurrencyPosition = {
  readonly currency: CurrencyId;
  readonly units: bigint;
  /** The limit in either direction; null if unlimited. */
  readonly maxUnits: bigint | null;
};

/** Of every currency that was converted or has a limit. */
export async function listPositions(
  db: Executor,
  { max }: PositionLimits,
): Promise<readonly CurrencyPosition[]> {
  const positions = await readPositions(db);
  const ids = [...new Set([...positions.keys(), ...max.keys()])];
  return ids.map((currency) => ({
    currency,
    units: positions.get(currency) ?? 0n,
    maxUnits: max.get(currency) ?? null,
  }));
}
