import { expect } from "vitest";
import { withoutConfirmations } from "../support/callbacks.ts";
import { feeOf, fundedWallet, heldIn, openCashier, payoutStatus } from "../support/cashier.ts";
import { unitsAt } from "../support/chain-facts.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { less, unitsOf } from "../support/money.ts";
import { withShop } from "../support/shop.ts";
import { currencyOf, inFull } from "../support/test-site.ts";

/** Addresses for which the local screening provider returns red. */
const redAddresses = {
  ETH: "0x0badc0de0badc0de0badc0de0badc0de0badc0de",
  LTC: "rltc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnmxrc5",
} as const;

/** Payouts to red addresses require the account's Owner; until then the money is held. */
export function payoutScreening(scenario: DefineScenario): void {
  for (const alpha of ["ETH", "LTC"] as const) {
    scenario(
      `holds a payout of ${alpha} to a red address until the Owner decides`,
      [alpha],
      (site) =>
        withShop(site, async (shop) => {
          const cashier = openCashier(site, shop, site.cashier);
          const address = redAddresses[alpha];
          const [amount, nothing] = [inFull("0.2", alpha), inFull("0", alpha)];
          await site.onChain(alpha, async (chain) => {
            const wallet = await fundedWallet(shop, chain, alpha, "2");
            const [released, canceled] = [
              await cashier.pay({ wallet, alpha, amount, address }),
              await cashier.pay({ wallet, alpha, amount, address }),
            ];
            const fees = [released, canceled].map((one) => feeOf(one));
            for (const payout of [released, canceled]) {
              await cashier.expectTransfer(payout, { status: -2, risk: 95, risk_status: 3 });
              await cashier.expectCallbackCount(payout, 1);
              expect(withoutConfirmations(await cashier.callbacks(payout))).toEqual([
                `transfer -2 ${amount}`,
              ]);
              expect(await cashier.read(payout)).toMatchObject({ status: payoutStatus.approved });
            }
            await chain.mine(2);
            const both = [amount, amount, ...fees];
            expect(await shop.balance(wallet)).toEqual({
              confirmed: less("2", both, alpha),
              pending: nothing,
            });
            expect(await heldIn(site, wallet, alpha)).toBe(
              less("2", [less("2", both, alpha)], alpha),
            );

            await cashier.cancel(canceled);
            await cashier.expectTransfer(canceled, { status: -3, risk: 95 });
            const left = less("2", [amount, fees[0] ?? ""], alpha);
            await shop.expectBalance(wallet, left, nothing);

            const before = await unitsAt(chain, alpha, [address]);
            const { id } = await cashier.transfer(released);
            const path = `/transfer/${id}/release/`;
            const why = {
              data: { type: "transfer", attributes: { reason: "The payer is known" } },
            };
            for (const client of [site.cashier.client, site.other])
              expect((await client.ask("POST", path, why)).status).toBe(403);
            await site.owner.post(path, why);
            expect(await cashier.expectSent(released)).toMatchObject({ risk: 95 });
            await chain.mine(currencyOf(alpha).confirmationBlocks);
            await cashier.expectTransfer(released, { status: 2, message: null });
            const after = await unitsAt(chain, alpha, [address]);
            expect(after - before).toBe(unitsOf(amount, alpha));
            await shop.expectBalance(wallet, left, nothing);
            await cashier.expectCallbackCount(released, 2);
            expect(withoutConfirmations(await cashier.callbacks(released))).toEqual([
              `transfer -2 ${amount}`,
              `transfer 2 ${amount}`,
            ]);
          });
        }),
    );
  }
}
