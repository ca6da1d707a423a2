import { expect } from "vitest";
import { formatDecimal } from "../../../src/platform/kernel/decimal.ts";
import type { Resource } from "../support/api-client.ts";
import { withoutConfirmations } from "../support/callbacks.ts";
import type { ChainControl } from "../support/chain-control.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, depositStatus, type Shop, withShop } from "../support/shop.ts";
import { currencyOf, inFull, type TestSite } from "../support/test-site.ts";

const { created, paid, canceled, unresolved } = depositStatus;

/** An invoice of 100 dollars with a tolerance of one dollar, payable in a coin. */
const invoice = { target_amount_requested: "100.00", inaccuracy: "1.00" };
/** Dollars for one coin, by the local price source. */
const dollars: Readonly<Record<string, bigint>> = { BTC: 50_000n, ETH: 2_500n, LTC: 80n };

/** The amount of a coin that is worth this many cents. */
function coins(cents: bigint, alpha: string): string {
  const { exp } = currencyOf(alpha);
  return formatDecimal((cents * 10n ** BigInt(exp)) / (100n * (dollars[alpha] ?? 0n)), exp);
}

type Sale = {
  readonly shop: Shop;
  readonly chain: ChainControl;
  readonly wallet: string;
  readonly alpha: string;
  readonly deposit: Resource;
};

/** Opens an invoice in a wallet of its own and reserves the coin's chain for the duration of the sale. */
function sell(
  site: TestSite,
  alpha: string,
  sale: (sale: Sale) => Promise<void>,
  attributes: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  return withShop(site, async (shop) => {
    const wallet = await shop.wallet("merchant", "USD");
    await site.onChain(alpha, async (chain) => {
      const deposit = await shop.deposit(wallet, { ...invoice, ...attributes }, alpha);
      await sale({ shop, chain, wallet, alpha, deposit });
    });
  });
}

/** Pays this many cents' worth and mines until it is settled. */
async function pay({ chain, alpha, deposit }: Sale, cents: bigint): Promise<void> {
  await chain.pay(alpha, addressOf(deposit), coins(cents, alpha));
  await chain.mine(currencyOf(alpha).confirmationBlocks);
}

async function expectStatusCallbacks(
  { shop, deposit }: Sale,
  statuses: readonly string[],
): Promise<void> {
  await shop.expectCallbackCount(deposit, statuses.length);
  expect(withoutConfirmations(await shop.callbacks(deposit))).toEqual(statuses);
}

const transferOf = (cents: bigint, alpha: string): string => `transfer 2 ${coins(cents, alpha)}`;

export function merchantDeposits(scenario: DefineScenario): void {
  for (const alpha of ["BTC", "ETH", "LTC"]) {
    for (const [words, cents, credited] of [
      ["exactly", 10_000n, "100.00"],
      ["a dollar short", 9_900n, "99.00"],
      ["a dollar over", 10_100n, "101.00"],
    ] as const) {
      scenario(
        `marks a dollar invoice as Paid when it is paid in ${alpha} ${words}`,
        [alpha],
        (site) =>
          sell(site, alpha, async (sale) => {
            const { shop, deposit, wallet } = sale;
            expect(deposit.attributes).toMatchObject({
              status: created,
              source_amount_requested: coins(10_000n, alpha),
            });
            expect(Number(deposit.attributes["rate_requested"])).toBe(Number(dollars[alpha]));
            await pay(sale, cents);
            await shop.expectDeposit(deposit, {
              status: paid,
              target_paid: credited,
              target_paid_pending: "0.00",
            });
            await shop.expectBalance(wallet, credited, "0.00");
            await expectStatusCallbacks(sale, [transferOf(cents, alpha), "status 3"]);
          }),
      );
    }

    scenario(
      `marks an invoice overpaid in ${alpha} as Unresolved until it is accepted`,
      [alpha],
      (site) =>
        sell(site, alpha, async (sale) => {
          const { shop, deposit, wallet } = sale;
          await pay(sale, 10_101n);
          await shop.expectDeposit(deposit, { status: unresolved, target_paid: "101.01" });
          await shop.expectBalance(wallet, "0.00", "0.00");
          const resolved = await shop.resolve(deposit);
          expect(resolved.attributes).toMatchObject({ status: paid });
          await shop.expectBalance(wallet, "101.01", "0.00");
          await expectStatusCallbacks(sale, [transferOf(10_101n, alpha), "status 5", "status 3"]);
        }),
    );
  }

  scenario(
    "puts a second payment of a Paid invoice on hold, and keeps the first one credited",
    ["BTC"],
    (site) =>
      sell(site, "BTC", async (sale) => {
        const { shop, deposit, wallet } = sale;
        await pay(sale, 10_000n);
        await shop.expectDeposit(deposit, { status: paid });
        await pay(sale, 5_000n);
        await shop.expectDeposit(deposit, { status: unresolved, target_paid: "150.00" });
        await shop.expectBalance(wallet, "100.00", "0.00");
        await shop.resolve(deposit);
        await shop.expectBalance(wallet, "150.00", "0.00");
        await shop.expectDeposit(deposit, { status: paid });
        await expectStatusCallbacks(sale, [
          transferOf(10_000n, "BTC"),
          "status 3",
          transferOf(5_000n, "BTC"),
          "status 5",
          "status 3",
        ]);
      }),
  );

  scenario("adds up several payments of one invoice", ["LTC"], (site) =>
    sell(site, "LTC", async (sale) => {
      const { shop, deposit, wallet } = sale;
      await pay(sale, 4_000n);
      await shop.expectDeposit(deposit, { status: created, target_paid: "40.00" });
      await shop.expectBalance(wallet, "0.00", "40.00");
      await pay(sale, 6_000n);
      await shop.expectDeposit(deposit, { status: paid, target_paid: "100.00" });
      await shop.expectBalance(wallet, "100.00", "0.00");
    }),
  );

  scenario(
    "marks an unpaid invoice as Canceled when it is canceled, and a later payment to it as Unresolved",
    ["BTC"],
    (site) =>
      sell(site, "BTC", async (sale) => {
        const { shop, deposit, wallet } = sale;
        expect((await shop.cancel(deposit)).attributes).toMatchObject({ status: canceled });
        // Block times have whole seconds: a block in the current second would look older than the cancellation.
        await shop.waitSeconds(1.1);
        await pay(sale, 10_000n);
        await shop.expectDeposit(deposit, { status: unresolved, target_paid: "100.00" });
        await shop.expectBalance(wallet, "0.00", "0.00");
        await expectStatusCallbacks(sale, ["status 4", transferOf(10_000n, "BTC"), "status 5"]);
      }),
  );

  scenario(
    "marks an invoice as Unresolved when it is canceled with money pending",
    ["BTC"],
    (site) =>
      sell(site, "BTC", async (sale) => {
        const { shop, chain, deposit, wallet } = sale;
        await chain.pay("BTC", addressOf(deposit), coins(10_000n, "BTC"));
        await shop.expectDeposit(deposit, { target_paid_pending: "100.00" });
        expect((await shop.cancel(deposit)).attributes).toMatchObject({ status: unresolved });
        await chain.mine(2);
        await shop.expectDeposit(deposit, { status: unresolved, target_paid: "100.00" });
        await shop.expectBalance(wallet, "0.00", "0.00");
        await shop.resolve(deposit);
        await shop.expectBalance(wallet, "100.00", "0.00");
        await expectStatusCallbacks(sale, ["status 5", transferOf(10_000n, "BTC"), "status 3"]);
      }),
  );

  scenario("needs no rate when wallet and payment are in the same token", ["ETH"], (site) =>
    withShop(site, async (shop) => {
      const wallet = await shop.wallet("merchant", "USDT-ETH");
      const deposit = await shop.deposit(wallet, { target_amount_requested: "12.5" }, "USDT-ETH");
      expect(deposit.attributes).toMatchObject({
        rate_requested: "1",
        source_amount_requested: "12.500000",
      });
      await site.onChain("ETH", async (chain) => {
        await chain.pay("USDT-ETH", addressOf(deposit), "12.5");
        await chain.mine(12);
      });
      await shop.expectDeposit(deposit, { status: paid, target_paid: inFull("12.5", "USDT-ETH") });
      await shop.expectBalance(wallet, "12.500000", "0.000000");
    }),
  );
}
