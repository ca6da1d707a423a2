import { expect } from "vitest";
import { withoutConfirmations } from "../support/callbacks.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, withShop } from "../support/shop.ts";
import { currencyOf, inFull } from "../support/test-site.ts";

/*
 * The confirmation count that a client requests decides when a transfer is Confirmed and how often it is reported; money becomes
 * payable at the currency's own count, whatever the client requests.
 */
export function confirmationCounts(scenario: DefineScenario): void {
  const amount = inFull("0.01", "BTC");
  const cases = [
    { needed: null, callbacks: [`transfer 2 ${amount} (2)`] },
    { needed: 0, callbacks: [`transfer 2 ${amount} (0)`, `transfer 2 ${amount} (2)`] },
    { needed: 1, callbacks: [`transfer 2 ${amount} (1)`, `transfer 2 ${amount} (2)`] },
    { needed: 2, callbacks: [`transfer 2 ${amount} (2)`] },
    { needed: 4, callbacks: [`transfer 1 ${amount} (2)`, `transfer 2 ${amount} (4)`] },
  ];
  for (const { needed, callbacks } of cases) {
    scenario(
      `sends callbacks for bitcoin with confirmations_needed ${needed ?? "null"} at the expected counts`,
      ["BTC"],
      (site) =>
        withShop(site, async (shop) => {
          const wallet = await shop.wallet("enterprise", "BTC");
          const deposit = await shop.deposit(wallet, { confirmations_needed: needed });
          const nothing = inFull("0", "BTC");
          await site.onChain("BTC", async (chain) => {
            await chain.pay("BTC", addressOf(deposit), "0.01");
            // Screened between the blocks, so that each count is reported when it is reached.
            await shop.expectTransfer(deposit, { risk_status: 1 });
            for (let count = 0; count <= 6; count += 1) {
              if (count > 0) await chain.mine(1);
              const isPayable = count >= currencyOf("BTC").confirmationBlocks;
              const [confirmed, pending] = isPayable ? [amount, nothing] : [nothing, amount];
              await shop.expectBalance(wallet, confirmed, pending);
              await shop.expectDeposit(deposit, {
                target_paid: count >= (needed ?? 2) ? amount : nothing,
              });
            }
          });
          await shop.expectCallbacks(deposit, callbacks);
        }),
    );
  }

  scenario(
    "sends the callback for ether at the confirmation count that its client requests",
    ["ETH"],
    (site) =>
      withShop(site, async (shop) => {
        const wallet = await shop.wallet("enterprise", "ETH");
        const ether = inFull("0.5", "ETH");
        const counts = [null, 0, 1, 12, 14];
        const deposits = await Promise.all(
          counts.map((needed) => shop.deposit(wallet, { confirmations_needed: needed })),
        );
        await site.onChain("ETH", async (chain) => {
          for (const deposit of deposits) await chain.pay("ETH", addressOf(deposit), "0.5");
          for (const deposit of deposits) await shop.expectTransfer(deposit, { risk_status: 1 });
          await chain.mine(15);
        });
        await shop.expectBalance(wallet, inFull("2.5", "ETH"), inFull("0", "ETH"));
        for (const deposit of deposits) {
          await shop.expectDeposit(deposit, { target_paid: ether });
          await shop.expectTransfer(deposit, { status: 2 });
        }
        const last = deposits.at(-1);
        if (last === undefined) throw new Error("no deposit");
        await shop.expectCallbackCount(last, 2);
        const callbacks = await Promise.all(deposits.map(shop.callbacks));
        const twice = [`transfer 2 ${ether}`, `transfer 2 ${ether}`];
        expect(callbacks.map(withoutConfirmations)).toEqual([
          [twice[0]],
          twice,
          twice,
          [twice[0]],
          [`transfer 1 ${ether}`, `transfer 2 ${ether}`],
        ]);
      }),
  );
}
