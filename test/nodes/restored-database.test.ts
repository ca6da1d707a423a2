import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { Resource } from "../scenarios/support/api-client.ts";
import { fundedWallet, newEvmAddress, openCashier } from "../scenarios/support/cashier.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import { unitsOf } from "../scenarios/support/money.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { runSluice } from "../scenarios/support/run-sluice.ts";
import { addressOf, withShop } from "../scenarios/support/shop.ts";
import { currencyOf, type TestSite } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { withTestSite } from "../support/with-test-site.ts";

/*
 * The database is lost and restored from a backup; the chain and the signer's folder are newer. Nothing is paid twice, no address
 * or number is issued again, and the books match the chain in the end.
 */

let opened: RestorableDeployment | null = null;
beforeAll(async () => {
  opened = await startRestorableDeployment();
  // Nodes, a database, keys and three processes start in seconds, or minutes on a busy machine.
}, 900_000);
afterAll(() => opened?.stop());

const confirmations = currencyOf("ETH").confirmationBlocks + 1;

describe("a database restored from a backup", () => {
  it("pays nothing twice and issues no address or id again", async () => {
    const deployment = present(opened, "the deployment");
    const receivers = Array.from({ length: 5 }, newEvmAddress);
    const [early, second, third, blocked, late] = receivers as [
      string,
      string,
      string,
      string,
      string,
    ];

    const wallet = await withTestSite(deployment, (site) =>
      withShop(site, (shop) =>
        site.onChain("ETH", async (chain) => {
          const cashier = openCashier(site, shop, site.cashier);
          const funded = await fundedWallet(shop, chain, "ETH", "5");
          const order = { wallet: funded, alpha: "ETH", amount: "0.1", address: early };
          const payout = await cashier.pay(order);
          await cashier.expectSent(payout);
          await chain.mine(confirmations);
          await cashier.expectTransfer(payout, { status: 2 });
          return funded;
        }),
      ),
    );
    await deployment.killAll();
    await deployment.backUp();
    await Promise.all([deployment.startApi(), deployment.startWorker()]);

    const forgotten = await withTestSite(deployment, (site) =>
      withShop(site, (shop) =>
        site.onChain("ETH", async (chain) => {
          const cashier = openCashier(site, shop, site.cashier);
          const deposits: Resource[] = [];
          for (let count = 0; count < 3; count += 1) deposits.push(await shop.deposit(wallet));
          await chain.pay("ETH", addressOf(present(deposits[0], "a deposit")), "1");
          const order = { wallet, alpha: "ETH", amount: "0.2", address: second };
          const payouts = [await cashier.pay(order)];
          await cashier.expectSent(present(payouts[0], "it"));
          await chain.mine(confirmations);
          await cashier.expectTransfer(present(payouts[0], "it"), { status: 2 });
          payouts.push(await cashier.pay({ ...order, amount: "0.3", address: third }));
          await cashier.expectSent(present(payouts[1], "it"));
          return { deposits, payouts };
        }),
      ),
    );
    await deployment.killAll();
    await deployment.restore();

    // The api alone cannot tell that its database is older: it issues nothing before a worker has checked.
    await deployment.startApi();
    await withTestSite(deployment, (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        const deposit = {
          data: {
            type: "deposit",
            relationships: { wallet: { data: { type: "wallet", id: wallet } } },
          },
        };
        expect((await site.owner.ask("POST", "/deposit/", deposit)).status).toBe(503);
        const order = { wallet, alpha: "ETH", amount: "0.4", address: blocked };
        expect((await cashier.ask(order)).status).toBe(503);
      }),
    );
    await deployment.startWorker();
    // The signer's journal contains everything signed, so payouts may continue once the chain is read.
    await eventually(
      () => runSluice("resume", "--config", deployment.configFile).catch(() => null),
      (printed) => printed !== null,
    );

    await withTestSite(deployment, (site) =>
      withShop(site, (shop) =>
        site.onChain("ETH", async (chain) => {
          const cashier = openCashier(site, shop, site.cashier);
          const ids = (resources: readonly Resource[]) => resources.map(({ id }) => Number(id));
          const deposits: Resource[] = [];
          for (let count = 0; count < 6; count += 1) deposits.push(await shop.deposit(wallet));
          const addressesBefore = forgotten.deposits.map(addressOf);
          expect(
            deposits.map(addressOf).filter((address) => addressesBefore.includes(address)),
          ).toEqual([]);
          expect(Math.min(...ids(deposits))).toBeGreaterThan(Math.max(...ids(forgotten.deposits)));

          const payout = await cashier.pay({ wallet, alpha: "ETH", amount: "0.5", address: late });
          expect(Number(payout.id)).toBeGreaterThan(Math.max(...ids(forgotten.payouts)));
          await cashier.expectSent(payout);
          await chain.mine(confirmations);
          await cashier.expectTransfer(payout, { status: 2 });
          await fundedWallet(shop, chain, "ETH", "1");

          const received = await Promise.all(
            receivers.map((address) => unitsAt(chain, "ETH", [address])),
          );
          expect(received).toEqual(
            ["0.1", "0.2", "0.3", "0", "0.5"].map((amount) => unitsOf(amount, "ETH")),
          );
          // Payments to a forgotten deposit belong to no account; if swept, they end up in the hot account.
          const address = addressOf(present(forgotten.deposits[0], "it"));
          // Read both each time, because a sweep may happen between two reads.
          const { swept } = await eventually(
            async () => ({
              found: await difference(site, chain),
              swept: String(unitsOf("1", "ETH") - (await unitsAt(chain, "ETH", [address]))),
            }),
            (seen) => seen.found === seen.swept,
          );
          const stops = await site.sql("select scope, reason from payout_stop");
          if (swept === "0") expect(stops).toEqual([]);
        }),
      ),
    );
    const log = await deployment.workerLog();
    expect(log).toContain("a part of the deployment was restored");
    expect(log).toContain("a signed transaction was adopted");
  }, 900_000);
});

/** The balance of our addresses beyond the books. */
async function difference(
  { sql }: TestSite,
  chain: Parameters<typeof unitsAt>[0],
): Promise<string> {
  await chain.caughtUp();
  const [booked] = await sql<{ height: string; units: bigint }>(
    `select (select height from chain_cursor where chain = 'ETH') as height,
       sum(case when debit = $1 then units else -units end)::numeric as units
     from posting where $1 in (debit, credit)`,
    [`chain/${currencyOf("ETH").id}`],
  );
  const rows = await sql<{ address: string }>(
    `select address from deposit where address is not null
     union select address from treasury_address`,
  );
  const addresses = rows.map(({ address }) => address);
  const held = await unitsAt(chain, "ETH", addresses, Number(booked?.height));
  return String(held - (booked?.units ?? 0n));
}
