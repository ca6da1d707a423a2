import { Address, beginCell, Cell, comment, contractAddress, internal, toNano } from "@ton/core";
import { JettonMaster } from "@ton/ton";
import { describe, expect, it } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { errorMessage } from "../../../src/platform/kernel/error-message.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { TonSite } from "../../../src/sandbox/sandbox-file.ts";
import contracts from "../../../src/sandbox/ton/contracts.json" with { type: "json" };
import type { Resource } from "../support/api-client.ts";
import { hasAll, settled } from "../support/callbacks.ts";
import { feeOf, openCashier, someone } from "../support/cashier.ts";
import { patienceMs } from "../support/define-scenario.ts";
import { type Shop, withShop } from "../support/shop.ts";
import type { TestSite } from "../support/test-site.ts";
import type { TonPayer } from "../support/ton-payer.ts";
import { itScreensReturns } from "./screened-return.ts";

type Ground = { readonly site: TestSite; readonly chain: TonSite; readonly payer: TonPayer };

/** What goes wrong with TON elsewhere: money that is not a payment, money without a comment, receivers that refuse. */
export function describeTonTraps(ground: () => Ground): void {
  const inShop = (
    work: (shop: Shop, wallet: string) => Promise<void>,
    alpha = "TON",
  ): Promise<void> =>
    withShop(ground().site, async (shop) => work(shop, await shop.wallet("enterprise", alpha)));
  const placeOf = ({ attributes }: Resource): { readonly address: string; readonly tag: string } =>
    attributes["destination"] as { readonly address: string; readonly tag: string };
  /** The unattributed payment of the account's newest transaction. */
  const unattributed = async (shop: Shop, account: string): Promise<Resource> => {
    const txid = (await ground().payer.newest(account)).hash().toString("hex");
    const [waiting] = await settled(
      () => shop.client.list(`/unattributed/?filter[txid]=${txid}`),
      (rows) => rows.length === 1,
    );
    return present(waiting, "the payment");
  };

  describe("money on TON that is no payment of a deposit", () => {
    it("is a transfer of a jetton that failed", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const deposit = await shop.deposit(wallet);
        const { address, tag } = placeOf(deposit);
        // More than the payer's wallet of the jetton holds.
        await payer.send([await payer.dollars(address, 10n ** 18n, { payload: comment(tag) })]);
        await payer.payDollars(address, 1_000_000n, tag);
        await shop.expectBalance(wallet, "1.000000", "0.000000");
        expect(await shop.transfers(deposit)).toHaveLength(1);
      }, "USDT-TON"),
    );

    it("is a jetton of another master, whatever it says", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const deposit = await shop.deposit(wallet);
        const { address, tag } = placeOf(deposit);
        const fake = await deployFake(payer);
        const payload = comment(tag);
        const transfer = await payer.dollars(address, 5_000_000n, {
          payload,
          forward: "0.05",
          master: fake,
        });
        await payer.send([transfer]);
        const waiting = await unattributed(shop, address);
        expect(waiting.attributes).toMatchObject({ amount: "0.050000000", tag: null });
        // Nor is a notification that nobody's wallet sent.
        const body = beginCell()
          .storeUint(0x7362d09c, 32)
          .storeUint(0, 64)
          .storeCoins(5_000_000n)
          .storeAddress(payer.faucet)
          .storeMaybeRef(payload)
          .endCell();
        await payer.send([
          internal({ to: Address.parse(address), value: toNano("0.07"), bounce: false, body }),
        ]);
        expect((await unattributed(shop, address)).attributes).toMatchObject({
          amount: "0.070000000",
          tag: null,
        });
        await payer.payDollars(address, 1_000_000n, tag);
        await shop.expectBalance(wallet, "1.000000", "0.000000");
        expect(await shop.transfers(deposit)).toHaveLength(1);
      }, "USDT-TON"),
    );
  });

  describe("a payment on TON without a deposit's comment", () => {
    it("waits as unattributed, and an operator assigns it", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const deposit = await shop.deposit(wallet);
        const { address } = placeOf(deposit);
        await ground().payer.pay(address, "7");
        const waiting = await unattributed(shop, address);
        expect(waiting.attributes).toMatchObject({ amount: "7.000000000", tag: null });
        expect(await shop.balance(wallet)).toMatchObject({ confirmed: "0.000000000" });
        await assign(shop, waiting, deposit);
        await shop.expectBalance(wallet, "7.000000000", "0.000000000");
      }),
    );

    it("waits as unattributed in USDT-TON as well", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const deposit = await shop.deposit(wallet);
        const { address } = placeOf(deposit);
        await ground().payer.payDollars(address, 3_000_000n, "order 9");
        const waiting = await unattributed(shop, address);
        expect(waiting.attributes).toMatchObject({ amount: "3.000000", tag: "order 9" });
        await assign(shop, waiting, deposit);
        await shop.expectBalance(wallet, "3.000000", "0.000000");
      }, "USDT-TON"),
    );

    it("is returned to its sender, less the fee", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const { address } = placeOf(await shop.deposit(wallet));
        await payer.pay(address, "9", "invoice 17");
        const waiting = await unattributed(shop, address);
        expect(waiting.attributes).toMatchObject({ tag: "invoice 17" });
        const path = `/unattributed/${waiting.id}/return/`;
        const receiver = new Address(0, Buffer.from(systemRandom.bytes(32))).toString();
        const quote = await shop.client.post(`${path}calculate/`, {
          data: { type: "payout-calculation", attributes: { to_address: receiver } },
        });
        const { medium } = quote.attributes["fee"] as { readonly medium: string };
        const answer = await shop.client.ask(
          "POST",
          path,
          {
            data: {
              type: "unattributed",
              attributes: {
                reason: "no invoice",
                address: receiver,
                fee_amount: medium,
                travel_rule_info: someone,
              },
            },
          },
          { "idempotency-key": systemRandom.uuid() },
        );
        expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
        await settled(
          async () => (await shop.client.get(`/unattributed/${waiting.id}/`)).attributes,
          (now) => hasAll(now, { state: "returned" }),
        );
        await payer.settle();
        expect(await payer.balance(receiver)).toBe(toNano("9") - toNano(medium));
      }),
    );
  });

  describe("a payment on TON without a deposit's comment that screening stops", () => {
    itScreensReturns(() => ({
      site: ground().site,
      alpha: "TON",
      red: "0QALrcDeC63A3gutwN4LrcDeC63A3gutwN4LrcDeC63A3ljW",
      payWithoutTag: async (deposit) => {
        const { payer } = ground();
        const { address } = placeOf(deposit);
        await payer.pay(address, "9.25");
        const newest = await payer.client.getTransactions(Address.parse(address), { limit: 20 });
        const received = newest.find(
          ({ inMessage }) =>
            inMessage?.info.type === "internal" && inMessage.info.value.coins === toNano("9.25"),
        );
        return present(received, "the payment").hash().toString("hex");
      },
    }));
  });

  describe("a payout on TON that fails on the way", () => {
    const command = async (path: string, body: JsonObject): Promise<void> => {
      const { sandbox_url } = ground().chain;
      await fetch(sandbox_url + path, { method: "POST", body: JSON.stringify(body) });
    };

    it(
      "in USDT-TON, because the network's prices rose after it was signed, gives its money back",
      { timeout: patienceMs },
      () =>
        inShop(async (shop, wallet) => {
          const { payer, site } = ground();
          const { address, tag } = placeOf(await shop.deposit(wallet));
          await payer.payDollars(address, 20_000_000n, tag);
          await shop.expectBalance(wallet, "20.000000", "0.000000");
          const cashier = openCashier(site, shop, site.cashier);
          const receiver = new Address(0, Buffer.from(systemRandom.bytes(32)));
          // What was signed is in no block until the prices have changed.
          await command("/swallow-broadcasts", { count: 1_000_000 });
          const order = { wallet, alpha: "USDT-TON", amount: "2.5", address: receiver.toString() };
          const payout = await cashier.pay(order);
          const { txid } = await cashier.expectSent(payout);
          await command("/set-prices", { forwarding: 6_000 });
          await command("/swallow-broadcasts", { count: 0 });
          // The hot account's wallet of the jetton finds too little coin beside the order, and sends the message back.
          expect(await cashier.expectTransfer(payout, { status: -1 })).toMatchObject({ txid });
          // Prices are read again after some seconds.
          const refusal = await settled(
            () => cashier.calculate(order).then(() => "", errorMessage),
            (text) => text !== "",
          );
          expect(refusal).toMatch(/503.*4018.*The network's prices have risen: /s);
          await command("/set-prices", {});
          const isQuoted = () =>
            cashier.calculate(order).then(
              () => true,
              () => false,
            );
          expect(await settled(isQuoted, (quoted) => quoted)).toBe(true);
          expect(await cashier.read(payout)).toMatchObject({ state: "failed" });
          expect(await payer.dollarsOf(receiver)).toBe(0n);
          await shop.expectBalance(wallet, "20.000000", "0.000000");
        }, "USDT-TON"),
    );
  });

  describe("a payout on TON that its receiver refuses", () => {
    it(
      "fails, its money returns to the wallet, and its fee is charged",
      { timeout: patienceMs },
      () =>
        inShop(async (shop, wallet) => {
          const { chain, payer, site } = ground();
          const { address, tag } = placeOf(await shop.deposit(wallet));
          await payer.pay(address, "20", tag);
          await shop.expectBalance(wallet, "20.000000000", "0.000000000");
          const cashier = openCashier(site, shop, site.cashier);
          const payout = await cashier.pay({
            wallet,
            alpha: "TON",
            amount: "2.5",
            attributes: { tag: "hello" },
            address: present(chain.tokens["USDT-TON"], "a contract that takes no coin"),
          });
          await cashier.expectTransfer(payout, { status: -1 });
          await payer.settle();
          const left = (20 - Number(feeOf(payout))).toFixed(9);
          await shop.expectBalance(wallet, left, "0.000000000");
        }),
    );
  });
}

async function assign(shop: Shop, waiting: Resource, deposit: Resource): Promise<void> {
  await shop.client.post(`/unattributed/${waiting.id}/assign/`, {
    data: {
      type: "unattributed",
      attributes: { reason: "the payer named the invoice" },
      relationships: { deposit: { data: { type: "deposit", id: deposit.id } } },
    },
  });
}

/** Deploys a jetton with the code and content of the test dollar, another master, and units for the faucet. */
async function deployFake({ client, faucet, send }: TonPayer): Promise<Address> {
  const code = Cell.fromBase64(contracts.jettonMinter.codeBoc);
  const data = beginCell()
    .storeCoins(0n)
    .storeAddress(faucet)
    .storeRef(beginCell().storeUint(0, 8).storeBit(false).endCell())
    .storeRef(Cell.fromBase64(contracts.jettonWallet.codeBoc))
    .endCell();
  const master = contractAddress(0, { code, data });
  const minted = beginCell()
    .storeUint(0x178d4519, 32)
    .storeUint(0, 64)
    .storeCoins(1_000_000_000n)
    .storeAddress(null)
    .storeAddress(faucet)
    .storeCoins(0n)
    .storeBit(false)
    .endCell();
  const body = beginCell()
    .storeUint(21, 32)
    .storeUint(0, 64)
    .storeAddress(faucet)
    .storeCoins(toNano("0.05"))
    .storeRef(minted)
    .endCell();
  await send([
    internal({ to: master, value: toNano("1"), bounce: false, init: { code, data }, body }),
  ]);
  expect((await client.open(JettonMaster.create(master)).getJettonData()).totalSupply).toBe(
    1_000_000_000n,
  );
  return master;
}
