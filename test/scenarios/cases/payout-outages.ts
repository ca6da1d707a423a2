import { expect } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { mineBlocks } from "../../../src/sandbox/drive-utxo-node.ts";
import { eventually } from "../../support/eventually.ts";
import { withoutConfirmations } from "../support/callbacks.ts";
import {
  feeOf,
  fundedWallet,
  heldIn,
  newBitcoinAddress,
  newEvmAddress,
  openCashier,
  textOf,
} from "../support/cashier.ts";
import { heightOf, outsideAddress, unitsAt } from "../support/chain-facts.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { less, unitsOf } from "../support/money.ts";
import { withShop } from "../support/shop.ts";
import { currencyOf, inFull } from "../support/test-site.ts";

/** Mined before a payment, because a reorg that should reach it may go this far beyond it. */
const spareBlocks = 8;
/** The deepest reorg of the sandbox's Ethereum. */
const deepest = 24;

/** A reorg returns paid payouts to waiting for a block; they are included again, once. */
export function payoutReorgs(scenario: DefineScenario): void {
  for (const alpha of ["BTC", "ETH"] as const) {
    scenario(`pays a payout in ${alpha} again after a deep reorg reversed it`, [alpha], (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        const { confirmationBlocks } = currencyOf(alpha);
        const [amount, nothing] = [inFull("0.2", alpha), inFull("0", alpha)];
        await site.onChain(alpha, async (chain) => {
          const wallet = await fundedWallet(shop, chain, alpha, "1");
          // So that the replaced blocks contain nothing of other scenarios, however many more than needed they are.
          await chain.mine(spareBlocks);
          const { height } = await chain.tip();
          const address = alpha === "ETH" ? newEvmAddress() : await outsideAddress(chain);
          const payout = await cashier.pay({ wallet, alpha, amount, address });
          const left = less("1", [amount, feeOf(payout)], alpha);
          const sent = await cashier.expectSent(payout);
          const txid = textOf(sent, "txid");
          const minedAt =
            alpha === "ETH"
              ? await eventually(
                  () => heightOf(chain, txid),
                  (found) => found !== null,
                  180,
                )
              : height + 1;
          // Automatic blocks make the reorg deeper, and its node goes back at most twice the count.
          const missing = present(minedAt, "its block") + confirmationBlocks - 1;
          await chain.mine(Math.max(1, missing - (await chain.tip()).height));
          await cashier.expectTransfer(payout, { status: 2, txid });
          await cashier.expectCallbackCount(payout, 1);
          expect(await heldIn(site, wallet, alpha)).toBe(nothing);

          // Counted from a tip that may be some blocks higher by the time of the reorg.
          const depth = (await chain.tip()).height - present(minedAt, "its block") + 1;
          await chain.reorg(Math.min(depth + spareBlocks, deepest), "wait");
          if (alpha !== "ETH") {
            // Ethereum may already have mined the next blocks, so the callbacks show the states in between.
            await cashier.expectTransfer(payout, { status: 1, txid, confirmations: 0 });
            expect(await heldIn(site, wallet, alpha)).toBe(less("1", [left], alpha));
            expect(await unitsAt(chain, alpha, [address])).toBe(0n);
          }
          // Or already a third time, where blocks arrive automatically.
          await eventually(
            () => cashier.callbacks(payout),
            (callbacks) => callbacks.length >= 2,
            180,
          );
          await chain.mine(confirmationBlocks + 1);
          await cashier.expectTransfer(payout, { status: 2, txid });
          await cashier.expectCallbackCount(payout, 3);
          expect(withoutConfirmations(await cashier.callbacks(payout))).toEqual([
            ...[`transfer 2 ${amount}`, `transfer 1 ${amount}`, `transfer 2 ${amount}`],
          ]);
          expect(await shop.balance(wallet)).toEqual({ confirmed: left, pending: nothing });
          expect(await heldIn(site, wallet, alpha)).toBe(nothing);
          expect(await unitsAt(chain, alpha, [address])).toBe(unitsOf(amount, alpha));
        });
      }),
    );
  }
}

/** A node that forgets a broadcast, and an unavailable signer: payouts wait, and are sent when possible. */
export function payoutOutages(scenario: DefineScenario): void {
  scenario("broadcasts a payout again after its node forgot it before any block", ["BTC"], (site) =>
    withShop(site, async (shop) => {
      const cashier = openCashier(site, shop, site.cashier);
      const node = present(site.deployment.nodes?.["BTC"], "a node that can be lost");
      await site.onChain("BTC", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "BTC", "0.5");
        // Makes the node flush everything: a killed node forgets its newest blocks.
        await chain.node.command("gettxoutsetinfo");
        // Not the faucet's, whose wallet would store the payment and broadcast it again.
        const address = newBitcoinAddress();
        const payout = await cashier.pay({ wallet, alpha: "BTC", amount: "0.2", address });
        const txid = textOf(await cashier.expectTransfer(payout, { status: 1 }), "txid");
        const reconnect = node.cutOff();
        await node.kill();
        await node.restart();
        const waiting = () => chain.node.command<readonly string[]>("getrawmempool");
        expect(await waiting()).not.toContain(txid);
        reconnect();
        await eventually(waiting, (txids) => txids.includes(txid), 180);
        await mineBlocks(chain.node, 2);
        await chain.caughtUp();
        await cashier.expectTransfer(payout, { status: 2, txid });
        await cashier.expectCallbacks(payout, ["transfer 2 0.20000000 (2)"]);
        expect(await unitsAt(chain, "BTC", [address])).toBe(20_000_000n);
        const fee = feeOf(payout);
        await shop.expectBalance(wallet, less("0.5", ["0.2", fee], "BTC"), "0.00000000");
      });
    }),
  );

  scenario(
    "keeps payouts waiting while the signer is away, and sends them when it is back",
    ["ETH"],
    (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        const signer = present(site.deployment.signer, "a signer that can be lost");
        await site.onChain("ETH", async (chain) => {
          const wallet = await fundedWallet(shop, chain, "ETH", "1");
          const addresses = [newEvmAddress(), newEvmAddress()];
          await signer.kill();
          const payouts = [];
          for (const address of addresses)
            payouts.push(await cashier.pay({ wallet, alpha: "ETH", amount: "0.1", address }));
          await shop.waitSeconds(4);
          for (const payout of payouts)
            await cashier.expectTransfer(payout, { status: 0, txid: null });
          await signer.restart();
          for (const payout of payouts) await cashier.expectSent(payout);
          await chain.mine(12);
          for (const payout of payouts) await cashier.expectTransfer(payout, { status: 2 });
          for (const address of addresses)
            expect(await unitsAt(chain, "ETH", [address])).toBe(10n ** 17n);
        });
      }),
  );
}
