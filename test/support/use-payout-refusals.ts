import { beforeAll, beforeEach } from "vitest";
import { walletType } from "../../src/accounts/wallets/wallet.ts";
import { useDatabase } from "./database.ts";
import {
  arrangeWallet,
  btc,
  type DepositWorld,
  depositWorld,
  rateOf,
  usd,
  usdt,
  type Wallet,
} from "./deposit-world.ts";
import {
  bitcoinPayee,
  currencyIs,
  fairFee,
  fund,
  type Members,
  type PostOptions,
  payoutWorld,
  refusedPayout,
  stopPayouts,
} from "./payout-world.ts";

/*
 * Refused payouts, for tests: funded wallets of one account and of another one, and the refusal's errors. Over the real server
 * and database.
 */

/**
 * Ten of each coin and token, and ten thousand dollars for the Merchant wallet. All belong to one account, except the other
 * account's ether wallet.
 */
export type PayingWallets = Readonly<
  Record<"ether" | "bitcoin" | "tether" | "merchant" | "stranger", Wallet>
>;

export const attribute = (name: string): string => `/data/attributes/${name}`;
export const walletPointer = "/data/relationships/wallet";
export const currencyPointer = "/data/relationships/currency";

export const bitcoinPayout = (attributes: Members = {}): PostOptions => ({
  attributes: { amount: "1", fee_amount: "0.000002", address: bitcoinPayee, ...attributes },
  relationships: currencyIs(btc),
});

export const tetherPayout = (attributes: Members = {}): PostOptions => ({
  attributes: { amount: "1", ...attributes },
  relationships: currencyIs(usdt),
});

/** A database with these wallets for the whole file; before each test quotes are valid and ether costs 2000 dollars. */
export function usePayoutRefusals() {
  const database = useDatabase();
  const world = depositWorld(database);
  const payouts = payoutWorld(world);
  const wallets = {} as PayingWallets;
  beforeAll(async () => {
    Object.assign(wallets, await arrangeWallets(world));
  });
  beforeEach(() => {
    payouts.fees.answer = fairFee;
    world.rates.clear();
    world.rates.set("1002 840", rateOf("2000"));
  });
  const refused = (wallet: Wallet, options: PostOptions = {}) =>
    refusedPayout(payouts, wallet, options);
  return {
    database,
    world,
    payouts,
    wallets,
    refused,
    withAttributes: (wallet: Wallet, attributes: Members) => refused(wallet, { attributes }),
    stop: (scope: string, byReconciliation: boolean) =>
      stopPayouts(database, scope, byReconciliation),
    resume: () => database.sql("delete from payout_stop"),
  };
}

async function arrangeWallets(world: DepositWorld): Promise<PayingWallets> {
  const ether = await arrangeWallet(world);
  const { accountId } = ether;
  const bitcoin = await arrangeWallet(world, { accountId, currency: btc });
  const tether = await arrangeWallet(world, { accountId, currency: usdt });
  const merchant = await arrangeWallet(world, {
    accountId,
    type: walletType.merchant,
    currency: usd,
  });
  const stranger = await arrangeWallet(world);
  for (const wallet of [ether, bitcoin, tether, stranger]) await fund(world, wallet, "10");
  await fund(world, merchant, "10000");
  return { ether, bitcoin, tether, merchant, stranger };
}
