import { join } from "node:path";
import { Address, comment, internal, SendMode, toNano } from "@ton/core";
import { keyPairFromSeed } from "@ton/crypto";
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pausePayouts, resumePausedPayouts } from "../../src/main/commands/pause-payouts.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { readSandboxFile, type TonSite } from "../../src/sandbox/sandbox-file.ts";
import { describeTonTraps } from "./cases/ton-traps.ts";
import { expectWholeBooks } from "./cases/whole-books.ts";
import type { Resource } from "./support/api-client.ts";
import { feeOf, openCashier } from "./support/cashier.ts";
import { patienceMs } from "./support/define-scenario.ts";
import type { Deployment } from "./support/deployment.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";
import { type Shop, withShop } from "./support/shop.ts";
import { openTestSite, type TestSite } from "./support/test-site.ts";
import { openTonPayer, type TonPayer } from "./support/ton-payer.ts";

/*
 * TON and USDT-TON through HTTP in the sandbox, with its simulated network. The payer is @ton/ton, unmodified, which finds everything that
 * it needs in sandbox.json.
 */

let deployment: Deployment;
let site: TestSite;
let chain: TonSite;
let payer: TonPayer;

beforeAll(async () => {
  deployment = await startSandboxDeployment({ SLUICE_CHAINS: "TON" });
  const file = await readSandboxFile(join(deployment.configFile, ".."));
  chain = file.chains["TON"] as TonSite;
  site = await openTestSite(deployment);
  payer = openTonPayer(chain, site);
}, 900_000);
afterAll(async () => {
  await site.close();
  await deployment.stop();
});

type Place = { readonly address: string; readonly tag: string };
const placeOf = ({ attributes }: Resource): Place => attributes["destination"] as Place;

const inShop = (
  work: (shop: Shop, wallet: string) => Promise<void>,
  alpha = "TON",
): Promise<void> =>
  withShop(site, async (shop) => work(shop, await shop.wallet("enterprise", alpha)));

/** Pays a deposit in its currency, under its comment. */
async function payAt(deposit: Resource, amount: string): Promise<void> {
  const { address, tag } = placeOf(deposit);
  await payer.pay(address, amount, tag);
}

describe("a deposit on TON", () => {
  it("shows the account and a comment, and is paid at them", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const { address, tag } = placeOf(deposit);
      expect(address).toMatch(/^0Q[\w-]{46}$/);
      expect(deposit.attributes).toMatchObject({
        address,
        address_type: "",
        destination: { address_type: null, address, tag_type: null, tag },
      });
      const page = await fetch(`${deposit.attributes["payment_page"] as string}/state/`);
      expect(await page.json()).toMatchObject({
        payment: {
          address,
          account: null,
          tag: { type: "comment", value: tag },
          uri: `ton://transfer/${address}?text=${tag}`,
        },
      });
      await payAt(deposit, "12.5");
      const { hash } = await payer.newest(address);
      await shop.expectTransfer(deposit, {
        amount: "12.500000000",
        status: 2,
        txid: hash().toString("hex"),
      });
      await shop.expectBalance(wallet, "12.500000000", "0.000000000");
      await shop.expectCallbackCount(deposit, 1);
    }),
  );

  it("is found by every spelling of its account", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const account = Address.parse(placeOf(deposit).address);
      const found = async (address: string) =>
        (
          await shop.client.list(
            `/deposit/?filter[wallet]=${wallet}&filter[address]=${encodeURIComponent(address)}`,
          )
        ).map(({ id }) => id);
      for (const spelled of [account.toString(), account.toRawString()])
        expect(await found(spelled)).toEqual([deposit.id]);
    }),
  );

  it("is paid by wallets of every version, in their first order", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const { address, tag } = placeOf(deposit);
      const message = (value: string) =>
        internal({ to: Address.parse(address), value, bounce: false, body: tag });
      const order = { seqno: 0, sendMode: SendMode.PAY_GAS_SEPARATELY };
      const { publicKey, secretKey } = keyPairFromSeed(Buffer.from(systemRandom.bytes(32)));
      const three = WalletContractV3R2.create({ workchain: 0, publicKey });
      const four = WalletContractV4.create({ workchain: 0, publicKey });
      const five = WalletContractV5R1.create({ workchain: 0, publicKey });
      for (const one of [three, four, five]) await payer.pay(one.address, "10");
      const { client } = payer;
      await client
        .open(three)
        .sendTransfer({ ...order, secretKey, messages: [message("1"), message("0.1")] });
      await client.open(four).sendTransfer({ ...order, secretKey, messages: [message("2")] });
      await client.open(five).sendTransfer({ ...order, secretKey, messages: [message("4")] });
      await payer.settle();
      await shop.expectBalance(wallet, "7.100000000", "0.000000000");
      expect(await shop.transfers(deposit)).toHaveLength(4);
    }),
  );

  it("in USDT-TON is paid by a transfer with its comment", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const [first, second] = [await shop.deposit(wallet), await shop.deposit(wallet)];
      const { address, tag } = placeOf(first);
      const page = await fetch(`${first.attributes["payment_page"] as string}/state/`);
      expect(await page.json()).toMatchObject({
        payment: {
          uri: `ton://transfer/${address}?jetton=${chain.tokens["USDT-TON"] ?? ""}&text=${tag}`,
        },
      });
      await payer.payDollars(address, 7_000_000n, tag);
      await shop.expectTransfer(first, { amount: "7.000000", status: 2 });
      await payer.payDollars(address, 500_000n, placeOf(second).tag);
      await shop.expectTransfer(second, { amount: "0.500000", status: 2 });
      await shop.expectBalance(wallet, "7.500000", "0.000000");
    }, "USDT-TON"),
  );

  it("does not count money that bounced", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const { address, tag } = placeOf(deposit);
      const before = await payer.balance(payer.faucet);
      // The account has no contract before its first payout, so what may bounce does.
      const to = Address.parse(address);
      await payer.send([internal({ to, value: "3", bounce: true, body: comment(tag) })]);
      expect(before - (await payer.balance(payer.faucet))).toBeLessThan(toNano("0.02"));
      await payAt(deposit, "1");
      await shop.expectBalance(wallet, "1.000000000", "0.000000000");
      expect(await shop.transfers(deposit)).toHaveLength(1);
    }),
  );

  it("counts every message of one order, to several deposits", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const [first, second] = [await shop.deposit(wallet), await shop.deposit(wallet)];
      const message = (deposit: Resource, value: string) => {
        const { address, tag } = placeOf(deposit);
        return internal({ to: Address.parse(address), value, bounce: false, body: comment(tag) });
      };
      await payer.send([message(first, "1"), message(second, "2"), message(first, "4")]);
      await shop.expectTransfer(second, { amount: "2.000000000", status: 2 });
      await shop.expectBalance(wallet, "7.000000000", "0.000000000");
      const amounts = (await shop.transfers(first)).map(({ amount }) => amount);
      expect(amounts).toEqual(["1.000000000", "4.000000000"]);
    }),
  );
});

describe("a payout on TON", () => {
  /** A wallet that received 20 units, and a cashier who pays out of it. */
  const withFunds = (
    work: (cashier: ReturnType<typeof openCashier>, wallet: string, shop: Shop) => Promise<void>,
    alpha = "TON",
  ): Promise<void> =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const { address, tag } = placeOf(deposit);
      if (alpha === "TON") await payer.pay(address, "20", tag);
      else await payer.payDollars(address, 20_000_000n, tag);
      await shop.expectBalance(
        wallet,
        alpha === "TON" ? "20.000000000" : "20.000000",
        alpha === "TON" ? "0.000000000" : "0.000000",
      );
      await work(openCashier(site, shop, site.cashier), wallet, shop);
    }, alpha);
  const order = (wallet: string, address: string, amount = "2.5", alpha = "TON") => ({
    wallet,
    alpha,
    amount,
    address,
  });
  const newAccount = (): Address => new Address(0, Buffer.from(systemRandom.bytes(32)));

  it(
    "reaches an account without a contract with its comment, and charges exactly its amount and fee",
    { timeout: patienceMs },
    () =>
      withFunds(async (cashier, wallet, shop) => {
        const receiver = newAccount();
        const { medium } = await cashier.calculate(order(wallet, receiver.toString()));
        const attributes = { tag: "invoice 77", fee_amount: medium };
        const payout = await cashier.pay({ ...order(wallet, receiver.toString()), attributes });
        const { txid } = await cashier.expectTransfer(payout, { status: 2 });
        expect(txid).toMatch(/^[0-9a-f]{64}$/);
        await payer.settle();
        expect(await payer.balance(receiver)).toBe(2_500_000_000n);
        const { inMessage } = await payer.newest(receiver);
        expect(inMessage?.body.equals(comment("invoice 77"))).toBe(true);
        const left = (20 - 2.5 - Number(feeOf(payout))).toFixed(9);
        await shop.expectBalance(wallet, left, "0.000000000");
        await cashier.expectCallbackCount(payout, 1);
      }),
  );

  it(
    "shares a message with others, and fails alone if its receiver sends the money back",
    { timeout: patienceMs },
    () =>
      withFunds(async (cashier, wallet, shop) => {
        // A jetton's master takes no payments.
        const master = chain.tokens["USDT-TON"] ?? "";
        const receivers = [newAccount().toString(), master, newAccount().toString()];
        const { medium } = await cashier.calculate(order(wallet, receivers[0] ?? ""));
        const clerk = openCashier(site, shop, site.clerk);
        const attributes = { fee_amount: medium, tag: "invoice 78" };
        const payouts = await Promise.all(
          receivers.map((address) => clerk.pay({ ...order(wallet, address), attributes })),
        );
        // None is sent before all are approved.
        const { configFile } = site.deployment;
        const pause = { kind: "wallet", walletId: wallet } as const;
        await pausePayouts(configFile, pause, "until all are there", site.terminal);
        for (const payout of payouts) await cashier.approve(payout);
        for (const payout of payouts)
          await cashier.expectTransfer(payout, { status: 0, risk_status: 1 });
        await resumePausedPayouts(configFile, pause, site.terminal);
        const [first, refused, last] = payouts as [Resource, Resource, Resource];
        const { txid } = await cashier.expectTransfer(first, { status: 2 });
        expect(await cashier.expectTransfer(last, { status: 2 })).toMatchObject({ txid });
        const failed = await cashier.expectTransfer(refused, { status: -1 });
        expect(failed).toMatchObject({ txid });
        expect(await cashier.read(refused)).toMatchObject({ state: "failed" });
        for (const place of [0, 2])
          expect(await payer.balance(Address.parse(receivers[place] ?? ""))).toBe(2_500_000_000n);
        // The failed one has burned its fee.
        const left = (20 - 2 * 2.5 - 3 * Number(feeOf(first))).toFixed(9);
        await shop.expectBalance(wallet, left, "0.000000000");
      }),
  );

  it("in USDT-TON reaches an account that never had any", { timeout: patienceMs }, () =>
    withFunds(async (cashier, wallet, shop) => {
      const receiver = newAccount();
      const wanted = { ...order(wallet, receiver.toString(), "2.5", "USDT-TON") };
      const payout = await cashier.pay({ ...wanted, attributes: { tag: "7" } });
      await cashier.expectTransfer(payout, { status: 2 });
      await payer.settle();
      expect(await payer.dollarsOf(receiver)).toBe(2_500_000n);
      const { inMessage } = await payer.newest(receiver);
      const body = inMessage?.body.beginParse().skip(32 + 64);
      expect(body?.loadCoins()).toBe(2_500_000n);
      body?.loadAddress();
      expect(body?.loadMaybeRef()?.equals(comment("7"))).toBe(true);
      await shop.expectBalance(wallet, "17.500000", "0.000000");
      // What was left of the transfer's cost came back, and is nobody's payment.
      const hot = placeOf(await shop.deposit(wallet)).address;
      const rest = await payer.newest(hot);
      expect(rest.inMessage?.body.beginParse().loadUint(32)).toBe(0xd53276db);
      const txid = rest.hash().toString("hex");
      expect(await shop.client.list(`/unattributed/?filter[txid]=${txid}`)).toEqual([]);
    }, "USDT-TON"),
  );
});

describeTonTraps(() => ({ site, chain, payer }));

describe("the sandbox's TON network", () => {
  it("ends with books that match it", { timeout: patienceMs }, () => expectWholeBooks(site));
});
