import { afterEach, beforeEach } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { expectBooksToBalance } from "./check-books.ts";
import { useDatabase } from "./database.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeWallet,
  depositWorld,
  payment,
  rateOf,
  readDeposit,
  readTransfers,
  units,
  usd,
} from "./deposit-world.ts";

/** An amount in dollars, in units. */
export const dollars = (amount: string): bigint => units(amount, usd);

/**
 * Deposits of Merchant wallets in dollars, paid in ether (3 confirmations) or bitcoin (2). After each test the books are compared
 * with the transfers.
 */
export function useMerchantDeposits() {
  const database = useDatabase();
  const world = depositWorld(database);
  let chain: AnnouncingChain | null = null;
  const current = (): AnnouncingChain => {
    if (chain === null) throw new Error("before the tests");
    return chain;
  };
  beforeEach(async () => {
    world.rates.clear();
    world.rates.set("1002 840", rateOf("2000")).set("1000 840", rateOf("100000"));
    chain = await announceChain(world, "ETH");
  });
  afterEach(() => expectBooksToBalance(database));
  return {
    database,
    world,
    get chain(): AnnouncingChain {
      return current();
    },
    shop: () => arrangeWallet(world, { type: 1, currency: usd }),
    pay: async (deposit: Deposit, amount: string): Promise<void> => {
      await current().append([payment({ deposit, amount })]);
      await current().grow(2);
    },
    /** The state of the deposit and of its transfers. */
    announced: async (deposit: Deposit) => {
      const { status, statusReason, sums } = await readDeposit(world, deposit);
      const transfers = await readTransfers(world, deposit);
      return {
        status: `${status} ${statusReason ?? ""}`.trim(),
        credited: sums.enrolled,
        money: transfers.map(({ disposition, reason }) => `${disposition} ${reason ?? ""}`.trim()),
      };
    },
  };
}
