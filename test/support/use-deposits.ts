import { beforeEach } from "vitest";
import type { Principal } from "../../src/accounts/principal.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { useDatabase } from "./database.ts";
import { depositApi, makeDeposit } from "./deposit-api.ts";
import {
  announceChain,
  arrangeWallet,
  depositWorld,
  fillPool,
  ownerOf,
  payment,
  rateOf,
  usd,
  type Wallet,
} from "./deposit-world.ts";

/** The owner of the deposits: a Merchant wallet in dollars, and its account's Owner. */
export type ReceivingAccount = { readonly merchant: Wallet; readonly owner: Principal };

/** Deposits over the real server and database, of another account before each test; ether costs 2000 dollars. */
export function useDeposits() {
  const database = useDatabase();
  const world = depositWorld(database);
  const api = depositApi(world);
  const account = {} as ReceivingAccount;
  beforeEach(async () => {
    await fillPool(world, "evm", "", 20);
    world.rates.clear();
    world.rates.set("1002 840", rateOf("2000"));
    const merchant = await arrangeWallet(world, { type: 1, currency: usd });
    Object.assign(account, { merchant, owner: ownerOf(merchant.accountId) });
  });
  return {
    database,
    world,
    api,
    account,
    /** As the Owner by default. */
    ask: (method: string, url: string, as = account.owner, body?: JsonObject | string) =>
      api.ask(method, url, { as, ...(body === undefined ? {} : { body }) }),
    /** Creates a deposit over HTTP; by default of the Merchant wallet, paid in ether. */
    make: (attributes: JsonObject = {}, wallet = account.merchant): Promise<Deposit> =>
      makeDeposit(api, world, wallet, attributes, wallet === account.merchant ? "1002" : undefined),
    /** Pays it on its chain, two blocks deep. */
    pay: async (deposit: Deposit, amount: string): Promise<void> => {
      const chain = await announceChain(world, "ETH");
      await chain.append([payment({ deposit, amount })]);
      await chain.grow(2);
    },
  };
}
