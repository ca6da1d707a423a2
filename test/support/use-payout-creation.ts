import { beforeEach } from "vitest";
import { useDatabase } from "./database.ts";
import { created } from "./deposit-api.ts";
import { arrangeWallet, depositWorld, type Wallet } from "./deposit-world.ts";
import {
  fairFee,
  fund,
  type Members,
  type PostOptions,
  payoutWorld,
  postPayout,
} from "./payout-world.ts";

/** The payer: the account's wallet with ten ether. */
export type PayoutPayer = { readonly wallet: Wallet };

/** `POST /payout/` over the real server and database, of another account before each test, with valid quotes and no limits. */
export function usePayoutCreation() {
  const database = useDatabase();
  const world = depositWorld(database);
  const payouts = payoutWorld(world);
  const account = {} as PayoutPayer;
  beforeEach(async () => {
    payouts.fees.answer = fairFee;
    world.rates.clear();
    await database.sql("delete from commission_terms");
    await database.sql("delete from payout_limit");
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "10");
    Object.assign(account, { wallet });
  });

  /** The created payout, or an error with the response. */
  const make = async (from: Wallet, options: PostOptions = {}) =>
    created(await postPayout(payouts, from, options));
  return {
    database,
    world,
    payouts,
    account,
    make,
    makeWith: (from: Wallet, attributes: Members) => make(from, { attributes }),
    balanceOf: async ({ walletId }: Wallet) => {
      const [row] = await database.sql<{ available: bigint; held: bigint }>(
        "select available, held from wallet_balance where wallet_id = $1",
        [walletId],
      );
      return row;
    },
    /** The payout's row. */
    stored: async (id: string) => {
      const [row] = await database.sql<Readonly<Record<string, unknown>>>(
        "select * from payout where id = $1",
        [id],
      );
      return row!;
    },
  };
}
