import { afterEach, beforeEach } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { expectBooksToBalance } from "./check-books.ts";
import { useDatabase } from "./database.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  payment,
  rateOf,
  usd,
  type Wallet,
} from "./deposit-world.ts";
import { payingBack } from "./paying-back.ts";
import { fairFee } from "./payout-world.ts";

type DepositOptions = NonNullable<Parameters<typeof arrangeDeposit>[2]>;

/**
 * A shop that sells for US dollars and is paid in ether, with refunds over the real routes and database. Ether costs `price`
 * dollars and needs 3 confirmations. After each test the books are checked against transfers and payouts.
 */
export function useEtherShop({ price = "2500", isScreened = false } = {}) {
  const database = useDatabase();
  const settings = isScreened ? { isScreened } : {};
  const world = depositWorld(database, settings);
  const refunds = payingBack(world, settings);
  let chain: AnnouncingChain;
  let shop: Wallet;
  beforeEach(async () => {
    chain = await announceChain(world, "ETH");
    refunds.payouts.fees.answer = fairFee;
    world.rates.clear();
    world.rates.set("1002 840", rateOf(price));
    shop = await arrangeWallet(world, { type: 1, currency: usd });
  });
  afterEach(() => expectBooksToBalance(database));

  /** A deposit that requests 100 USD. */
  const invoice = (options: DepositOptions = {}, wallet = shop): Promise<Deposit> =>
    arrangeDeposit(world, wallet, { currency: eth, requested: "100", ...options });
  /** Pays amounts of ether in a block each, and confirms them. */
  const pay = async (deposit: Deposit, ...amounts: readonly string[]): Promise<void> => {
    for (const amount of amounts) {
      await chain.append([payment({ deposit, amount })]);
      world.clock.advance(1);
    }
    await chain.grow(3);
    world.clock.advance(1);
  };
  return {
    ...refunds,
    database,
    world,
    invoice,
    pay,
    get chain() {
      return chain;
    },
    get shop() {
      return shop;
    },
  };
}
