import { expect } from "vitest";
import { withoutConfirmations } from "../support/callbacks.ts";
import { signal } from "../support/chain-control.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, withShop } from "../support/shop.ts";
import { inFull } from "../support/test-site.ts";

/** The developer account whose address the local screening provider marks red. */
const redAccount = 9;

/** A payment from a red address is held and reported, and credited only after the account's Owner has released it. */
export function screening(scenario: DefineScenario): void {
  scenario("blocks a payment from a red address until the Owner releases it", ["ETH"], (site) =>
    withShop(site, async (shop) => {
      const wallet = await shop.wallet("enterprise", "ETH");
      const deposit = await shop.deposit(wallet);
      const [amount, nothing] = [inFull("0.75", "ETH"), inFull("0", "ETH")];
      await site.onChain("ETH", async (chain) => {
        const accounts = await chain.rpc.call<readonly string[]>("eth_accounts", [], signal);
        const value = `0x${(75n * 10n ** 16n).toString(16)}`;
        const transaction = { from: accounts[redAccount], to: addressOf(deposit), value };
        await chain.rpc.callOnce("eth_sendTransaction", [transaction], signal);
        await shop.expectTransfer(deposit, { status: -2, risk: 95, risk_status: 3 });
        await chain.mine(13);
      });
      await shop.expectCallbackCount(deposit, 1);
      expect(withoutConfirmations(await shop.callbacks(deposit))).toEqual([
        `transfer -2 ${amount}`,
      ]);
      expect(await shop.balance(wallet)).toEqual({ confirmed: nothing, pending: nothing });
      await shop.expectDeposit(deposit, { target_paid: nothing, target_paid_pending: nothing });

      const [transfer] = await site.owner.list(
        `/transfer/?filter[op_type]=1&filter[op_id]=${deposit.id}`,
      );
      const path = `/transfer/${transfer?.id ?? ""}/release/`;
      const why = { data: { type: "transfer", attributes: { reason: "The payer is known" } } };
      expect((await site.other.ask("POST", path, why)).status).toBe(403);
      expect((await site.owner.post(path, why)).attributes).toMatchObject({ status: 2, risk: 95 });
      await shop.expectBalance(wallet, amount, nothing);
      await shop.expectDeposit(deposit, { target_paid: amount });
      await shop.expectCallbackCount(deposit, 2);
      expect(withoutConfirmations(await shop.callbacks(deposit))).toEqual([
        `transfer -2 ${amount}`,
        `transfer 2 ${amount}`,
      ]);
      expect((await site.owner.ask("POST", path, why)).codes).toEqual(["1007"]);
    }),
  );
}
