import { beforeAll, beforeEach } from "vitest";
import type { Principal } from "../../src/accounts/principal.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { useDatabase } from "./database.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeWallet,
  depositWorld,
  ownerOf,
  type Wallet,
} from "./deposit-world.ts";
import { payoutApi } from "./payout-api.ts";
import { fund } from "./payout-world.ts";

/** The owner of the payouts: the account's only wallet, with ten ether, and its Owner. */
export type PayingAccount = { readonly wallet: Wallet; readonly owner: Principal };

/** Payouts over the real server and database, of another account before each test. */
export function usePayouts() {
  const database = useDatabase();
  const world = depositWorld(database);
  const payouts = payoutApi(world);
  const account = {} as PayingAccount;
  let chain: AnnouncingChain;
  beforeAll(async () => {
    chain = await announceChain(world, "ETH");
  });
  beforeEach(async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "10");
    Object.assign(account, { wallet, owner: ownerOf(wallet.accountId) });
    payouts.spends.withdraw = () => Promise.resolve(false);
  });
  return {
    database,
    world,
    payouts,
    account,
    /** The chain is read to its tip, so its payouts are not paused. */
    catchUp: () => chain.catchUp(),
    /** As the Owner by default. */
    ask: (method: string, url: string, as = account.owner, body?: JsonObject) =>
      payouts.api.ask(method, url, { as, ...(body === undefined ? {} : { body }) }),
    /** Another member of the account, with these rights. */
    member: (role: Principal["role"], memberId: string): Principal => ({
      ...account.owner,
      role,
      memberId,
    }),
  };
}
