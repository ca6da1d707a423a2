import type { ChainWriter, SequenceRange } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { freeUnits, readAccountInUse } from "../../treasury/spends/account-in-use.ts";
import { accountInFlightMax } from "./choose-groups.ts";
import type { SendContext } from "./send-context.ts";

/** What the paying account can spend on new transactions. */
export type AccountBudget = {
  readonly address: string;
  /** How many more transactions may be pending. */
  readonly room: number;
  /** The sequence numbers of the next transactions, each of which claims so many; null for each if the chain has none. */
  readonly sequences: (sizes: readonly number[]) => readonly SequenceRange[];
  /** Reserves amounts from the funds that are neither pending nor reserved. False, and nothing reserved, if they do not suffice. */
  readonly reserve: (amounts: readonly Money[], signal: AbortSignal) => Promise<boolean>;
  /** Returns reserved amounts that are not needed. */
  readonly release: (amounts: readonly Money[]) => void;
};

/**
 * `pendingMax`: how many transactions of the account nodes keep waiting, see `BatchingState`. Null if enough transactions are pending. Throws `Unavailable` with the node; if only one currency's balance is
 * unavailable, calls `onSilence` and reserves nothing of that currency.
 */
export async function readAccountBudget(
  context: SendContext,
  account: NonNullable<ChainWriter["account"]>,
  pendingMax: number | null,
  onOutage: (cause: Unavailable) => void,
  signal: AbortSignal,
): Promise<AccountBudget | null> {
  const { db, chain, currencies, sending } = context;
  const address = present(context.hot, `the paying account of ${chain}`);
  const chainNext = (await account.nextSequence?.(address, signal)) ?? null;
  const inUse = await readAccountInUse(db, chain, address, chainNext, account.numbersOnce);
  // One more than nodes keep waiting is ready when a block takes that. What comes later is gathered until then.
  const most = sending.inFlightMax ?? account.inFlightMax ?? accountInFlightMax;
  const inFlightMax = pendingMax === null ? most : Math.min(most, pendingMax + 1);
  const room = inFlightMax - inUse.openCount;
  if (room <= 0) return null;
  const free = new Map<CurrencyId, bigint>();
  const freeOf = async (currency: CurrencyId, aborted: AbortSignal): Promise<bigint> => {
    const known = free.get(currency);
    if (known !== undefined) return known;
    const count = currencies.get(currency).confirmationBlocks;
    let units = 0n;
    try {
      const funds = await account.funds(address, currency, count, aborted);
      units = freeUnits(funds, inUse, currency);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      onOutage(error);
    }
    free.set(currency, units);
    return units;
  };
  return {
    address,
    room,
    sequences: inUse.sequences,
    reserve: async (amounts, aborted) => {
      const needed = sumsOf(amounts);
      for (const [currency, units] of needed)
        if ((await freeOf(currency, aborted)) < units) return false;
      for (const [currency, units] of needed)
        free.set(currency, (await freeOf(currency, aborted)) - units);
      return true;
    },
    release: (amounts) => {
      for (const [currency, units] of sumsOf(amounts))
        free.set(currency, (free.get(currency) ?? 0n) + units);
    },
  };
}

function sumsOf(amounts: readonly Money[]): ReadonlyMap<CurrencyId, bigint> {
  const sums = new Map<CurrencyId, bigint>();
  for (const { currency, units } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + units);
  return sums;
}
