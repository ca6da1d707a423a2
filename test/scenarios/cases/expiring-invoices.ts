import { expect } from "vitest";
import { withoutConfirmations } from "../support/callbacks.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, depositStatus, withShop } from "../support/shop.ts";
import { currencyOf } from "../support/test-site.ts";

/** Little more than the shortest allowed time limit, and long enough to pay in time on a busy machine. */
const timeLimit = 80;
/** The worth of 100 dollars, by the local price source. */
const prices: Readonly<Record<string, string>> = { BTC: "0.002", ETH: "0.04" };
const halves: Readonly<Record<string, string>> = { BTC: "0.001", ETH: "0.02" };

/** How invoices end with their time limit: all of them wait for it together. */
export function expiringInvoices(scenario: DefineScenario): void {
  for (const alpha of ["BTC", "ETH"]) {
    scenario(`ends invoices payable in ${alpha} at their time limit`, [alpha], (site) =>
      withShop(site, async (shop) => {
        const { confirmationBlocks } = currencyOf(alpha);
        const [price = "", half = ""] = [prices[alpha], halves[alpha]];
        const wallet = await shop.wallet("merchant", "USD");
        const open = () =>
          shop.deposit(wallet, { target_amount_requested: "100", time_limit: timeLimit }, alpha);

        const [unpaid, partly, inTime, limitless] = await site.onChain(alpha, async (chain) => {
          const [empty, half1, full] = [await open(), await open(), await open()];
          const other = await shop.deposit(wallet, { target_amount_requested: "100" }, alpha);
          await chain.pay(alpha, addressOf(half1), half);
          await chain.pay(alpha, addressOf(full), price);
          await chain.mine(confirmationBlocks);
          return [empty, half1, full, other];
        });
        expect(unpaid.attributes["invoice_updated_at"]).toBe(unpaid.attributes["created_at"]);
        await shop.expectDeposit(inTime, { status: depositStatus.paid });
        await shop.expectDeposit(partly, { status: depositStatus.created, target_paid: "50.00" });
        await shop.expectDeposit(unpaid, { status: depositStatus.created, target_paid: "0.00" });
        await shop.expectBalance(wallet, "100.00", "50.00");

        await shop.waitSeconds(timeLimit);
        await shop.expectDeposit(unpaid, { status: depositStatus.canceled });
        await shop.expectDeposit(partly, { status: depositStatus.unresolved });
        await shop.expectBalance(wallet, "100.00", "0.00");
        expect(await shop.read(inTime)).toMatchObject({ status: depositStatus.paid });
        expect(await shop.read(limitless)).toMatchObject({ status: depositStatus.created });

        // Block times have whole seconds, and reorgs of other scenarios reset the clock: a block in the second of the expiry would
        // be in time.
        await shop.waitSeconds(5);
        await site.onChain(alpha, async (chain) => {
          await chain.pay(alpha, addressOf(unpaid), price);
          await chain.mine(confirmationBlocks);
        });
        await shop.expectDeposit(unpaid, {
          status: depositStatus.unresolved,
          target_paid: "100.00",
        });
        await shop.expectBalance(wallet, "100.00", "0.00");
        await shop.resolve(unpaid);
        await shop.resolve(partly);
        await shop.expectBalance(wallet, "250.00", "0.00");

        await shop.expectCallbackCount(unpaid, 4);
        const words = withoutConfirmations(await shop.callbacks(unpaid)).map((one) =>
          one.replace(/ [\d.]+$/, (amount) => (amount.includes(".") ? "" : amount)),
        );
        expect(words).toEqual(["status 4", "transfer 2", "status 5", "status 3"]);
      }),
    );
  }
}
