import { expect } from "vitest";
import { pausePayouts, resumePausedPayouts } from "../../../src/main/commands/pause-payouts.ts";
import { bookedFor, spendOf } from "../support/books.ts";
import {
  feeOf,
  fundedWallet,
  heldIn,
  newEvmAddress,
  openCashier,
  textOf,
} from "../support/cashier.ts";
import { signal } from "../support/chain-control.ts";
import { burntBy, unitsAt } from "../support/chain-facts.ts";
import { less, unitsOf } from "../support/money.ts";
import { withShop } from "../support/shop.ts";
import { currencyOf, inFull, type TestSite } from "../support/test-site.ts";

/** Takes coin in a simulation, whose gas has no price, and reverts in a transaction. */
const twoFaced = "0x3a156008575f5ffd5b00";

/**
 * Twenty payouts of ether and Tether in one transaction of the hot account, one of which its receiver refuses: it fails alone, and
 * chain and books agree to the last unit. Pauses the payouts of other scenarios too, so it runs after them.
 */
export async function payTogether(site: TestSite): Promise<void> {
  await withShop(site, async (shop) => {
    const clerk = openCashier(site, shop, site.clerk);
    const cashier = openCashier(site, shop, site.cashier);
    const { configFile } = site.deployment;
    await site.onChain("ETH", async (chain) => {
      const wallets = {
        ETH: await fundedWallet(shop, chain, "ETH", "5"),
        "USDT-ETH": await fundedWallet(shop, chain, "USDT-ETH", "500"),
      };
      const existing = Array.from({ length: 10 }, newEvmAddress);
      for (const address of existing)
        await chain.rpc.callOnce("anvil_setBalance", [address, "0x1"], signal);
      const [refusing = ""] = existing;
      await chain.rpc.callOnce("anvil_setCode", [refusing, twoFaced], signal);
      const orders = [
        ...existing.map((address) => ({ alpha: "ETH" as const, amount: "0.125", address })),
        ...Array.from({ length: 10 }, () => ({
          alpha: "USDT-ETH" as const,
          amount: "12.5",
          address: newEvmAddress(),
        })),
      ];
      const payouts = [];
      for (const order of orders) {
        const payout = await clerk.pay({ ...order, wallet: wallets[order.alpha] });
        payouts.push({ ...order, payout });
      }
      const pause = { kind: "chain", chain: "ETH" } as const;
      await pausePayouts(configFile, pause, "until all are there", site.terminal);
      for (const { payout } of payouts) await cashier.approve(payout);
      for (const { payout } of payouts)
        await cashier.expectTransfer(payout, { status: 0, risk_status: 1 });
      await resumePausedPayouts(configFile, pause, site.terminal);

      const txids = new Set<string>();
      for (const { payout } of payouts) txids.add(textOf(await cashier.expectSent(payout), "txid"));
      expect(txids.size).toBe(1);
      await chain.mine(currencyOf("ETH").confirmationBlocks + 1);
      const [refused, ...paid] = payouts;
      for (const { payout } of paid) await cashier.expectTransfer(payout, { status: 2 });
      const failed = await cashier.expectTransfer(refused!.payout, { status: -1 });
      expect(failed["message"]).toBe("The chain refused this payment");

      expect(await unitsAt(chain, "ETH", [refusing])).toBe(1n);
      for (const { alpha, amount, address } of paid) {
        const held = await unitsAt(chain, alpha, [address]);
        expect(held).toBe(unitsOf(inFull(amount, alpha), alpha) + (alpha === "ETH" ? 1n : 0n));
      }
      // Its transaction burnt gas for the refused payout too, so its payer is charged the fee, as for a reverted one.
      const ether = payouts.filter(({ alpha }) => alpha === "ETH");
      const fees = ether.map(({ payout }) => feeOf(payout));
      const leftEther = less("5", [...ether.slice(1).map(({ amount }) => amount), ...fees], "ETH");
      const nothing = { ETH: inFull("0", "ETH"), USDT: inFull("0", "USDT-ETH") };
      await shop.expectBalance(wallets.ETH, leftEther, nothing.ETH);
      const leftTether = less(
        "500",
        Array.from({ length: 10 }, () => "12.5"),
        "USDT-ETH",
      );
      await shop.expectBalance(wallets["USDT-ETH"], leftTether, nothing.USDT);
      for (const [alpha, wallet] of Object.entries(wallets))
        expect(await heldIn(site, wallet, alpha)).toBe(inFull("0", alpha));

      for (const { payout, alpha, amount } of paid) {
        const units = unitsOf(inFull(amount, alpha), alpha);
        const fee = alpha === "ETH" ? unitsOf(feeOf(payout), "ETH") : 0n;
        const { id } = currencyOf(alpha);
        expect(await bookedFor(site, `payout:${payout.id}`)).toEqual({
          [`wallet/${wallets[alpha]}/available`]: units + fee,
          [`chain/${id}`]: -units,
          ...(fee === 0n ? {} : { "fees/1002": -fee }),
        });
      }
      const burnt = await burntBy(chain, [...txids][0]!);
      expect(await bookedFor(site, await spendOf(site, paid[0]!.payout))).toEqual({
        "chain/1002": -burnt,
        "fees/1002": burnt,
      });
      for (const { payout } of payouts) await clerk.expectCallbackCount(payout, 1);
    });
  });
}
