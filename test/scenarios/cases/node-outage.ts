import { expect } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { mineBlocks } from "../../../src/sandbox/drive-utxo-node.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, depositStatus, withShop } from "../support/shop.ts";

const timeLimit = 59;
/** The price of an invoice of 100 dollars by the local price source. */
const price = "1.25";

/**
 * While the service cannot read the chain it decides nothing: invoices whose time runs out are ended only when the chain has been
 * read beyond that time, and those that were paid in time are Paid.
 */
export function nodeOutage(scenario: DefineScenario): void {
  scenario(
    "cancels nothing while a node is lost, and misses no block when it is back",
    ["LTC"],
    (site) =>
      withShop(site, async (shop) => {
        const node = present(site.deployment.nodes?.["LTC"], "a node that can be lost");
        const wallet = await shop.wallet("merchant", "USD");
        const invoice = { target_amount_requested: "100", time_limit: timeLimit };

        await site.onChain("LTC", async (chain) => {
          const unpaid = await shop.deposit(wallet, invoice, "LTC");
          const inTime = await shop.deposit(wallet, invoice, "LTC");
          const reconnect = node.cutOff();
          await chain.pay("LTC", addressOf(inTime), price);
          await mineBlocks(chain.node, 1);
          // Makes the node flush everything: a killed node forgets its newest blocks.
          await chain.node.command("gettxoutsetinfo");
          await node.kill();

          await shop.waitSeconds(timeLimit + 5);
          for (const deposit of [unpaid, inTime]) {
            await shop.expectDeposit(deposit, {
              status: depositStatus.created,
              target_paid: "0.00",
            });
          }
          await node.restart();
          await mineBlocks(chain.node, 5);
          reconnect();
          await chain.caughtUp();
          await shop.expectDeposit(inTime, { status: depositStatus.paid, target_paid: "100.00" });
          await shop.expectDeposit(unpaid, { status: depositStatus.canceled });
          await shop.expectBalance(wallet, "100.00", "0.00");

          const ranges = await site.sql<{ first: string; last: string }>(
            `select from_height as first, to_height as last from scanned_range where chain = 'LTC'`,
          );
          const { height } = await chain.tip();
          expect(ranges).toEqual([{ first: "0", last: String(height) }]);
        });
      }),
  );
}
