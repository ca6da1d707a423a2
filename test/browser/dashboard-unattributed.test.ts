/**
 * Unattributed payments in the dashboard, for operators: the list, the assignment to a deposit of another account, and the return. A
 * SIMULATED chain with tags writes to the sandbox's database under XRP's name. The returned payment is in ether, because the sandbox
 * pays it with its own signer and node.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "../../src/platform/db/connect.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { microsPerSecond } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { fundedWallet, newEvmAddress } from "../scenarios/support/cashier.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { arrangeReceipt } from "../support/arrange-receipt.ts";
import { arrangeWallet, depositWorld, readTransfers, xrp } from "../support/deposit-world.ts";
import { eventually } from "../support/eventually.ts";
import { taggedAccount } from "../support/tagged-account.ts";
import { describeInBrowser } from "./support/browser-suite.ts";
import { openDashboard, whoLooksIsKnown } from "./support/open-dashboard.ts";
import { presentable } from "./support/presentable.ts";
import { patienceMs } from "./support/visit.ts";

const patience = { timeout: 240_000 };

describeInBrowser("unattributed payments in the dashboard", (site) => {
  let db: Database | null = null;
  const worldOf = () => {
    const database = { db: present(db, "the database"), sql: site.testSite().sql, url: "" };
    const world = depositWorld(database);
    world.clock.advance(Math.floor((systemClock.now() - world.clock.now()) / microsPerSecond));
    return world;
  };
  beforeAll(() => {
    db = connect({
      url: site.deployment().databaseUrl,
      clock: systemClock,
      logger: silentLogger,
      statementConnections: 1,
      transactionConnections: 1,
    });
  });
  afterAll(() => db?.close());

  it("are listed, found, and assigned to a deposit of any account", patience, async () => {
    const world = worldOf();
    const chain = taggedAccount(world);
    await chain.open();
    const deposit = await chain.deposit(await arrangeWallet(world, { currency: xrp }), {
      requested: "25",
      label: "Blue teapot",
    });
    const txid = chain.pay("4711", 25_000_000n);
    chain.pay(null, 3_000_000n);
    await chain.mine(2);

    const visit = await openDashboard(site, "/");
    const { page } = visit;
    await page.getByRole("link", { name: /Unattributed payments/ }).click();
    const table = page.getByRole("table", { name: "Unattributed payments" });
    const row = table.getByRole("row").filter({ hasText: "4711" });
    await row.getByText("Waiting").waitFor();
    await presentable(visit, "dashboard-unattributed");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    expect((await saved).suggestedFilename()).toMatch(/\.csv$/);

    await row.getByRole("link").first().click();
    await page.getByRole("heading", { level: 1, name: /^Unattributed payment/ }).waitFor();
    await presentable(visit, "dashboard-unattributed-payment");
    await page.getByRole("button", { name: "Assign to a deposit" }).click();
    const dialog = page.getByRole("dialog", { name: /^Assign payment/ });
    await dialog.getByRole("searchbox", { name: "Find the deposit" }).fill("999999");
    await dialog.getByText("No deposit matches").waitFor();
    await dialog
      .getByRole("searchbox", { name: "Find the deposit" })
      .fill(present(deposit.tag, "a tag"));
    await dialog.getByRole("radio", { name: `Deposit ${deposit.id} of Test` }).check();
    await dialog.getByText("An assignment can't be undone").waitFor();
    const assign = dialog.getByRole("button", { name: "Assign" });
    expect(await assign.isDisabled()).toBe(true);
    await dialog.getByRole("textbox", { name: "Reason" }).fill("The payer wrote to us");
    await presentable(visit, "dashboard-unattributed-assign");
    await assign.click();
    await page.getByText(`Deposit ${deposit.id}`, { exact: true }).first().waitFor();
    await page.getByText("Assigned", { exact: true }).waitFor();
    expect(await readTransfers(world, deposit)).toMatchObject([{ txid, units: 25_000_000n }]);
    await presentable(visit, "dashboard-unattributed-assigned");
  });

  it("are returned once at the quoted fee, although a response was lost", patience, () =>
    withShop(site.testSite(), (shop) =>
      site.testSite().onChain("ETH", async (chain) => {
        // The operator's account pays by its Enterprise wallet; the hot account holds one ether more, as the receipt says.
        await fundedWallet(shop, chain, "ETH", "1");
        const payer = newEvmAddress();
        await addEther(chain);
        const id = await arrangeReceipt(worldOf(), { from: [payer] });
        const visit = await openDashboard(site, `/unattributed/${id}`);
        visit.expectErrors(/ERR_FAILED|409|400/);
        const { page } = visit;
        await page.getByRole("button", { name: "Return", exact: true }).click();
        const dialog = page.getByRole("dialog", { name: `Return payment ${id}` });
        const address = dialog.getByRole("textbox", { name: "Return address" });
        expect(await address.inputValue()).toBe(payer);
        await dialog.getByRole("textbox", { name: "Reason" }).fill("Nobody claims it");
        await address.fill("0x00000000000000000000000000000000000000zz");
        await dialog.getByText("This is not a valid ETH address.").waitFor();
        await address.fill(payer);
        await dialog.getByRole("radio", { name: /^Standard/ }).waitFor();
        const send = dialog.getByRole("button", { name: "Send return" });
        await send.click();
        await dialog.getByText("Enter a last name.").waitFor();
        await dialog.getByRole("textbox", { name: "First name" }).fill("Jo");
        await dialog.getByRole("textbox", { name: "Last name" }).fill("Doe");
        await dialog.getByRole("textbox", { name: "Street address" }).fill("1 Some Street");
        await presentable(visit, "dashboard-unattributed-return");

        const isReturn = (url: URL) => url.pathname === `/unattributed/${id}/return/`;
        // As if an hour had passed between quote and click: the service receives an old fee.
        await page.route(isReturn, (route) => {
          const { data } = route.request().postDataJSON() as {
            readonly data: { readonly attributes: Readonly<Record<string, unknown>> };
          };
          const attributes = { ...data.attributes, fee_amount: "0.9" };
          return route.continue({ postData: JSON.stringify({ data: { ...data, attributes } }) });
        });
        await send.click();
        await dialog.getByText("The network fee has changed").waitFor();
        await page.unroute(isReturn);
        // The service receives and executes the request, but its response is lost.
        await page.route(isReturn, async (route) => {
          await route.fetch({ timeout: patienceMs });
          return route.abort();
        });
        await send.click();
        await dialog.getByText("No response to your last return").waitFor();
        await presentable(visit, "dashboard-unattributed-unanswered");
        await page.unroute(isReturn);
        await dialog.getByRole("button", { name: "Retry" }).click();
        await page.getByText("Return sent").waitFor();
        await page.getByText("Returned by", { exact: true }).waitFor();
        const paid = () => unitsAt(chain, "ETH", [payer]);
        await eventually(
          async () => {
            await chain.mine(8);
            return paid();
          },
          (units) => units > 0n,
          60,
        );
        await page.getByText("Returned", { exact: true }).waitFor();
        const received = await paid();
        expect(received).toBeLessThan(10n ** 18n);
        expect(received).toBeGreaterThan(99n * 10n ** 16n);
        const [payouts] = await site
          .testSite()
          .sql<{ count: string }>("select count(*) from payout where lower(address) = lower($1)", [
            payer,
          ]);
        expect(payouts).toEqual({ count: "1" });
        await presentable(visit, "dashboard-unattributed-returned");
      }),
    ),
  );

  /** One ether more in the hot account without a transaction, so that chain and ledger agree after `arrangeReceipt`. */
  async function addEther({ rpc }: ChainControl): Promise<void> {
    const { signal } = new AbortController();
    const [hot] = await site
      .testSite()
      .sql<{ address: string }>(
        "select address from treasury_address where purpose = 'hot' and address like '0x%'",
      );
    const { address } = present(hot, "the hot account");
    const balance = BigInt(await rpc.call<string>("eth_getBalance", [address, "latest"], signal));
    const raised = `0x${(balance + 10n ** 18n).toString(16)}`;
    await rpc.call("anvil_setBalance", [address, raised], signal);
  }

  it("are hidden from other tenants", patience, async () => {
    const { page, expectAccessible } = await openDashboard(site, "/unattributed", {
      as: site.deployment().other,
    });
    await page.getByText("Only operators of this deployment can view this page.").waitFor();
    await whoLooksIsKnown(page);
    const navigation = page.getByRole("navigation", { name: "Main" });
    expect(await navigation.getByRole("link", { name: "Unattributed" }).count()).toBe(0);
    await expectAccessible();
  });
});
