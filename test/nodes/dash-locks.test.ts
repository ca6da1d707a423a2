import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { expectWholeBooks } from "../scenarios/cases/whole-books.ts";
import { type Cashier, openCashier } from "../scenarios/support/cashier.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { patienceMs } from "../scenarios/support/define-scenario.ts";
import type { Deployment } from "../scenarios/support/deployment.ts";
import { startSandboxDeployment } from "../scenarios/support/sandbox-deployment.ts";
import { addressOf, type Shop, withShop } from "../scenarios/support/shop.ts";
import { openTestSite, type TestSite } from "../scenarios/support/test-site.ts";

/*
 * ChainLocks in a sandbox, over HTTP: a locked block settles what it contains, with however many confirmations, and is not replaced. The
 * scenario of all coins (`utxo-coins.test.ts`) runs without locks.
 */

const opened: { deployment: Deployment | null; site: TestSite | null } = {
  deployment: null,
  site: null,
};
beforeAll(async () => {
  opened.deployment = await startSandboxDeployment({ SLUICE_CHAINS: "DASH" });
  opened.site = await openTestSite(opened.deployment);
  // A node, a database, keys and three processes start in seconds, or minutes on a busy machine.
}, 900_000);
afterAll(async () => {
  await opened.site?.close();
  await opened.deployment?.stop();
});

type World = { readonly shop: Shop; readonly chain: ChainControl; readonly cashier: Cashier };

function play(scenario: (world: World) => Promise<void>): Promise<void> {
  const site = present(opened.site, "the sandbox");
  return withShop(site, (shop) =>
    site.onChain("DASH", (chain) =>
      scenario({ shop, chain, cashier: openCashier(site, shop, site.cashier) }),
    ),
  );
}

/** Sends a command to the control endpoint; resolves with the status. */
async function command({ chain: { site } }: World, name: string, body: object): Promise<number> {
  const base = site.family === "utxo" ? site.sandbox_url : undefined;
  const url = `${present(base, "a control endpoint")}/${name}`;
  return (await fetch(url, { method: "POST", body: JSON.stringify(body) })).status;
}

describe("a ChainLock", () => {
  it(
    "confirms a payment and makes its funds available after one block",
    {
      timeout: patienceMs,
    },
    () =>
      play(async (world) => {
        const { chain, shop } = world;
        const wallet = await shop.wallet("enterprise", "DASH");
        const deposit = await shop.deposit(wallet);
        const txid = await chain.pay("DASH", addressOf(deposit), "2");
        await command(world, "lock", { txid });
        await shop.expectTransfer(deposit, { status: 1, confirmations: 0, txid });
        await chain.mine(1);
        await shop.expectTransfer(deposit, { status: 1, confirmations: 1, txid });
        await shop.expectBalance(wallet, "0.00000000", "2.00000000");
        await shop.expectNoCallbacks(deposit);
        expect(await command(world, "lock", {})).toBe(200);
        await shop.expectTransfer(deposit, { status: 2, confirmations: 1, txid });
        await shop.expectBalance(wallet, "2.00000000", "0.00000000");
        await shop.expectCallbacks(deposit, ["transfer 2 2.00000000 (1)"]);
        expect(await command(world, "reorg", { depth: 1 })).toBe(400);
        await chain.mine(7);
        await shop.expectTransfer(deposit, { status: 2, confirmations: 8 });
        await shop.expectCallbackCount(deposit, 1);
      }),
  );

  it(
    "makes funds available before a larger count that the deposit asks for",
    {
      timeout: patienceMs,
    },
    () =>
      play(async (world) => {
        const { chain, shop } = world;
        const wallet = await shop.wallet("enterprise", "DASH");
        const [eager, patient] = [
          await shop.deposit(wallet, { confirmations_needed: 2 }),
          await shop.deposit(wallet, { confirmations_needed: 8 }),
        ];
        await chain.pay("DASH", addressOf(eager), "1");
        await chain.pay("DASH", addressOf(patient), "3");
        await chain.mine(1);
        await command(world, "lock", {});
        await shop.expectBalance(wallet, "4.00000000", "0.00000000");
        await shop.expectTransfer(eager, { status: 2, confirmations: 1 });
        await shop.expectTransfer(patient, { status: 1, confirmations: 1 });
        await chain.mine(7);
        await shop.expectTransfer(patient, { status: 2, confirmations: 8 });
      }),
  );

  it("confirms a payout after one block", { timeout: patienceMs }, () =>
    play(async (world) => {
      const { cashier, chain, shop } = world;
      const wallet = await shop.wallet("enterprise", "DASH");
      const deposit = await shop.deposit(wallet);
      await chain.pay("DASH", addressOf(deposit), "2");
      await chain.mine(1);
      await command(world, "lock", {});
      await shop.expectBalance(wallet, "2.00000000", "0.00000000");
      const address = await chain.node.faucet<string>("getnewaddress");
      const payout = await cashier.pay({ wallet, alpha: "DASH", amount: "0.5", address });
      await cashier.expectSent(payout);
      await chain.mine(1);
      await cashier.expectTransfer(payout, { status: 1, confirmations: 1 });
      await command(world, "lock", {});
      await cashier.expectTransfer(payout, { status: 2, confirmations: 1 });
    }),
  );

  it("leaves whole books", { timeout: patienceMs }, () =>
    expectWholeBooks(present(opened.site, "the sandbox")),
  );
});
