import { beforeEach } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import type { JsonValue } from "../../src/platform/kernel/json.ts";
import { useDatabase } from "./database.ts";
import { depositApi, makeDeposit } from "./deposit-api.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeWallet,
  depositWorld,
  fillPool,
  rateOf,
  usd,
  type Wallet,
} from "./deposit-world.ts";
import { paymentPages } from "./payment-pages.ts";

/** A shop that requests USD and its payment pages. ETH costs 2000 USD and needs 3 confirmations. */
export function useShopPages(options?: Parameters<typeof paymentPages>[1]) {
  const database = useDatabase();
  const world = depositWorld(database);
  const pages = paymentPages(world, options);
  const deposits = depositApi(world);
  let chain: AnnouncingChain;
  let shop: Wallet;
  beforeEach(async () => {
    world.clock.advance(10);
    chain = await announceChain(world, "ETH");
    await chain.catchUp();
    world.rates.set("1002 840", rateOf("2000"));
    shop = await arrangeWallet(world, { type: 1, currency: usd });
    await fillPool(world, "evm", "", 3);
  });
  return {
    database,
    world,
    pages,
    deposits,
    get chain() {
      return chain;
    },
    get shop() {
      return shop;
    },
    /** A deposit of 100 USD, payable in ETH by default; null: the payer chooses. */
    invoice: (
      attributes: Readonly<Record<string, JsonValue>> = {},
      currency: string | null = "1002",
    ): Promise<Deposit> =>
      makeDeposit(
        deposits,
        world,
        shop,
        { target_amount_requested: "100", ...attributes },
        currency ?? undefined,
      ),
    pathOf: ({ paymentPageId }: Deposit, rest = ""): string => `/pay/${paymentPageId}/${rest}`,
  };
}
