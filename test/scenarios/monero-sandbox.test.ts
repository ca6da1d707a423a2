import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MoneroSite, readSandboxFile } from "../../src/sandbox/sandbox-file.ts";
import { queryMonero } from "../support/query-monero.ts";
import { patienceMs } from "./support/define-scenario.ts";
import type { Deployment } from "./support/deployment.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";
import { addressOf, depositStatus, type Shop, withShop } from "./support/shop.ts";
import { openTestSite, type TestSite } from "./support/test-site.ts";

/*
 * XMR through HTTP in the sandbox, on a private chain of real monerod. The payer is Monero's own wallet, which finds everything that it needs
 * in sandbox.json.
 */

let deployment: Deployment;
let site: TestSite;
let chain: MoneroSite;

beforeAll(async () => {
  deployment = await startSandboxDeployment({ SLUICE_CHAINS: "XMR" });
  const file = await readSandboxFile(join(deployment.configFile, ".."));
  chain = file.chains["XMR"] as MoneroSite;
  site = await openTestSite(deployment);
}, 900_000);
afterAll(async () => {
  await site.close();
  await deployment.stop();
});

/** Pays by the wallet's own means; resolves with the transaction's id. */
async function pay(destinations: readonly { address: string; amount: number }[]): Promise<string> {
  await queryMonero(chain.faucet_wallet_url, "refresh");
  const { tx_hash } = await queryMonero<{ readonly tx_hash: string }>(
    chain.faucet_wallet_url,
    "transfer",
    { destinations },
  );
  return tx_hash;
}

const mine = (count: number): Promise<unknown> =>
  site.onChain("XMR", (control) => control.mine(count));

const inShop = (work: (shop: Shop, wallet: string) => Promise<void>): Promise<void> =>
  withShop(site, async (shop) => work(shop, await shop.wallet("enterprise", "XMR")));

describe("a deposit of XMR", () => {
  it(
    "has a subaddress, is pending in the pool, and is credited after the confirmations",
    { timeout: patienceMs },
    () =>
      inShop(async (shop, wallet) => {
        const deposit = await shop.deposit(wallet);
        const address = addressOf(deposit);
        expect(address).toMatch(/^8[1-9A-HJ-NP-Za-km-z]{94}$/);
        const txid = await pay([{ address, amount: 1_500_000_000_001 }]);
        await shop.expectTransfer(deposit, { txid, status: 1 });
        await shop.expectBalance(wallet, "0.000000000000", "1.500000000001");
        await mine(11);
        await shop.expectBalance(wallet, "0.000000000000", "1.500000000001");
        await mine(1);
        await shop.expectBalance(wallet, "1.500000000001", "0.000000000000");
        expect(await shop.read(deposit)).toMatchObject({ assets: { XMR: "1.500000000001" } });
      }),
  );

  it("is paid with others in one transaction, and twice", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const [one, other] = [await shop.deposit(wallet), await shop.deposit(wallet)];
      const [first, second] = [addressOf(one), addressOf(other)];
      expect(first).not.toBe(second);
      await pay([
        { address: first, amount: 250_000_000_000 },
        { address: second, amount: 500_000_000_000 },
        { address: first, amount: 125_000_000_000 },
      ]);
      await mine(12);
      await shop.expectBalance(wallet, "0.875000000000", "0.000000000000");
      expect((await shop.transfers(one)).map(({ amount }) => amount).sort()).toEqual([
        "0.125000000000",
        "0.250000000000",
      ]);
      await shop.expectDeposit(other, { assets: { XMR: "0.500000000000" } });
    }),
  );

  it("survives a reorg of 20 blocks and is credited once", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      await mine(20);
      const txid = await pay([{ address: addressOf(deposit), amount: 2_000_000_000_000 }]);
      await mine(20);
      await shop.expectBalance(wallet, "2.000000000000", "0.000000000000");
      await site.onChain("XMR", (control) => control.reorg(20, "wait"));
      await shop.expectBalance(wallet, "0.000000000000", "2.000000000000");
      await mine(12);
      await shop.expectBalance(wallet, "2.000000000000", "0.000000000000");
      expect(await shop.transfers(deposit)).toMatchObject([{ txid }]);
    }),
  );

  it("has a payment link in the form of Monero's wallet", { timeout: patienceMs }, () =>
    withShop(site, async (shop) => {
      const merchant = await shop.wallet("merchant", "USD");
      const deposit = await shop.deposit(merchant, { amount_target: "30.00" }, "XMR");
      expect(deposit.attributes["status"]).toBe(depositStatus.created);
      const { target_amount_requested, payment_page } = deposit.attributes;
      const address = deposit.attributes["address"] as string;
      expect(address).toMatch(/^8/);
      expect(payment_page).toMatch(/^http/);
      expect(target_amount_requested ?? "30.00").toBe("30.00");
      const { uri } = await queryMonero<{ readonly uri: string }>(
        chain.faucet_wallet_url,
        "make_uri",
        { address, amount: 150_000_000_000 },
      );
      expect(uri).toBe(`monero:${address}?tx_amount=0.150000000000`);
    }),
  );
});
