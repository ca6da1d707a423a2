import { expect } from "vitest";
import { reorgBlocks, replacePayment } from "../../../src/sandbox/drive-utxo-node.ts";
import { eventually } from "../../support/eventually.ts";
import type { Resource } from "../support/api-client.ts";
import { withoutConfirmations } from "../support/callbacks.ts";
import { type ChainControl, signal } from "../support/chain-control.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, withShop } from "../support/shop.ts";
import { currencyOf, inFull, type TestSite } from "../support/test-site.ts";

/*
 * A reorg one block deeper than the currency's own confirmations removes two credited payments. One is included again and
 * credited again, once; the payer of the other spends the same money elsewhere.
 */
export function reorgs(scenario: DefineScenario): void {
  for (const alpha of ["BTC", "LTC", "ETH"]) {
    scenario(`reverses what a deep reorg of ${alpha} removed`, [alpha], (site) =>
      withShop(site, async (shop) => {
        const { confirmationBlocks } = currencyOf(alpha);
        const [amount, sum, nothing] = ["0.03", "0.06", "0"].map((one) => inFull(one, alpha)) as [
          string,
          string,
          string,
        ];
        const wallet = await shop.wallet("enterprise", alpha);
        const [lucky, robbed] = [await shop.deposit(wallet), await shop.deposit(wallet)];
        const payer = alpha === "ETH" ? evmPayer : utxoPayer;

        await site.onChain(alpha, async (chain) => {
          // So that the replaced blocks contain nothing of other scenarios.
          await chain.mine(2);
          const { height } = await chain.tip();
          const first = await payer.pay(chain, addressOf(lucky), 0, "0.03");
          const second = await payer.pay(chain, addressOf(robbed), 1, "0.03");
          await chain.mine(confirmationBlocks);
          await shop.expectBalance(wallet, sum, nothing);
          for (const deposit of [lucky, robbed]) {
            await shop.expectTransfer(deposit, { status: 2 });
            await shop.expectCallbackCount(deposit, 1);
          }

          const depth = (await chain.tip()).height - height + 1;
          expect(depth).toBeGreaterThan(confirmationBlocks);
          await payer.dropAndDoubleSpend(chain, depth, first, second);
          await chain.mine(1);
          await shop.expectTransfer(robbed, { status: -3, confirmations: 0 });
          await shop.expectDeposit(robbed, { target_paid: nothing, target_paid_pending: nothing });
          expect(await shop.read(robbed)).toMatchObject({ assets: {} });
          if (alpha !== "ETH") {
            // Ethereum may already have mined the next blocks, so callbacks and feed show the states in between.
            await shop.expectTransfer(lucky, { status: 1, txid: first });
            await shop.expectDeposit(lucky, { target_paid: nothing, target_paid_pending: amount });
            await shop.expectBalance(wallet, nothing, amount);
          }
          await chain.mine(confirmationBlocks);
          await shop.expectTransfer(lucky, { status: 2, txid: first });
          await shop.expectBalance(wallet, amount, nothing);
        });

        const credited = `transfer 2 ${amount}`;
        await shop.expectCallbackCount(lucky, 3);
        expect(withoutConfirmations(await shop.callbacks(lucky))).toEqual([
          credited,
          `transfer 1 ${amount}`,
          credited,
        ]);
        await shop.expectCallbackCount(robbed, 3);
        expect(withoutConfirmations(await shop.callbacks(robbed))).toEqual([
          credited,
          `transfer 1 ${amount}`,
          `transfer -3 ${amount}`,
        ]);
        await expectFeed(site, lucky, ["confirmed", "reversed", "confirmed"]);
        await expectFeed(site, robbed, ["confirmed", "reversed", "cancelled"]);
      }),
    );
  }
}

/** The feed is numbered shortly after what it reports. */
async function expectFeed(
  { owner }: TestSite,
  { id }: Resource,
  triggers: readonly string[],
): Promise<void> {
  const events = await eventually(
    () => owner.list(`/event/?filter[object_type]=deposit&filter[object_id]=${id}`),
    (list) => list.length >= triggers.length,
  );
  expect(events.map(({ attributes }) => attributes["trigger"])).toEqual(triggers);
}

type Payer = {
  /** Pays as one of several payers; resolves with the transaction's id. */
  readonly pay: (
    chain: ChainControl,
    address: string,
    number: number,
    amount: string,
  ) => Promise<string>;
  /** Replaces the newest blocks; the first transaction waits again, the second one's money is spent elsewhere. */
  readonly dropAndDoubleSpend: (
    chain: ChainControl,
    depth: number,
    first: string,
    second: string,
  ) => Promise<void>;
};

const utxoPayer: Payer = {
  pay: (chain, address, _number, amount) => chain.pay(chain.chain, address, amount),
  dropAndDoubleSpend: async ({ node }, depth, _first, second) => {
    await reorgBlocks(node, depth, "wait");
    await replacePayment(node, second);
  },
};

/** Developer accounts that no other scenario sends from. */
const senderOf = (number: number): number => 5 + number;
const weiPerGas = "0x4a817c800";

const evmPayer: Payer = {
  pay: async ({ rpc }, to, number, amount) => {
    const from = (await rpc.call<readonly string[]>("eth_accounts", [], signal))[senderOf(number)];
    const value = `0x${BigInt(inFull(amount, "ETH").replace(".", "")).toString(16)}`;
    return rpc.callOnce<string>("eth_sendTransaction", [{ from, to, value }], signal);
  },
  dropAndDoubleSpend: async ({ rpc }, depth, first, second) => {
    const raw = await rpc.call<string>("eth_getRawTransactionByHash", [first], signal);
    const { from, nonce } = await rpc.call<{ readonly from: string; readonly nonce: string }>(
      "eth_getTransactionByHash",
      [second],
      signal,
    );
    await rpc.callOnce("anvil_reorg", [depth, []], signal);
    await rpc.callOnce("anvil_dropAllTransactions", [], signal);
    // Anvil has reset its clock to the block that it continued from.
    await rpc.callOnce("evm_setTime", [Math.floor(Date.now() / 1000)], signal);
    const elsewhere = { from, to: from, nonce, value: "0x1", gasPrice: weiPerGas, gas: "0x5208" };
    await rpc.callOnce("eth_sendTransaction", [elsewhere], signal);
    await rpc.callOnce("eth_sendRawTransaction", [raw], signal);
  },
};
