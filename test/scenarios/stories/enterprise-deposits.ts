import { expect } from "vitest";
import { wasPending } from "../stage/books.ts";
import { withoutConfirmations } from "../stage/callbacks.ts";
import type { Play } from "../stage/play.ts";
import { addressOf, depositStatus, withShop } from "../stage/shop.ts";
import { currencyOf, inFull } from "../stage/stage.ts";

/*
 * A payment to a deposit of an Enterprise wallet is pending from the moment it is seen, and becomes payable and is reported once
 * at the currency's own confirmations.
 */
export function enterpriseDeposits(play: Play): void {
  for (const alpha of ["ETH", "USDT-ETH", "USDC-ETH"]) {
    play(
      `makes a deposit in ${alpha} pending, then Confirmed and credited, and reports it once`,
      ["ETH"],
      (stage) =>
        withShop(stage, async (shop) => {
          const wallet = await shop.wallet("enterprise", alpha);
          const deposit = await shop.deposit(wallet, { tracking_id: "order 7" });
          const { confirmationBlocks } = currencyOf(alpha);
          const amount = inFull("1.25", alpha);
          const nothing = inFull("0", alpha);

          await stage.onChain("ETH", async (chain) => {
            await chain.pay(alpha, addressOf(deposit), "1.25");
            await chain.mine(confirmationBlocks);
          });

          await shop.expectBalance(wallet, amount, nothing);
          expect(await wasPending(stage, wallet)).toBe(true);
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

          await shop.expectToldTimes(deposit, 1);
          await stage.onChain("ETH", (chain) => chain.mine(2));
          expect(withoutConfirmations(await shop.told(deposit))).toEqual([`transfer 2 ${amount}`]);
        }),
    );
  }

  for (const alpha of ["BTC", "LTC"]) {
    play(`credits and reports deposits in ${alpha} of every address type once`, [alpha], (stage) =>
      withShop(stage, async (shop) => {
        const types = ["legacy", "p2sh-segwit", "bech32", "bech32m"];
        const wallet = await shop.wallet("enterprise", alpha);
        const deposits = await Promise.all(
          types.map((type) => shop.deposit(wallet, { address_type: type }, alpha)),
        );
        const { confirmationBlocks } = currencyOf(alpha);
        const amount = inFull("0.02", alpha);
        const sum = inFull("0.08", alpha);
        const nothing = inFull("0", alpha);

        await stage.onChain(alpha, async (chain) => {
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
          await shop.expectTold(deposit, [`transfer 2 ${amount} (${confirmationBlocks})`]);
          await shop.expectDeposit(deposit, { target_paid: amount });
        }
      }),
    );
  }

  play("issues a bech32 address if no address type is requested", ["BTC"], (stage) =>
    withShop(stage, async (shop) => {
      const deposit = await shop.deposit(await shop.wallet("enterprise", "BTC"));
      expect(deposit.attributes).toMatchObject({ address_type: "bech32" });
      expect(deposit.attributes["address"]).toMatch(/^bcrt1q/);
    }),
  );
}
