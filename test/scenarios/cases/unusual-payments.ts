import type { Abi, Hex } from "viem";
import { encodeFunctionData } from "viem/utils";
import { expect } from "vitest";
import artifacts from "../../../src/sandbox/contracts/artifacts.gen.json" with { type: "json" };
import { type ContractName, deployContract } from "../../../src/sandbox/deploy-tokens.ts";
import { payTwice } from "../../support/pay-twice.ts";
import { withoutConfirmations } from "../support/callbacks.ts";
import { type ChainControl, signal } from "../support/chain-control.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, withShop } from "../support/shop.ts";
import { currencyOf, inFull } from "../support/test-site.ts";

/* The chain alone decides what arrives: each output and each log separately, no failed transactions, nothing twice. */
export function unusualPayments(scenario: DefineScenario): void {
  for (const alpha of ["BTC", "LTC"]) {
    scenario(`reads two outputs of one transaction in ${alpha} as two payments`, [alpha], (site) =>
      withShop(site, async (shop) => {
        const wallet = await shop.wallet("enterprise", alpha);
        const deposit = await shop.deposit(wallet);
        const { confirmationBlocks } = currencyOf(alpha);
        await site.onChain(alpha, async ({ node, mine }) => {
          const txid = await payTwice(node, addressOf(deposit), 1_000_000n, 2_000_000n);
          await shop.expectBalance(wallet, inFull("0", alpha), inFull("0.03", alpha));
          await mine(confirmationBlocks);
          await shop.expectBalance(wallet, inFull("0.03", alpha), inFull("0", alpha));
          const transfers = await shop.transfers(deposit);
          expect(transfers.map((transfer) => transfer["amount"]).toSorted()).toEqual([
            inFull("0.01", alpha),
            inFull("0.02", alpha),
          ]);
          expect(transfers.map((transfer) => transfer["txid"])).toEqual([txid, txid]);
        });
        await shop.expectCallbackCount(deposit, 2);
        expect(withoutConfirmations(await shop.callbacks(deposit)).toSorted()).toEqual([
          `transfer 2 ${inFull("0.01", alpha)}`,
          `transfer 2 ${inFull("0.02", alpha)}`,
        ]);
      }),
    );

    scenario(
      `shows and books dust in ${alpha} without crediting or reporting it`,
      [alpha],
      (site) =>
        withShop(site, async (shop) => {
          const wallet = await shop.wallet("enterprise", alpha);
          const deposit = await shop.deposit(wallet);
          const { minimalTransferUnits, confirmationBlocks } = currencyOf(alpha);
          const dust = `0.${String(minimalTransferUnits - 1n).padStart(8, "0")}`;
          await site.onChain(alpha, async (chain) => {
            await chain.pay(alpha, addressOf(deposit), dust);
            await chain.mine(confirmationBlocks);
          });
          await shop.expectTransfer(deposit, { op_type: 15, amount: dust, status: 2 });
          expect(await shop.balance(wallet)).toEqual({
            confirmed: inFull("0", alpha),
            pending: inFull("0", alpha),
          });
          expect(await shop.read(deposit)).toMatchObject({
            target_paid: inFull("0", alpha),
            assets: { [alpha]: dust },
          });
          await shop.expectNoCallbacks(deposit);
        }),
    );
  }

  scenario(
    "shows ether and tokens that arrive at each other's deposits without crediting them",
    ["ETH"],
    (site) =>
      withShop(site, async (shop) => {
        const wallets = [
          await shop.wallet("enterprise", "ETH"),
          await shop.wallet("enterprise", "USDT-ETH"),
        ];
        const [forEther, forTether] = await Promise.all(
          wallets.map((wallet) => shop.deposit(wallet)),
        );
        if (forEther === undefined || forTether === undefined) throw new Error("no deposits");
        await site.onChain("ETH", async (chain) => {
          await chain.pay("USDT-ETH", addressOf(forEther), "3");
          await chain.pay("ETH", addressOf(forTether), "0.25");
          await chain.mine(12);
        });
        await shop.expectTransfer(forEther, {
          amount: "3.000000",
          status: 2,
          amount_cleared: "0.000000",
        });
        await shop.expectTransfer(forTether, { amount: inFull("0.25", "ETH"), status: 2 });
        expect(await shop.read(forEther)).toMatchObject({ assets: { "USDT-ETH": "3.000000" } });
        for (const wallet of wallets) {
          const { confirmed, pending } = await shop.balance(wallet);
          expect([Number(confirmed), Number(pending)]).toEqual([0, 0]);
        }
        for (const deposit of [forEther, forTether]) await shop.expectNoCallbacks(deposit);
      }),
  );

  scenario(
    "credits each payment by a contract once, and failed calls not at all",
    ["ETH"],
    (site) =>
      withShop(site, async (shop) => {
        const ether = await shop.wallet("enterprise", "ETH");
        const tether = await shop.wallet("enterprise", "USDT-ETH");
        const [paid, failed] = [await shop.deposit(ether), await shop.deposit(ether)];
        const [unlisted, poisoned] = [await shop.deposit(ether), await shop.deposit(ether)];
        const tokens = await shop.deposit(tether);
        await site.onChain("ETH", async (chain) => {
          const payer = await deployContract(chain.rpc, "PayingWallet", [], signal);
          const fee = await deployContract(chain.rpc, "FeeToken", [10n ** 18n], signal);
          const hostile = await deployContract(chain.rpc, "HostileToken", [], signal);
          const [to, not] = [addressOf(paid), addressOf(failed)];
          const call = (contract: string, name: ContractName, ...args: [string, ...unknown[]]) =>
            send(chain, contract, name, args);
          await call(payer, "PayingWallet", "payAll", [to, to], [10n ** 17n, 2n * 10n ** 17n]);
          await call(payer, "PayingWallet", "payByEnding", to);
          await call(payer, "PayingWallet", "payAllAndFail", [not], [10n ** 17n]);
          await call(payer, "PayingWallet", "payPartly", [not], [to], [10n ** 16n]);
          await chain.pay("USDT-ETH", payer, "9");
          const contract = chain.site.family === "evm" ? chain.site.tokens["USDT-ETH"] : "";
          const three = [3_000_000n, 3_000_000n, 3_000_000n];
          await call(payer, "PayingWallet", "payTokens", contract, addressOf(tokens), three);
          await call(fee, "FeeToken", "transfer", addressOf(unlisted), 1_000n);
          await call(hostile, "HostileToken", "pretend", payer, addressOf(poisoned), 0n);
          await chain.mine(13);
        });

        const sum = inFull("1.31", "ETH");
        await shop.expectBalance(ether, sum, inFull("0", "ETH"));
        await shop.expectDeposit(paid, { target_paid: sum });
        await shop.expectCallbackCount(paid, 4);
        expect((await shop.transfers(paid)).map((one) => one["amount"]).toSorted()).toEqual(
          ["0.01", "0.1", "0.2", "1"].map((one) => inFull(one, "ETH")),
        );
        await shop.expectBalance(tether, "9.000000", "0.000000");
        expect((await shop.transfers(tokens)).map((one) => one["amount"])).toEqual([
          "3.000000",
          "3.000000",
          "3.000000",
        ]);
        await shop.expectTransfer(unlisted, { amount: "990", amount_cleared: "0" });
        for (const deposit of [failed, poisoned]) {
          expect(await shop.transfers(deposit)).toEqual([]);
          expect(await shop.read(deposit)).toMatchObject({
            target_paid: inFull("0", "ETH"),
            assets: {},
          });
        }
        await shop.expectNoCallbacks(unlisted);
      }),
  );
}

/** Calls a contract with one ether and a fixed gas limit, so that the node accepts a call that will fail. */
async function send(
  { rpc }: ChainControl,
  to: string,
  contract: ContractName,
  [functionName, ...args]: readonly [string, ...unknown[]],
): Promise<void> {
  const [from] = await rpc.call<readonly string[]>("eth_accounts", [], signal);
  const { abi } = artifacts[contract];
  const data: Hex = encodeFunctionData({ abi: abi as Abi, functionName, args });
  const value = contract === "PayingWallet" && functionName !== "payTokens" ? 10n ** 18n : 0n;
  const transaction = { from, to, data, value: `0x${value.toString(16)}`, gas: "0x1e8480" };
  await rpc.callOnce("eth_sendTransaction", [transaction], signal);
}
