import { expect } from "vitest";
import { changeAllowlist, setAllowlistMode } from "../../../src/main/commands/change-allowlist.ts";
import {
  type PauseTarget,
  pausePayouts,
  resumePausedPayouts,
} from "../../../src/main/commands/pause-payouts.ts";
import { setPayoutLimit } from "../../../src/main/commands/set-payout-limit.ts";
import { eventually } from "../../support/eventually.ts";
import type { Resource } from "../support/api-client.ts";
import {
  feeOf,
  fundedWallet,
  heldIn,
  newEvmAddress,
  openCashier,
  payoutStatus,
} from "../support/cashier.ts";
import { unitsAt } from "../support/chain-facts.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { less } from "../support/money.ts";
import { addressOf, withShop } from "../support/shop.ts";
import { currencyOf, inFull, type TestSite } from "../support/test-site.ts";

/* Who may pay out, how much, and to whom; and how an operator stops payouts. */
export function payoutControls(scenario: DefineScenario): void {
  approval(scenario);
  limits(scenario);
  killSwitches(scenario);
  addressBook(scenario);
}

function approval(scenario: DefineScenario): void {
  scenario("keeps a clerk's payout waiting until another person approves it", ["ETH"], (site) =>
    withShop(site, async (shop) => {
      const clerk = openCashier(site, shop, site.clerk);
      const cashier = openCashier(site, shop, site.cashier);
      const owner = openCashier(site, shop, {
        client: site.owner,
        login: site.deployment.owner,
      });
      const nothing = inFull("0", "ETH");
      await site.onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "3");
        const address = newEvmAddress();
        const order = { wallet, alpha: "ETH", amount: "0.5", address };
        const payout = await clerk.pay(order);
        const regretted = await clerk.pay({ ...order, attributes: { tracking_id: "oops" } });
        for (const { attributes } of [payout, regretted])
          expect(attributes).toMatchObject({ status: payoutStatus.waiting });
        const taken = ["0.5", feeOf(payout)];
        const both = [...taken, "0.5", feeOf(regretted)];
        await shop.expectBalance(wallet, less("3", both, "ETH"), nothing);

        await chain.mine(3);
        await clerk.expectTransfer(payout, { status: 0, txid: null });
        expect(await unitsAt(chain, "ETH", [address])).toBe(0n);
        expect(await askFor(site.clerk.client, payout, "approve")).toEqual([
          403,
          "permission_denied",
        ]);

        expect((await clerk.cancel(regretted)).attributes["status"]).toBe(payoutStatus.canceled);
        await shop.expectBalance(wallet, less("3", taken, "ETH"), nothing);
        await clerk.expectTransfer(regretted, { status: -3, txid: null });
        // A tracking_id stays used.
        const again = { ...order, attributes: { tracking_id: "oops" } };
        expect((await clerk.ask(again)).codes).toEqual(["4012"]);

        const approved = await cashier.approve(payout);
        expect(approved.attributes["status"]).toBe(payoutStatus.approved);
        await clerk.expectSent(payout);
        for (const canceller of [site.clerk.client, site.owner])
          expect(await askFor(canceller, payout, "cancel")).toEqual([400, "1007"]);
        expect(await askFor(site.owner, payout, "approve")).toEqual([400, "1007"]);
        await chain.mine(12);
        await clerk.expectTransfer(payout, { status: 2 });
        expect(await unitsAt(chain, "ETH", [address])).toBe(5n * 10n ** 17n);
        await clerk.expectCallbackCount(payout, 1);
        // And none will follow: a callback is written together with what it reports.
        const ofIt = `filter[object_type]=payout&filter[object_id]=${regretted.id}`;
        expect(await site.owner.list(`/callback/?${ofIt}`)).toEqual([]);
        expect(await clerk.callbacks(regretted)).toEqual([]);

        // An Owner needs no approval, and cannot approve payouts of their own.
        await setPayoutLimit(
          site.deployment.configFile,
          limitOf("ETH", "0.2", wallet),
          site.terminal,
        );
        const own = await owner.pay(order);
        expect(own.attributes["status"]).toBe(payoutStatus.waiting);
        expect(await askFor(site.owner, own, "approve")).toEqual([403, "permission_denied"]);
        await owner.cancel(own);
        await shop.expectBalance(wallet, less("3", taken, "ETH"), nothing);
      });
    }),
  );
}

async function askFor(
  client: TestSite["owner"],
  { id }: Resource,
  action: "approve" | "cancel",
): Promise<readonly [number, string | undefined]> {
  const { status, codes } = await client.ask("POST", `/payout/${id}/${action}/`);
  return [status, codes[0]];
}

function limitOf(
  currency: string,
  amount: string | null,
  walletId: string,
  span: "transaction" | "hour" | "day" = "transaction",
) {
  return { span, currency, amount, accountId: null, walletId };
}

function limits(scenario: DefineScenario): void {
  scenario("keeps a payout above a limit waiting for approval", ["ETH"], (site) =>
    withShop(site, async (shop) => {
      const { configFile } = site.deployment;
      const cashier = openCashier(site, shop, site.cashier);
      await site.onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "3");
        const address = newEvmAddress();
        const pay = (amount: string) => cashier.pay({ wallet, alpha: "ETH", amount, address });
        const status = async (amount: string) => (await pay(amount)).attributes["status"];
        await setPayoutLimit(configFile, limitOf("ETH", "0.5", wallet), site.terminal);
        expect(await status("0.5")).toBe(payoutStatus.approved);
        const above = await pay("0.500000000000000001");
        expect(above.attributes["status"]).toBe(payoutStatus.waiting);
        await setPayoutLimit(configFile, limitOf("ETH", "1.2", wallet, "hour"), site.terminal);
        // The approved 0.5 and the waiting payout count too.
        expect(await status("0.19")).toBe(payoutStatus.approved);
        expect(await status("0.02")).toBe(payoutStatus.waiting);
        await cashier.cancel(above);
        expect(await status("0.02")).toBe(payoutStatus.approved);
        await setPayoutLimit(configFile, limitOf("ETH", null, wallet), site.terminal);
        await setPayoutLimit(configFile, limitOf("ETH", null, wallet, "hour"), site.terminal);
        expect(await status("0.6")).toBe(payoutStatus.approved);
        const list = await cashier.client.list(`/payout/?filter[wallet]=${wallet}`);
        const approved = list.filter(
          (payout) => payout.attributes["status"] === payoutStatus.approved,
        );
        for (const payout of approved) await cashier.expectSent(payout);
        await chain.mine(12);
        for (const payout of approved) await cashier.expectTransfer(payout, { status: 2 });
        expect(await unitsAt(chain, "ETH", [address])).toBe(131n * 10n ** 16n);
        for (const payout of list) {
          if (payout.attributes["status"] === payoutStatus.waiting) await cashier.cancel(payout);
        }
        expect(await heldIn(site, wallet, "ETH")).toBe(inFull("0", "ETH"));
      });
    }),
  );
}

function killSwitches(scenario: DefineScenario): void {
  scenario(
    "accepts and sends no payouts while they are paused for a wallet or a chain",
    ["BTC"],
    (site) =>
      withShop(site, async (shop) => {
        await site.onChain("BTC", async (chain) => {
          const wallet = await fundedWallet(shop, chain, "BTC", "0.1");
          await expectPause(site, shop, wallet, { kind: "wallet", walletId: wallet });
          await expectPause(site, shop, wallet, { kind: "chain", chain: "BTC" });
          await chain.mine(2);
        });
      }),
  );
}

/** Pauses the payouts of all other scenarios too, so it runs after them. */
export async function pauseEverywhere(site: TestSite): Promise<void> {
  await withShop(site, (shop) =>
    site.onChain("ETH", async (chain) => {
      const wallet = await fundedWallet(shop, chain, "ETH", "1");
      await expectPause(site, shop, wallet, { kind: "all" }, "ETH");
      await chain.mine(12);
    }),
  );
}

const outside = {
  ETH: "0x00000000000000000000000000000000000c0ffe",
  BTC: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
} as const;

/** A payout that was approved during the pause waits, a new one is refused, and the waiting one continues afterwards. */
async function expectPause(
  site: TestSite,
  shop: Parameters<typeof openCashier>[1],
  wallet: string,
  what: PauseTarget,
  alpha: keyof typeof outside = "BTC",
): Promise<void> {
  const { configFile } = site.deployment;
  const [clerk, cashier] = [site.clerk, site.cashier].map((member) =>
    openCashier(site, shop, member),
  );
  if (clerk === undefined || cashier === undefined) throw new Error("no clerk or no cashier");
  const order = { wallet, alpha, amount: "0.01", address: outside[alpha] };
  const payout = await clerk.pay(order);
  const fee_amount = feeOf(payout);
  await pausePayouts(configFile, what, "a drill", site.terminal);
  try {
    const refused = await cashier.ask({ ...order, attributes: { fee_amount } });
    expect([refused.status, refused.codes]).toEqual([403, ["3019"]]);
    await cashier.approve(payout);
    // Longer than a pass of the pipeline and a pass of screening together.
    await shop.waitSeconds(3);
    await clerk.expectTransfer(payout, { status: 0, txid: null });
  } finally {
    await resumePausedPayouts(configFile, what, site.terminal);
  }
  await clerk.expectSent(payout);
}

function addressBook(scenario: DefineScenario): void {
  scenario(
    "pays only addresses in the address book of an account that requires it",
    ["ETH"],
    (site) =>
      withShop(site, async (shop) => {
        const { configFile } = site.deployment;
        const { other } = site;
        const eth = currencyOf("ETH").id as string;
        const wallet = await other.post("/wallet/", {
          data: {
            type: "wallet",
            attributes: { type: 2 },
            relationships: { currency: { data: { type: "currency", id: eth } } },
          },
        });
        const deposit = await other.post("/deposit/", {
          data: {
            type: "deposit",
            attributes: {},
            relationships: { wallet: { data: { type: "wallet", id: wallet.id } } },
          },
        });
        await site.onChain("ETH", async (chain) => {
          await chain.pay("ETH", addressOf(deposit), "1");
          await chain.mine(13);
          await eventually(
            () => other.get(`/wallet/${wallet.id}/`),
            ({ attributes }) => attributes["balance_confirmed"] === inFull("1", "ETH"),
          );
          const cashier = openCashier(site, shop, { client: other, login: site.deployment.other });
          const [known, stranger] = [newEvmAddress(), newEvmAddress()];
          const order = { wallet: wallet.id, alpha: "ETH", amount: "0.1", address: known };
          const { medium: fee_amount } = await cashier.calculate(order);
          const ask = (address: string) =>
            cashier.ask({ ...order, address, attributes: { fee_amount } });
          const accountId = await accountOf(site);
          await setAllowlistMode(configFile, { accountId, isAllowlistOnly: true }, site.terminal);
          const payee = { accountId, chain: "ETH", address: known, tag: null, label: "" };
          try {
            expect((await ask(known)).codes).toEqual(["7001"]);
            await changeAllowlist(configFile, { ...payee, change: "add" }, site.terminal);
            const created = await ask(known);
            expect(created.status).toBe(201);
            expect((await ask(stranger)).codes).toEqual(["7001"]);
            await cashier.expectSent(created.one);
            await chain.mine(12);
            await cashier.expectTransfer(created.one, { status: 2 });
            expect(await unitsAt(chain, "ETH", [known])).toBe(10n ** 17n);
            await changeAllowlist(configFile, { ...payee, change: "remove" }, site.terminal);
            expect((await ask(known)).codes).toEqual(["7001"]);
          } finally {
            await setAllowlistMode(
              configFile,
              { accountId, isAllowlistOnly: false },
              site.terminal,
            );
          }
        });
      }),
  );
}

async function accountOf({ sql, deployment }: TestSite): Promise<string> {
  const [row] = await sql<{ readonly id: string }>(
    "select m.account_id as id from credential c join member m on m.id = c.member_id where c.login = $1",
    [deployment.other.login],
  );
  return row?.id ?? "";
}
