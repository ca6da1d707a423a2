import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressOfPayee } from "../../src/chains/utxo/output-script.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { fundedWallet, newEvmAddress, openCashier } from "../scenarios/support/cashier.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import { daemonOf } from "../scenarios/support/define-scenario.ts";
import { unitsOf } from "../scenarios/support/money.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { runSluice } from "../scenarios/support/run-sluice.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { currencyOf, type TestSite } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { bitcoin, litecoin } from "../support/known-chains.ts";
import { withTestSite } from "../support/with-test-site.ts";

/*
 * The machine is lost with the database and the signer's folder. Both are restored from a dump and a copy of the folder made
 * right after it; payouts that were held at that time have since been signed and mined. Only the chains know that they were paid.
 */

const assets = [
  { alpha: "BTC", chain: "BTC", funds: "1", amount: "0.2" },
  { alpha: "LTC", chain: "LTC", funds: "1", amount: "0.2" },
  { alpha: "ETH", chain: "ETH", funds: "2", amount: "0.3" },
  { alpha: "USDT-ETH", chain: "ETH", funds: "100", amount: "30" },
] as const;

function newAddress(chain: "BTC" | "LTC" | "ETH"): string {
  if (chain === "ETH") return newEvmAddress();
  const { regtest } = (chain === "BTC" ? bitcoin : litecoin).networks;
  return addressOfPayee(regtest, { kind: "p2wpkh", hash: systemRandom.bytes(20) });
}

let opened: RestorableDeployment | null = null;
beforeAll(async () => {
  const found = { BTC: daemonOf("BTC"), LTC: daemonOf("LTC") };
  if (found.BTC.kind !== "found" || found.LTC.kind !== "found")
    throw new Error("this test needs bitcoind and litecoind");
  opened = await startRestorableDeployment({ BTC: found.BTC.path, LTC: found.LTC.path });
  // Three nodes, a database, keys and three processes start in seconds, or minutes on a busy machine.
}, 900_000);
afterAll(() => opened?.stop());

describe("a deployment restored from a dump and a copy of the signer's folder made right after it", () => {
  it("pays no payout twice", async () => {
    const deployment = present(opened, "the deployment");
    const sluice = (...args: readonly string[]) =>
      runSluice(...args, "--config", deployment.configFile);

    const payouts = await withTestSite(deployment, (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        const wallets: string[] = [];
        for (const { alpha, chain, funds } of assets)
          wallets.push(
            await site.onChain(chain, (control) => fundedWallet(shop, control, alpha, funds)),
          );
        // Without a worker they stay held.
        await deployment.killWorker();
        const created = [];
        for (const [place, { alpha, chain, amount }] of assets.entries()) {
          const address = newAddress(chain);
          const wallet = present(wallets[place], "its wallet");
          const payout = await cashier.pay({ wallet, alpha, amount, address });
          created.push({ payout, alpha, chain, amount, address });
        }
        return created;
      }),
    );
    const receivedBy = (site: TestSite) =>
      Promise.all(
        payouts.map(({ alpha, chain, address }) =>
          site.onChain(chain, (control) => unitsAt(control, alpha, [address])),
        ),
      );
    const mine = async (site: TestSite) => {
      for (const chain of ["BTC", "LTC", "ETH"])
        await site.onChain(chain, async (control) => {
          await control.mine(currencyOf(chain).confirmationBlocks + 1);
        });
    };
    const once = payouts.map(({ alpha, amount }) => unitsOf(amount, alpha));
    await deployment.killAll();
    await deployment.backUp();
    await deployment.backUpSigner();

    await Promise.all([deployment.startApi(), deployment.startWorker()]);
    await withTestSite(deployment, (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        for (const { payout } of payouts) await cashier.expectSent(payout);
        await mine(site);
        for (const { payout } of payouts) await cashier.expectTransfer(payout, { status: 2 });
        expect(await receivedBy(site)).toEqual(once);
      }),
    );

    await deployment.killAll();
    await deployment.killSigner();
    await deployment.restore();
    await deployment.restoreSigner();
    deployment.startSigner();
    await deployment.startApi();
    await deployment.startWorker();
    await withTestSite(deployment, (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        // Until each is reported, or until one is paid again.
        const { listed } = await eventually(
          async () => {
            await mine(site);
            return {
              listed: await sluice("unexplained", "list").catch(() => ""),
              received: await receivedBy(site),
            };
          },
          (seen) =>
            payouts.every(({ payout }) =>
              seen.listed.includes(`with the same receiver and amount: ${payout.id}\n`),
            ) || seen.received.some((units, place) => units !== once[place]),
        );
        expect(await receivedBy(site)).toEqual(once);
        for (const { alpha, amount, address } of payouts)
          expect(listed).toMatch(new RegExp(`paid ${amount}[.0]* ${alpha} to ${address}`, "i"));
        await expect(sluice("resume")).rejects.toThrow(
          "must decide about these transactions first",
        );
        const refused = await cashier.client.ask(
          "POST",
          `/payout/${present(payouts[0], "it").payout.id}/cancel/`,
        );
        expect(refused.status).toBe(400);

        for (const { payout, chain, address } of payouts) {
          const txid = present(
            new RegExp(`^${chain} (\\S+), block (?:(?!^\\S).)*to ${address}$`, "ims").exec(
              listed,
            )?.[1],
            "its transaction",
          );
          await sluice(
            ...["unexplained", "settle", chain, txid],
            ...["--payout", payout.id, "--reason", "the chain shows it"],
          );
        }
        await sluice("resume");
        for (const { payout } of payouts) {
          await eventually(
            async () => {
              await mine(site);
              return (await cashier.transfer(payout)).attributes["status"];
            },
            (status) => status === 2,
          );
        }
        // A comparison before the decisions may have paused a chain; the next one that agrees resumes it.
        await eventually(
          () => site.sql("select from payout_stop where kind = 'reconciliation'"),
          (rows) => rows.length === 0,
        );
        // Later requests are paid as well.
        const [, , ether] = assets;
        const address = newAddress("ETH");
        const { relationships } = present(payouts[2], "it").payout;
        const wallet = (relationships["wallet"] as { data: { id: string } }).data.id;
        const late = await cashier.pay({ wallet, alpha: ether.alpha, amount: "0.1", address });
        await cashier.expectSent(late);
        await mine(site);
        await cashier.expectTransfer(late, { status: 2 });
        expect(await receivedBy(site)).toEqual(once);
        await eventually(
          () => site.sql("select chain from reconciliation where differs_since is not null"),
          (rows) => rows.length === 0,
        );
      }),
    );
  }, 900_000);
});
