import { expect } from "vitest";
import { pausePayouts, resumePausedPayouts } from "../../../src/main/commands/pause-payouts.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { bookedFor, spendOf } from "../support/books.ts";
import { withoutConfirmations } from "../support/callbacks.ts";
import {
  feeOf,
  fundedWallet,
  heldIn,
  newEvmAddress,
  openCashier,
  payoutStatus,
  textOf,
} from "../support/cashier.ts";
import { burntBy, outsideAddress, unitsAt } from "../support/chain-facts.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { amountOf, less, unitsOf } from "../support/money.ts";
import { addressOf, withShop } from "../support/shop.ts";
import { currencyOf, inFull } from "../support/test-site.ts";

/*
 * A payout to an external address: what leaves the wallet, what reaches the receiver and what the network burns, to the last
 * unit, on the chain and in the books.
 */
export function payoutsOnChain(scenario: DefineScenario): void {
  payEther(scenario);
  payTokens(scenario);
  payCoins(scenario);
  payWithCounts(scenario);
  payFromDollars(scenario);
  payFeeIncluded(scenario);
  payBatch(scenario);
  payOnce(scenario);
}

function payEther(scenario: DefineScenario): void {
  scenario("pays out ether and charges the payer the quoted fee", ["ETH"], (site) =>
    withShop(site, async (shop) => {
      const cashier = openCashier(site, shop, site.cashier);
      const [amount, nothing] = [inFull("1.25", "ETH"), inFull("0", "ETH")];
      await site.onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "2");
        const order = { wallet, alpha: "ETH", amount: "1.25", address: newEvmAddress() };
        const quote = await cashier.calculate(order);
        expect(quote).toMatchObject({ isInternal: false, warning: null, currency: 1002 });
        const payout = await cashier.pay({
          ...order,
          attributes: { fee_amount: quote.medium, tracking_id: "wage 7", label: "é" },
        });
        expect(payout.attributes).toMatchObject({
          status: payoutStatus.approved,
          amount,
          fee_amount: quote.medium,
          confirmations_needed: null,
          is_fee_included: false,
          tracking_id: "wage 7",
        });
        const left = less("2", [amount, quote.medium], "ETH");
        await shop.expectBalance(wallet, left, nothing);

        const sent = await cashier.expectSent(payout);
        expect(sent).toMatchObject({ op_type: 2, op_id: Number(payout.id), amount });
        await chain.mine(currencyOf("ETH").confirmationBlocks);
        const paid = await cashier.expectTransfer(payout, { status: 2 });
        expect(paid).toMatchObject({
          amount,
          amount_cleared: amount,
          fee: quote.medium,
          txid: sent["txid"],
          risk: 5,
          risk_status: 1,
          message: null,
        });
        expect(await shop.balance(wallet)).toEqual({ confirmed: left, pending: nothing });
        expect(await heldIn(site, wallet, "ETH")).toBe(nothing);
        expect(amountOf(await unitsAt(chain, "ETH", [order.address]), "ETH")).toBe(amount);

        const [units, fee] = [unitsOf(amount, "ETH"), unitsOf(quote.medium, "ETH")];
        expect(await bookedFor(site, `payout:${payout.id}`)).toEqual({
          [`wallet/${wallet}/available`]: units + fee,
          "chain/1002": -units,
          "fees/1002": -fee,
        });
        const burnt = await burntBy(chain, textOf(paid, "txid"));
        // Other payments may raise the network's price after the quote; the operator bears the difference.
        expect(burnt).toBeLessThan(2n * fee);
        expect(await bookedFor(site, await spendOf(site, payout))).toEqual({
          "chain/1002": -burnt,
          "fees/1002": burnt,
        });
        await cashier.expectCallbackCount(payout, 1);
        await chain.mine(2);
        expect(withoutConfirmations(await cashier.callbacks(payout))).toEqual([
          `transfer 2 ${amount}`,
        ]);
      });
    }),
  );
}

function payTokens(scenario: DefineScenario): void {
  for (const alpha of ["USDT-ETH", "USDC-ETH"]) {
    scenario(`pays out ${alpha} with the network fee at the operator's cost`, ["ETH"], (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        const amount = inFull("12.345678", alpha);
        await site.onChain("ETH", async (chain) => {
          const wallet = await fundedWallet(shop, chain, alpha, "50");
          const address = newEvmAddress();
          const order = { wallet, alpha, amount, address };
          expect(await cashier.calculate(order)).toMatchObject({ currency: 1002 });
          const payout = await cashier.pay({ ...order, attributes: { confirmations_needed: 1 } });
          // One block is enough for its client, and each transaction gets a block of its own at once.
          await cashier.expectTransfer(payout, { status: 2 });
          await chain.mine(currencyOf(alpha).confirmationBlocks);
          const paid = await cashier.expectTransfer(payout, { status: 2, fee: inFull("0", "ETH") });
          await shop.expectBalance(wallet, less("50", [amount], alpha), inFull("0", alpha));
          expect(amountOf(await unitsAt(chain, alpha, [address]), alpha)).toBe(amount);
          const { id } = currencyOf(alpha);
          expect(await bookedFor(site, `payout:${payout.id}`)).toEqual({
            [`wallet/${wallet}/available`]: unitsOf(amount, alpha),
            [`chain/${id}`]: -unitsOf(amount, alpha),
          });
          const burnt = await burntBy(chain, textOf(paid, "txid"));
          expect(await bookedFor(site, await spendOf(site, payout))).toEqual({
            "chain/1002": -burnt,
            "fees/1002": burnt,
          });
          await cashier.expectCallbackCount(payout, 2);
          expect(withoutConfirmations(await cashier.callbacks(payout))).toEqual([
            `transfer 2 ${amount}`,
            `transfer 2 ${amount}`,
          ]);
        });
      }),
    );
  }
}

const addressTypes = {
  BTC: ["legacy", "p2sh-segwit", "bech32", "bech32m"],
  LTC: ["legacy", "p2sh-segwit", "bech32"],
} as const;

function payCoins(scenario: DefineScenario): void {
  for (const alpha of ["BTC", "LTC"] as const) {
    scenario(`pays out ${alpha} to every type of address`, [alpha], (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        const amount = inFull("0.02", alpha);
        const { confirmationBlocks, id } = currencyOf(alpha);
        await site.onChain(alpha, async (chain) => {
          const wallet = await fundedWallet(shop, chain, alpha, "0.5");
          const paid: string[] = [];
          for (const type of addressTypes[alpha]) {
            const address = await outsideAddress(chain, type);
            const payout = await cashier.pay({ wallet, alpha, amount, address });
            const fee = feeOf(payout);
            const txid = textOf(await cashier.expectTransfer(payout, { status: 1 }), "txid");
            await chain.mine(confirmationBlocks - 1);
            await cashier.expectTransfer(payout, { status: 1, txid });
            await chain.mine(1);
            await cashier.expectTransfer(payout, { status: 2, txid, fee });
            paid.push(amount, fee);
            await shop.expectBalance(wallet, less("0.5", paid, alpha), inFull("0", alpha));
            expect(amountOf(await unitsAt(chain, alpha, [address]), alpha)).toBe(amount);
            // The change takes the remainder: the charge is what is burnt.
            const [units, burnt] = [unitsOf(amount, alpha), unitsOf(fee, alpha)];
            expect(await burntBy(chain, txid)).toBe(burnt);
            expect(await bookedFor(site, `payout:${payout.id}`)).toEqual({
              [`wallet/${wallet}/available`]: units + burnt,
              [`chain/${id}`]: -units,
              [`fees/${id}`]: -burnt,
            });
            expect(await bookedFor(site, await spendOf(site, payout))).toEqual({
              [`chain/${id}`]: -burnt,
              [`fees/${id}`]: burnt,
            });
            await cashier.expectCallbacks(payout, [`transfer 2 ${amount} (${confirmationBlocks})`]);
          }
        });
      }),
    );
  }
}

function payWithCounts(scenario: DefineScenario): void {
  const amount = inFull("0.01", "BTC");
  const cases = [
    { needed: 0, callbacks: [`transfer 2 ${amount} (0)`, `transfer 2 ${amount} (2)`] },
    { needed: 1, callbacks: [`transfer 2 ${amount} (1)`, `transfer 2 ${amount} (2)`] },
    { needed: 2, callbacks: [`transfer 2 ${amount} (2)`] },
    { needed: 3, callbacks: [`transfer 1 ${amount} (2)`, `transfer 2 ${amount} (3)`] },
  ];
  scenario(
    "sends callbacks for a payout at its client's confirmation count and at the currency's",
    ["BTC"],
    (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        await site.onChain("BTC", async (chain) => {
          const wallet = await fundedWallet(shop, chain, "BTC", "0.2");
          const payouts = [];
          for (const { needed } of cases) {
            const address = await outsideAddress(chain);
            const attributes = { confirmations_needed: needed };
            const order = { wallet, alpha: "BTC", amount, address, attributes };
            payouts.push(await cashier.pay(order));
          }
          for (const [index, payout] of payouts.entries()) {
            await cashier.expectTransfer(payout, { status: cases[index]?.needed === 0 ? 2 : 1 });
          }
          for (let count = 1; count <= 4; count += 1) {
            await chain.mine(1);
            for (const [index, payout] of payouts.entries()) {
              const isConfirmed = count >= (cases[index]?.needed ?? 0);
              await cashier.expectTransfer(payout, {
                status: isConfirmed ? 2 : 1,
                confirmations: count,
              });
            }
          }
          for (const [index, payout] of payouts.entries())
            await cashier.expectCallbacks(payout, cases[index]?.callbacks ?? []);
        });
      }),
  );
}

function payFromDollars(scenario: DefineScenario): void {
  scenario("pays bitcoin from a wallet in dollars at the current rate", ["BTC"], (site) =>
    withShop(site, async (shop) => {
      const cashier = openCashier(site, shop, site.cashier);
      await site.onChain("BTC", async (chain) => {
        const wallet = await shop.wallet("merchant", "USD");
        const deposit = await shop.deposit(wallet, {}, "BTC");
        await chain.pay("BTC", addressOf(deposit), "0.05");
        await chain.mine(2);
        // One bitcoin is credited at 50,000 dollars and charged at 50,020.
        await shop.expectBalance(wallet, "2500.00", "0.00");
        const address = await outsideAddress(chain);
        const order = { wallet, alpha: "BTC", amount: "0.01000001", address };
        const { medium: fee } = await cashier.calculate(order);
        const payout = await cashier.pay({ ...order, attributes: { fee_amount: fee } });
        expect(Number(payout.attributes["rate_requested"])).toBe(50_020);
        // A satoshi is 0.05002 cents: rounded up to whole cents.
        const satoshis = 1_000_001n + unitsOf(fee, "BTC");
        const charged = (satoshis * 5_002n + 99_999n) / 100_000n;
        const left = amountOf(250_000n - charged, "USD");
        await shop.expectBalance(wallet, left, "0.00");
        await cashier.expectTransfer(payout, { status: 1 });
        await chain.mine(2);
        await cashier.expectTransfer(payout, { status: 2, amount: "0.01000001", fee });
        await shop.expectBalance(wallet, left, "0.00");
        expect(await unitsAt(chain, "BTC", [address])).toBe(1_000_001n);
        expect(await bookedFor(site, `payout:${payout.id}`)).toEqual({
          [`wallet/${wallet}/available`]: charged,
          "conversion/840": -charged,
          "conversion/1000": satoshis,
          "chain/1000": -1_000_001n,
          "fees/1000": -unitsOf(fee, "BTC"),
        });
      });
    }),
  );
}

function payFeeIncluded(scenario: DefineScenario): void {
  scenario(
    "deducts an included fee from what the receiver gets, and charges the wallet only the amount",
    ["BTC"],
    (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        await site.onChain("BTC", async (chain) => {
          const wallet = await fundedWallet(shop, chain, "BTC", "0.03");
          const address = await outsideAddress(chain);
          // The whole balance: a fee on top could not be paid.
          const order = { wallet, alpha: "BTC", amount: "0.03", address };
          expect((await cashier.ask(order)).codes).toEqual(["4008"]);
          const payout = await cashier.pay({ ...order, attributes: { is_fee_included: true } });
          const cleared = less("0.03", [feeOf(payout)], "BTC");
          await shop.expectBalance(wallet, "0.00000000", "0.00000000");
          await cashier.expectTransfer(payout, { status: 1 });
          await chain.mine(2);
          const txid = textOf(
            await cashier.expectTransfer(payout, {
              status: 2,
              amount: "0.03000000",
              amount_cleared: cleared,
            }),
            "txid",
          );
          expect(amountOf(await unitsAt(chain, "BTC", [address]), "BTC")).toBe(cleared);
          expect(amountOf(await burntBy(chain, txid), "BTC")).toBe(payout.attributes["fee_amount"]);
          expect(await heldIn(site, wallet, "BTC")).toBe("0.00000000");
        });
      }),
  );
}

function payBatch(scenario: DefineScenario): void {
  scenario("combines ten payouts that are ready at once in one transaction", ["BTC"], (site) =>
    withShop(site, async (shop) => {
      const clerk = openCashier(site, shop, site.clerk);
      const cashier = openCashier(site, shop, site.cashier);
      await site.onChain("BTC", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "BTC", "0.2");
        const addresses = await Promise.all(
          Array.from({ length: 10 }, () => outsideAddress(chain)),
        );
        const order = { wallet, alpha: "BTC", amount: "0.01", address: addresses[0] ?? "" };
        const { medium: fee } = await cashier.calculate(order);
        const payouts = await Promise.all(
          addresses.map((address) =>
            clerk.pay({ ...order, address, attributes: { fee_amount: fee } }),
          ),
        );
        // Held until the last one of them is approved and screened; otherwise the first would already be sent.
        const { configFile } = site.deployment;
        const pause = { kind: "wallet", walletId: wallet } as const;
        await pausePayouts(configFile, pause, "until all are there", site.terminal);
        for (const payout of payouts) await cashier.approve(payout);
        for (const payout of payouts)
          await cashier.expectTransfer(payout, { status: 0, risk_status: 1 });
        await resumePausedPayouts(configFile, pause, site.terminal);
        const txids = new Set<string>();
        for (const payout of payouts)
          txids.add(textOf(await cashier.expectTransfer(payout, { status: 1 }), "txid"));
        expect(txids.size).toBe(1);
        await chain.mine(2);
        for (const payout of payouts) await cashier.expectTransfer(payout, { status: 2, fee });
        for (const address of addresses)
          expect(await unitsAt(chain, "BTC", [address])).toBe(1_000_000n);
        const paid = addresses.flatMap(() => ["0.01", fee]);
        await shop.expectBalance(wallet, less("0.2", paid, "BTC"), "0.00000000");
        let burnt = 0n;
        for (const txid of txids) burnt += await burntBy(chain, txid);
        expect(burnt).toBeLessThanOrEqual(10n * unitsOf(fee, "BTC"));
        for (const payout of payouts) await clerk.expectCallbackCount(payout, 1);
      });
    }),
  );
}

function payOnce(scenario: DefineScenario): void {
  scenario("creates one payout for fifty identical concurrent requests", ["ETH"], (site) =>
    withShop(site, async (shop) => {
      const cashier = openCashier(site, shop, site.cashier);
      await site.onChain("ETH", async (chain) => {
        const wallet = await fundedWallet(shop, chain, "ETH", "9");
        const address = newEvmAddress();
        const plain = { wallet, alpha: "ETH", amount: "0.1", address };
        const { medium: fee } = await cashier.calculate(plain);
        const order = { ...plain, attributes: { fee_amount: fee } };
        const key = systemRandom.uuid();
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => cashier.ask(order, key)),
        );
        const [created, ...others] = answers.filter(({ status }) => status === 201);
        expect(others).toEqual([]);
        const refused = answers.filter(({ status }) => status === 409);
        expect(refused).toHaveLength(49);
        for (const { codes, text } of refused) {
          expect(codes).toEqual(["1004"]);
          const { errors } = JSON.parse(text) as { errors: { meta: { payout_id: string } }[] };
          expect(errors[0]?.meta.payout_id).toBe(created?.one.id);
        }
        await shop.expectBalance(wallet, less("9", ["0.1", fee], "ETH"), inFull("0", "ETH"));
        const listed = await cashier.client.list(`/payout/?filter[wallet]=${wallet}`);
        expect(listed.map(({ id }) => id)).toEqual([created?.one.id]);
        await cashier.expectSent(listed[0]!);
        await chain.mine(12);
        await cashier.expectTransfer(listed[0]!, { status: 2 });
        expect(amountOf(await unitsAt(chain, "ETH", [address]), "ETH")).toBe(inFull("0.1", "ETH"));
      });
    }),
  );
}
