import { join } from "node:path";
import algosdk, { type Account, type Transaction } from "algosdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { applicationId, issuerMnemonic } from "../../src/sandbox/algorand/genesis.ts";
import { type AlgorandSite, readSandboxFile } from "../../src/sandbox/sandbox-file.ts";
import { expectWholeBooks } from "./cases/whole-books.ts";
import type { Resource } from "./support/api-client.ts";
import { hasAll, settled } from "./support/callbacks.ts";
import { openCashier } from "./support/cashier.ts";
import { patienceMs } from "./support/define-scenario.ts";
import type { Deployment } from "./support/deployment.ts";
import { runSluice } from "./support/run-sluice.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";
import { addressOf, type Shop, withShop } from "./support/shop.ts";
import { openTestSite, type TestSite } from "./support/test-site.ts";

/*
 * ALGO and USDC-ALGO through HTTP in the sandbox, with its simulated network. The payer is algosdk, unmodified, which finds everything that
 * it needs in sandbox.json.
 */

let deployment: Deployment;
let site: TestSite;
let chain: AlgorandSite;
let client: algosdk.Algodv2;
let faucet: Account;
let usdc = 0n;

beforeAll(async () => {
  deployment = await startSandboxDeployment({ SLUICE_CHAINS: "ALGO" });
  const file = await readSandboxFile(join(deployment.configFile, ".."));
  chain = file.chains["ALGO"] as AlgorandSite;
  site = await openTestSite(deployment);
  const { origin, port } = new URL(chain.rpc_url);
  client = new algosdk.Algodv2(chain.rpc_token, origin.replace(/:\d+$/, ""), port);
  faucet = algosdk.mnemonicToSecretKey(chain.faucet_mnemonic);
  usdc = BigInt(present(chain.tokens["USDC-ALGO"], "the test USDC"));
}, 900_000);
afterAll(async () => {
  await site.close();
  await deployment.stop();
});

/** Sends by the SDK's own means. */
async function submit(transaction: Transaction, from = faucet): Promise<string> {
  const signer = algosdk.makeBasicAccountTransactionSigner(from);
  const [signed] = await signer([transaction], [0]);
  const { txid } = await client.sendRawTransaction(present(signed, "a signature")).do();
  return txid;
}

/** The same, and adds a block. */
async function send(transaction: Transaction, from = faucet): Promise<string> {
  const txid = await submit(transaction, from);
  await site.onChain("ALGO", (control) => control.mine(1));
  return txid;
}

const pay = async (receiver: string, amount: bigint, more: object = {}, from = faucet) =>
  await send(
    algosdk.makePaymentTxnWithSuggestedParamsFromObject({
      sender: from.addr,
      receiver,
      amount,
      note: crypto.getRandomValues(new Uint8Array(8)),
      suggestedParams: await client.getTransactionParams().do(),
      ...more,
    }),
    from,
  );
const transferTo = async (receiver: string, amount: bigint, from = faucet, more: object = {}) =>
  algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
    sender: from.addr,
    receiver,
    amount,
    assetIndex: usdc,
    note: crypto.getRandomValues(new Uint8Array(8)),
    suggestedParams: await client.getTransactionParams().do(),
    ...more,
  });
const transfer = async (receiver: string, amount: bigint, from = faucet, more: object = {}) =>
  await send(await transferTo(receiver, amount, from, more), from);

async function newAccount(microAlgos: bigint): Promise<Account> {
  const account = algosdk.generateAccount();
  await pay(account.addr.toString(), microAlgos);
  return account;
}

const inShop = (
  alpha: string,
  work: (shop: Shop, wallet: string) => Promise<void>,
): Promise<void> =>
  withShop(site, async (shop) => work(shop, await shop.wallet("enterprise", alpha)));

/** The deposit's address, once its activation has confirmed. */
async function activated(shop: Shop, deposit: Resource): Promise<string> {
  const attributes = await settled(
    () => shop.read(deposit),
    ({ is_active }) => is_active === true,
  );
  expect(attributes).toMatchObject({ is_active: true });
  return addressOf({ ...deposit, attributes });
}

describe("a deposit of ALGO", () => {
  it(
    "is inactive until its address is activated, which is announced with the activating transfer",
    { timeout: patienceMs },
    () =>
      inShop("ALGO", async (shop, wallet) => {
        const deposit = await shop.deposit(wallet);
        expect(deposit.attributes).toMatchObject({
          is_active: false,
          address: null,
          destination: null,
        });
        const address = await activated(shop, deposit);
        expect(algosdk.isValidAddress(address)).toBe(true);
        expect(await shop.read(deposit)).toMatchObject({
          destination: { address_type: null, address },
        });
        const { amount } = await client.accountInformation(address).do();
        expect(amount).toBe(100_000n);
        await shop.expectCallbackCount(deposit, 1);
        const [callback] = shop.receiver.received.filter(
          ({ document }) => document.data.id === deposit.id,
        );
        const { data, included } = present(callback, "the callback").document as unknown as {
          readonly data: Resource;
          readonly included: readonly Resource[];
        };
        expect(data.attributes).toMatchObject({ is_active: true, address });
        expect(included.find(({ type }) => type === "transfer")?.attributes).toMatchObject({
          op_type: 49,
          amount: "0.100000",
          status: 2,
        });
        const [activation] = await shop.client.list(`/transfer/?filter[op_type]=49&sort=-id`);
        expect(activation?.attributes).toMatchObject({ op_id: Number(deposit.id), op_type: 49 });
        await pay(address, 12_500_000n);
        await shop.expectBalance(wallet, "12.500000", "0.000000");
        expect(await shop.read(deposit)).toMatchObject({ assets: { ALGO: "12.500000" } });
      }),
  );

  it("is credited what a payer's account closes into it", { timeout: patienceMs }, () =>
    inShop("ALGO", async (shop, wallet) => {
      const address = await activated(shop, await shop.deposit(wallet));
      const payer = await newAccount(5_000_000n);
      await pay(address, 1_000_000n, { closeRemainderTo: address }, payer);
      await shop.expectBalance(wallet, "4.999000", "0.000000");
    }),
  );

  it(
    "is credited the payments of an application, each as one transfer",
    { timeout: patienceMs },
    () =>
      inShop("ALGO", async (shop, wallet) => {
        const deposit = await shop.deposit(wallet);
        const address = await activated(shop, deposit);
        const rcv = algosdk.decodeAddress(address).publicKey;
        await pay(algosdk.getApplicationAddress(applicationId).toString(), 5_000_000n);
        const terms = await client.getTransactionParams().do();
        const txid = await send(
          algosdk.makeApplicationNoOpTxnFromObject({
            sender: faucet.addr,
            appIndex: applicationId,
            appArgs: [700_000n, 300_000n].map((amt) =>
              algosdk.msgpackRawEncode({ amt, rcv, type: "pay" }),
            ),
            suggestedParams: { ...terms, flatFee: true, fee: 3_000n },
          }),
        );
        await shop.expectBalance(wallet, "1.000000", "0.000000");
        expect((await shop.transfers(deposit)).map(({ amount, txid: id }) => [amount, id])).toEqual(
          [
            ["0.700000", txid],
            ["0.300000", txid],
          ],
        );
      }),
  );

  it("is credited what an account pays that another key signs for", { timeout: patienceMs }, () =>
    inShop("ALGO", async (shop, wallet) => {
      const address = await activated(shop, await shop.deposit(wallet));
      const [payer, signer] = [await newAccount(5_000_000n), algosdk.generateAccount()];
      // The payment that rekeys counts as well.
      await pay(address, 1_000_000n, { rekeyTo: signer.addr }, payer);
      await pay(address, 1_500_000n, { sender: payer.addr }, signer);
      await shop.expectBalance(wallet, "2.500000", "0.000000");
    }),
  );
});

describe("a deposit of USDC-ALGO", () => {
  it("is activated with its opt-in, and paid", { timeout: patienceMs }, () =>
    inShop("USDC-ALGO", async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      expect(deposit.attributes).toMatchObject({ is_active: false, address: null });
      const address = await activated(shop, deposit);
      const { assets } = await client.accountInformation(address).do();
      expect(assets?.map(({ assetId }) => assetId)).toEqual([usdc]);
      await transfer(address, 25_000_000n);
      await shop.expectBalance(wallet, "25.000000", "0.000000");
    }),
  );

  it("is credited what its issuer claws back from another account", { timeout: patienceMs }, () =>
    inShop("USDC-ALGO", async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const address = await activated(shop, deposit);
      const holder = await newAccount(1_000_000n);
      const from = holder.addr.toString();
      await transfer(from, 0n, holder);
      await transfer(from, 9_000_000n);
      const issuer = algosdk.mnemonicToSecretKey(issuerMnemonic);
      const txid = await transfer(address, 4_000_000n, issuer, { assetSender: holder.addr });
      await shop.expectBalance(wallet, "4.000000", "0.000000");
      await shop.expectTransfer(deposit, { amount: "4.000000", txid, status: 2 });
    }),
  );
});

describe("a payout", () => {
  /** A wallet that received 20 of the currency, and a cashier who pays out of it. */
  const withFunds = (
    alpha: "ALGO" | "USDC-ALGO",
    work: (cashier: ReturnType<typeof openCashier>, wallet: string) => Promise<void>,
  ): Promise<void> =>
    inShop(alpha, async (shop, wallet) => {
      const address = await activated(shop, await shop.deposit(wallet));
      await (alpha === "ALGO" ? pay : transfer)(address, 20_000_000n);
      await shop.expectBalance(wallet, "20.000000", "0.000000");
      await work(openCashier(site, shop, site.cashier), wallet);
    });
  const order = (wallet: string, alpha: string, address: string, amount: string) => ({
    wallet,
    alpha,
    amount,
    address,
  });
  const confirmed = async (
    cashier: ReturnType<typeof openCashier>,
    payout: Resource,
  ): Promise<JsonObject> => {
    const shown = await settled(
      async () => (await cashier.transfer(payout)).attributes,
      (now) => hasAll(now, { status: 2 }),
    );
    expect(shown).toMatchObject({ status: 2 });
    return shown;
  };

  it(
    "of ALGO creates its receiver, unless it brings less than an account holds",
    { timeout: patienceMs },
    () =>
      withFunds("ALGO", async (cashier, wallet) => {
        const receiver = algosdk.generateAccount().addr.toString();
        await expect(cashier.calculate(order(wallet, "ALGO", receiver, "0.099"))).rejects.toThrow(
          /"4013"/,
        );
        await confirmed(cashier, await cashier.pay(order(wallet, "ALGO", receiver, "2.5")));
        expect((await client.accountInformation(receiver).do()).amount).toBe(2_500_000n);
      }),
  );

  it(
    "of USDC-ALGO is refused until its receiver has opted in, and then paid",
    { timeout: patienceMs },
    () =>
      withFunds("USDC-ALGO", async (cashier, wallet) => {
        const receiver = await newAccount(1_000_000n);
        const address = receiver.addr.toString();
        await expect(cashier.calculate(order(wallet, "USDC-ALGO", address, "2.5"))).rejects.toThrow(
          /"7001".*opted in to USDC-ALGO/,
        );
        await transfer(address, 0n, receiver);
        // The state of a receiver is remembered for a while.
        await settled(
          () => cashier.calculate(order(wallet, "USDC-ALGO", address, "2.5")).catch(() => null),
          (quote) => quote !== null,
        );
        await confirmed(cashier, await cashier.pay(order(wallet, "USDC-ALGO", address, "2.5")));
        const held = await client.accountAssetInformation(address, usdc).do();
        expect(held.assetHolding?.amount).toBe(2_500_000n);
      }),
  );
});

describe("swept addresses", () => {
  it("keep what their accounts must hold", { timeout: patienceMs }, () =>
    inShop("ALGO", async (shop, wallet) => {
      const address = await activated(shop, await shop.deposit(wallet));
      await pay(address, 3_000_000n);
      await shop.expectBalance(wallet, "3.000000", "0.000000");
      const left = await settled(
        async () => (await client.accountInformation(address).do()).amount,
        (amount) => amount < 3_000_000n,
      );
      expect(left).toBe(100_000n);
    }),
  );

  it(
    "keep their opt-in, and are swept again when they are paid again",
    { timeout: patienceMs },
    () =>
      inShop("USDC-ALGO", async (shop, wallet) => {
        const address = await activated(shop, await shop.deposit(wallet));
        const left = (): Promise<bigint | undefined> =>
          settled(
            async () =>
              (await client.accountAssetInformation(address, usdc).do()).assetHolding?.amount,
            (amount) => amount === 0n,
          );
        await transfer(address, 25_000_000n);
        await shop.expectBalance(wallet, "25.000000", "0.000000");
        expect(await left()).toBe(0n);
        // More than before, while the first sweep confirms.
        await transfer(address, 40_000_000n);
        await shop.expectBalance(wallet, "65.000000", "0.000000");
        expect(await left()).toBe(0n);
        // The address keeps what an account with one asset must hold, and nothing of what its sweeps cost.
        expect((await client.accountInformation(address).do()).amount).toBe(200_000n);
      }),
  );
});

describe("a clawback from a deposit address", () => {
  it(
    "pauses payouts until the operator has recorded the loss, and leaves the payer's credit",
    { timeout: patienceMs },
    () =>
      inShop("USDC-ALGO", async (shop, wallet) => {
        const deposit = await shop.deposit(wallet);
        const address = await activated(shop, deposit);
        const issuer = algosdk.mnemonicToSecretKey(issuerMnemonic);
        const cashier = openCashier(site, shop, site.cashier);
        // Before anything can be swept.
        await submit(await transferTo(address, 9_000_000n));
        const receiver = issuer.addr.toString();
        await transfer(receiver, 4_000_000n, issuer, {
          assetSender: algosdk.Address.fromString(address),
        });
        await shop.expectBalance(wallet, "9.000000", "0.000000");
        const order = { wallet, alpha: "USDC-ALGO", amount: "2.5", address: receiver };
        const refusal = () => cashier.calculate(order).then(() => "none", String);
        expect(await settled(refusal, (reason) => reason !== "none")).toMatch(
          /"4018".*the ledger and the chain differ/,
        );
        const { configFile } = site.deployment;
        expect(await runSluice("adjust", "USDC-ALGO", "--config", configFile)).toContain(
          "4 USDC-ALGO taken from the ledger",
        );
        expect(await settled(refusal, (reason) => reason === "none")).toBe("none");
        await cashier.expectTransfer(await cashier.pay(order), { status: 2 });
        expect(await shop.read(deposit)).toMatchObject({ assets: { "USDC-ALGO": "9.000000" } });
        // The issuer makes up for it, so that the operator has what it put in.
        const [hot] = await site.sql<{ readonly address: string }>(
          "select address from treasury_address where keyspace = 'ALGO' and purpose = 'hot'",
        );
        await transfer(present(hot, "the hot account").address, 4_000_000n);
      }),
  );
});

describe("the sandbox's Algorand network", () => {
  it("is described as simulated, with everything that an outside payer needs", () => {
    expect(chain).toEqual({
      family: "algorand",
      simulated: true,
      rpc_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      rpc_token: expect.stringMatching(/^\w{64}$/) as string,
      sandbox_url: `${chain.rpc_url}/sandbox`,
      faucet_mnemonic: expect.stringMatching(/^(?:[a-z]+ ){24}[a-z]+$/) as string,
      genesis_hash: expect.stringMatching(/^[\w+/]{43}=$/) as string,
      tokens: { "USDC-ALGO": expect.stringMatching(/^\d+$/) as string },
    });
  });

  it("ends with books that match it", { timeout: patienceMs }, () => expectWholeBooks(site));
});
