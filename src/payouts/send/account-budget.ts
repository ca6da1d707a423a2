import type { ChainWriter, SequenceRange } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import {
  type AccountInUse,
  freeUnits,
  readAccountInUse,
} from "../../treasury/spends/account-in-use.ts";
import { findIdleLenders, type Lender } from "../../treasury/spends/idle-lenders.ts";
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
  const idle = await findIdleLenders(db, chain, account, signal);
  const inUse = await readAccountInUse(db, chain, address, chainNext, account.numbersOnce);
  const most = sending.inFlightMax ?? account.inFlightMax ?? accountInFlightMax;
  // One more than nodes keep waiting is ready when a block takes that. What comes later is gathered until then.
  const ownMax = pendingMax === null ? most : Math.min(most, pendingMax + 1);
  const ownRoom = Math.max(0, ownMax - inUse.openOwnCount);
  const room = Math.min(most - inUse.openCount, ownRoom + idle.length);
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
    sequences: (sizes) => shareNumbers(sizes, inUse, { idle, ownRoom, pendingMax }),
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

/**
 * The numbers of the next transactions: of the account itself as long as nodes take them at once, then one range of each lender, and the rest of
 * the account, for when a block has what waits.
 */
function shareNumbers(
  sizes: readonly number[],
  inUse: Pick<AccountInUse, "sequences" | "openOwnCount">,
  own: {
    readonly idle: readonly Lender[];
    readonly ownRoom: number;
    readonly pendingMax: number | null;
  },
): readonly SequenceRange[] {
  const atOnce = Math.max(0, (own.pendingMax ?? own.ownRoom) - inUse.openOwnCount);
  const isLent = (place: number): boolean => place >= atOnce && place < atOnce + own.idle.length;
  const ranges = [...inUse.sequences(sizes.filter((_, place) => !isLent(place)))];
  return sizes.map((size, place) => {
    if (!isLent(place)) return present(ranges.shift(), "the numbers of a transaction");
    const { address, next } = present(own.idle[place - atOnce], "a lender");
    const through = next + BigInt(size) - 1n;
    return { sequence: next, ...(size > 1 ? { through } : {}), lender: address };
  });
}

function sumsOf(amounts: readonly Money[]): ReadonlyMap<CurrencyId, bigint> {
  const sums = new Map<CurrencyId, bigint>();
  for (const { currency, units } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + units);
  return sums;
}
