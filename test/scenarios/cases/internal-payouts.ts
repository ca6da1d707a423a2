import { expect } from "vitest";
import { bookedFor } from "../support/books.ts";
import { withoutConfirmations } from "../support/callbacks.ts";
import { type Cashier, fundedWallet, openCashier, textOf } from "../support/cashier.ts";
import { unitsAt } from "../support/chain-facts.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { amountOf, less, unitsOf } from "../support/money.ts";
import { addressOf, depositStatus, type Shop, withShop } from "../support/shop.ts";
import { currencyOf, inFull } from "../support/test-site.ts";

/*
 * The service pays its own deposits and wallets internally: at once, free, without a transaction. By address, by deposit, by
 * wallet; on the chain only if the payer requires it.
 */
export function internalPayouts(scenario: DefineScenario): void {
  scenario("pays a deposit of the service at once and off the chain", ["ETH"], (site) =>
    withShop(site, async (shop) => {
      const cashier = openCashier(site, shop, site.cashier);
      const amount = inFull("0.4", "ETH");
      await site.onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "2");
        const till = await shop.wallet("merchant", "USD");
        const invoice = { target_amount_requested: "1000" };
        const [byAddress, byPage] = [
          await shop.deposit(till, invoice, "ETH"),
          await shop.deposit(till, invoice, "ETH"),
        ];
        const order = { wallet, alpha: "ETH", amount: "0.4" };
        const address = addressOf(byAddress);
        expect(await cashier.calculate({ ...order, address })).toMatchObject({
          isInternal: true,
          low: inFull("0", "ETH"),
          high: inFull("0", "ETH"),
        });
        const first = await cashier.pay({ ...order, address });
        const second = await cashier.pay({
          ...order,
          attributes: { target_deposit: pageOf(byPage.attributes["payment_page"]) },
        });
        for (const [payout, deposit] of [
          [first, byAddress],
          [second, byPage],
        ] as const) {
          await cashier.expectTransfer(payout, { status: 2, amount, txid: null, confirmations: 0 });
          await shop.expectTransfer(deposit, { status: 2, amount, txid: null });
          // 2,500 dollars for one ether.
          await shop.expectDeposit(deposit, { status: depositStatus.paid, target_paid: "1000.00" });
          await cashier.expectCallbackCount(payout, 1);
          expect(withoutConfirmations(await cashier.callbacks(payout))).toEqual([
            `transfer 2 ${amount}`,
          ]);
          await shop.expectCallbackCount(deposit, 2);
          expect(withoutConfirmations(await shop.callbacks(deposit)).toSorted()).toEqual([
            "status 3",
            `transfer 2 ${amount}`,
          ]);
          expect(await bookedFor(site, `payout:${payout.id}`)).toEqual({
            [`wallet/${wallet}/available`]: unitsOf("0.4", "ETH"),
            "transit/1002": -unitsOf("0.4", "ETH"),
          });
          expect(await unitsAt(chain, "ETH", [addressOf(deposit)])).toBe(0n);
        }
        await shop.expectBalance(wallet, inFull("1.2", "ETH"), inFull("0", "ETH"));
        await shop.expectBalance(till, "2000.00", "0.00");
        expect(second.attributes["target_deposit"]).toBe(pageOf(byPage.attributes["payment_page"]));
      });
    }),
  );

  scenario("pays from wallet to wallet, with a Swap wallet at the current rate", ["ETH"], (site) =>
    withShop(site, async (shop) => {
      const cashier = openCashier(site, shop, site.cashier);
      const [ether, swap] = await site.onChain("ETH", async (chain) => [
        await fundedWallet(shop, chain, "ETH", "2"),
        await shop.wallet("swap", "USDT-ETH"),
      ]);
      const into = await move(cashier, ether, swap, "1");
      await cashier.expectTransfer(into, { status: 2, txid: null, fee: inFull("0", "ETH") });
      await shop.expectBalance(ether, inFull("1", "ETH"), inFull("0", "ETH"));
      // 2,500 dollars, the bid for ether, over 1.0004, the ask for a USDT: 2499.00039984.
      await shop.expectBalance(swap, "2499.000399", "0.000000");
      expect(into.attributes).toMatchObject({ target_wallet: swap, address: null });

      const back = await move(cashier, swap, ether, "1000", "USDT-ETH");
      await cashier.expectTransfer(back, { status: 2, amount: "1000.000000", txid: null });
      // 1 dollar over 2,501: 0.00039984006 ether for a USDT.
      await shop.expectBalance(ether, inFull("1.39984006", "ETH"), inFull("0", "ETH"));
      await shop.expectBalance(swap, "1499.000399", "0.000000");
      // The operator keeps what the rate leaves below the last digit.
      await move(cashier, ether, swap, "0.000010000000000399");
      await shop.expectBalance(swap, "1499.025389", "0.000000");
      await shop.expectBalance(ether, "1.399830059999999601", inFull("0", "ETH"));
      await cashier.expectCallbackCount(back, 1);
      const refused = await cashier.ask({
        wallet: ether,
        alpha: "ETH",
        amount: "5",
        attributes: { target_wallet: swap },
      });
      expect(refused.codes).toEqual(["4008"]);
    }),
  );

  scenario(
    "sends a transaction with force_blockchain, even to a deposit of ours",
    ["ETH"],
    (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        await site.onChain("ETH", async (chain) => {
          const { till, target } = await richTill(shop, chain);
          const order = { wallet: till, alpha: "ETH", amount: "0.5", address: addressOf(target) };
          // A quote ignores force_blockchain: it is the same as for any address.
          const stranger = { ...order, address: "0x00000000000000000000000000000000000c0ffe" };
          const { medium: fee } = await cashier.calculate(stranger);
          const attributes = { force_blockchain: true, fee_amount: fee };
          const payout = await cashier.pay({ ...order, attributes });
          const sent = await cashier.expectSent(payout);
          expect(sent["txid"]).toMatch(/^0x[0-9a-f]{64}$/);
          await chain.mine(currencyOf("ETH").confirmationBlocks + 1);
          const amount = inFull("0.5", "ETH");
          const txid = textOf(sent, "txid");
          await cashier.expectTransfer(payout, { status: 2, amount, txid });
          await shop.expectTransfer(target, { status: 2, amount, txid });
          await cashier.expectCallbackCount(payout, 1);
          await shop.expectCallbackCount(target, 1);
          const cents = 10n ** 16n;
          const wei = unitsOf("0.5", "ETH") + unitsOf(fee, "ETH");
          // The ask for one ether is 2,501 dollars; rounded up to whole cents.
          const charged = (wei * 2501n + cents - 1n) / cents;
          const left = less("5000.00", [amountOf(charged, "USD")], "USD");
          await shop.expectBalance(till, left, "0.00");
        });
      }),
  );
}

/** A Merchant wallet with 5,000 dollars, and a deposit of the service to another address. */
async function richTill(shop: Shop, chain: Parameters<typeof fundedWallet>[1]) {
  const till = await shop.wallet("merchant", "USD");
  const paidIn = await shop.deposit(till, {}, "ETH");
  await chain.pay("ETH", addressOf(paidIn), "2");
  await chain.mine(13);
  await shop.expectBalance(till, "5000.00", "0.00");
  const target = await shop.deposit(await shop.wallet("enterprise", "ETH"));
  return { till, target };
}

function move(cashier: Cashier, wallet: string, target: string, amount: string, alpha = "ETH") {
  return cashier.pay({ wallet, alpha, amount, attributes: { target_wallet: target } });
}

/** The UUID at the end of a payment page's URL. */
function pageOf(url: unknown): string {
  return String(url).replace(/\/$/, "").split("/").at(-1) ?? "";
}
