import { expect } from "vitest";
import { wasPending } from "../support/books.ts";
import { withoutConfirmations } from "../support/callbacks.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, depositStatus, withShop } from "../support/shop.ts";
import { currencyOf, inFull } from "../support/test-site.ts";

/*
 * A payment to a deposit of an Enterprise wallet is pending from the moment it is seen, and becomes payable and is reported once
 * at the currency's own confirmations.
 */
export function enterpriseDeposits(scenario: DefineScenario): void {
  for (const alpha of ["ETH", "USDT-ETH", "USDC-ETH"]) {
    scenario(
      `makes a deposit in ${alpha} pending, then Confirmed and credited, and reports it once`,
      ["ETH"],
      (site) =>
        withShop(site, async (shop) => {
          const wallet = await shop.wallet("enterprise", alpha);
          const deposit = await shop.deposit(wallet, { tracking_id: "order 7" });
          const { confirmationBlocks } = currencyOf(alpha);
          const amount = inFull("1.25", alpha);
          const nothing = inFull("0", alpha);

          await site.onChain("ETH", async (chain) => {
            await chain.pay(alpha, addressOf(deposit), "1.25");
            await chain.mine(confirmationBlocks);
          });

          await shop.expectBalance(wallet, amount, nothing);
          expect(await wasPending(site, wallet)).toBe(true);
          await shop.expectDeposit(deposit, {
            status: depositStatus.created,
            target_paid: amount,
            target_paid_pending: nothing,
          });
          expect(await shop.read(deposit)).toMatchObject({ assets: { [alpha]: amount } });
          const [transfer] = await shop.transfers(deposit);
          expect(transfer).toMatchObject({
            op_type: 1,
            status: 2,
            amount,
            amount_cleared: amount,
            risk: 5,
            risk_status: 1,
            op_id: Number(deposit.id),
          });
          expect(Number(transfer?.["confirmations"])).toBeGreaterThanOrEqual(confirmationBlocks);

          await shop.expectCallbackCount(deposit, 1);
          await site.onChain("ETH", (chain) => chain.mine(2));
          expect(withoutConfirmations(await shop.callbacks(deposit))).toEqual([
            `transfer 2 ${amount}`,
          ]);
        }),
    );
  }

  for (const alpha of ["BTC", "LTC"]) {
    scenario(
      `credits and reports deposits in ${alpha} of every address type once`,
      [alpha],
      (site) =>
        withShop(site, async (shop) => {
          const types = ["legacy", "p2sh-segwit", "bech32", "bech32m"];
          const wallet = await shop.wallet("enterprise", alpha);
          const deposits = await Promise.all(
            types.map((type) => shop.deposit(wallet, { address_type: type }, alpha)),
          );
          const { confirmationBlocks } = currencyOf(alpha);
          const amount = inFull("0.02", alpha);
          const sum = inFull("0.08", alpha);
          const nothing = inFull("0", alpha);

          await site.onChain(alpha, async (chain) => {
            for (const [index, deposit] of deposits.entries()) {
              expect(deposit.attributes["address_type"]).toBe(types[index]);
              await chain.pay(alpha, addressOf(deposit), "0.02");
            }
            await shop.expectBalance(wallet, nothing, sum);
            await chain.mine(confirmationBlocks - 1);
            await shop.expectBalance(wallet, nothing, sum);
            await chain.mine(1);
            await shop.expectBalance(wallet, sum, nothing);
            await chain.mine(2);
          });

          for (const deposit of deposits) {
            await shop.expectCallbacks(deposit, [`transfer 2 ${amount} (${confirmationBlocks})`]);
            await shop.expectDeposit(deposit, { target_paid: amount });
          }
        }),
    );
  }

  scenario("issues a bech32 address if no address type is requested", ["BTC"], (site) =>
    withShop(site, async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("enterprise", "BTC"));
      expect(deposit.attributes).toMatchObject({ address_type: "bech32" });
      expect(deposit.attributes["address"]).toMatch(/^bcrt1q/);
    }),
  );
}
