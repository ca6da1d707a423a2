/**
 * Payouts of XMR through HTTP in the sandbox: a view-only wallet drafts, the signer's offline wallet signs, and real monerod includes them. The
 * receiver is Monero's own wallet.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type MoneroSite, readSandboxFile } from "../../src/sandbox/sandbox-file.ts";
import { queryMonero } from "../support/query-monero.ts";
import { expectWholeBooks } from "./cases/whole-books.ts";
import type { Resource } from "./support/api-client.ts";
import { feeOf, openCashier, someone, textOf } from "./support/cashier.ts";
import { patienceMs } from "./support/define-scenario.ts";
import type { Deployment } from "./support/deployment.ts";
import { unitsOf } from "./support/money.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";
import { addressOf, depositStatus, type Shop, withShop } from "./support/shop.ts";
import { openTestSite, type TestSite } from "./support/test-site.ts";

let deployment: Deployment;
let site: TestSite;
let chain: MoneroSite;

beforeAll(async () => {
  deployment = await startSandboxDeployment({ SLUICE_CHAINS: "XMR" });
  const file = await readSandboxFile(join(deployment.configFile, ".."));
  chain = file.chains["XMR"] as MoneroSite;
  site = await openTestSite(deployment);
}, 900_000);
afterAll(async () => {
  await site.close();
  await deployment.stop();
});

const faucet = <Result>(method: string, params: JsonObject = {}): Promise<Result> =>
  queryMonero<Result>(chain.faucet_wallet_url, method, params);
const mine = (count: number): Promise<unknown> =>
  site.onChain("XMR", (control) => control.mine(count));

type Till = ReturnType<typeof openCashier>;

/** A wallet that received 2 XMR, and a cashier who pays out of it. */
const withFunds = (
  work: (cashier: Till, wallet: string, shop: Shop) => Promise<void>,
): Promise<void> =>
  withShop(site, async (shop) => {
    const wallet = await shop.wallet("enterprise", "XMR");
    const address = addressOf(await shop.deposit(wallet));
    await faucet("refresh");
    await faucet("transfer", { destinations: [{ address, amount: 2_000_000_000_000 }] });
    await mine(12);
    await shop.expectBalance(wallet, "2.000000000000", "0.000000000000");
    await work(openCashier(site, shop, site.cashier), wallet, shop);
  });

/** An account of the faucet's wallet with one subaddress. */
async function payee(): Promise<{
  readonly account: number;
  readonly addresses: readonly string[];
}> {
  const created = await faucet<{ readonly address: string; readonly account_index: number }>(
    "create_account",
  );
  const { account_index: account } = created;
  const { address } = await faucet<{ readonly address: string }>("create_address", {
    account_index: account,
  });
  return { account, addresses: [created.address, address] };
}

/** What an account received in a transaction, by address, in units. */
async function received(txid: unknown, account: number): Promise<Readonly<Record<string, number>>> {
  await faucet("refresh");
  const { transfers } = await faucet<{
    readonly transfers: readonly { readonly address: string; readonly amount: number }[];
  }>("get_transfer_by_txid", { txid: String(txid), account_index: account });
  return Object.fromEntries(transfers.map(({ address, amount }) => [address, amount]));
}

const order = (wallet: string, address: string, amount = "0.5") => ({
  wallet,
  alpha: "XMR",
  amount,
  address,
});

/** Waits until the payout is broadcast, mines its confirmations, and waits for those. */
async function confirmed(cashier: Till, payout: Resource): Promise<JsonObject> {
  await cashier.expectSent(payout);
  await mine(12);
  return await cashier.expectTransfer(payout, { status: 2 });
}

describe("a payout of XMR", () => {
  it("arrives in full, and charges its amount and fee", { timeout: patienceMs }, () =>
    withFunds(async (cashier, wallet, shop) => {
      const { account, addresses } = await payee();
      const [, address = ""] = addresses;
      const { low } = await cashier.calculate(order(wallet, address));
      const payout = await cashier.pay({
        ...order(wallet, address),
        attributes: { fee_amount: low },
      });
      const { txid } = await confirmed(cashier, payout);
      expect(await received(txid, account)).toEqual({ [address]: 500_000_000_000 });
      const left = (2 - 0.5 - Number(feeOf(payout))).toFixed(12);
      await shop.expectBalance(wallet, left, "0.000000000000");
      await cashier.expectCallbackCount(payout, 1);
    }),
  );

  it("shares a transaction with others", { timeout: patienceMs }, () =>
    withFunds(async (cashier, wallet) => {
      const { account, addresses } = await payee();
      const payouts = await Promise.all(
        addresses.map((address, place) => cashier.pay(order(wallet, address, `0.${place + 1}`))),
      );
      const transfers: JsonObject[] = [];
      for (const payout of payouts) transfers.push(await confirmed(cashier, payout));
      const txids = new Set(transfers.map(({ txid }) => txid));
      const sums: Record<string, number> = {};
      for (const txid of txids) Object.assign(sums, await received(txid, account));
      expect(sums).toEqual({
        [addresses[0] ?? ""]: 100_000_000_000,
        [addresses[1] ?? ""]: 200_000_000_000,
      });
    }),
  );

  it("refunds an overpaid invoice", { timeout: patienceMs }, () =>
    withShop(site, async (shop) => {
      const cashier = openCashier(site, shop, site.cashier);
      const merchant = await shop.wallet("merchant", "USD");
      const invoice = { target_amount_requested: "100.00" };
      const deposit = await shop.deposit(merchant, invoice, "XMR");
      const requested = textOf(deposit.attributes, "source_amount_requested");
      const paid = (unitsOf(requested, "XMR") * 3n) / 2n;
      await faucet("refresh");
      await faucet("transfer", {
        destinations: [{ address: addressOf(deposit), amount: Number(paid) }],
      });
      await mine(12);
      await shop.expectDeposit(deposit, { status: depositStatus.unresolved });
      const { account, addresses } = await payee();
      const [, address = ""] = addresses;
      const quote = await cashier.client.post(`/deposit/${deposit.id}/resolve/calculate/`, {
        data: { type: "payout-calculation", attributes: { action: "refund", to_address: address } },
      });
      const { medium: fee } = quote.attributes["fee"] as { readonly medium: string };
      const answer = await cashier.client.ask(
        "POST",
        `/deposit/${deposit.id}/resolve/`,
        {
          data: {
            type: "deposit",
            attributes: { action: "refund", address, fee_amount: fee, travel_rule_info: someone },
          },
        },
        { "idempotency-key": systemRandom.uuid() },
      );
      expect(answer.status, answer.text).toBe(200);
      const { meta } = JSON.parse(answer.text) as { readonly meta: { readonly payout_id: string } };
      const payout = await cashier.client.get(`/payout/${meta.payout_id}/`);
      const { txid } = await confirmed(cashier, payout);
      expect(await received(txid, account)).toEqual({
        [address]: Number(paid - unitsOf(fee, "XMR")),
      });
      await shop.expectDeposit(deposit, { status: depositStatus.canceled });
      await shop.expectBalance(merchant, "0.00", "0.00");
    }),
  );

  it(
    "leaves the dust of its deposits alone, which is credited to nobody, and is no dust itself",
    { timeout: patienceMs },
    () =>
      withFunds(async (cashier, wallet, shop) => {
        const dusty = await shop.deposit(wallet);
        const address = addressOf(dusty);
        await faucet("refresh");
        const [below, least] = [99_999_999, 100_000_000];
        const { tx_hash } = await faucet<{ readonly tx_hash: string }>("transfer", {
          destinations: [below, least].map((amount) => ({ address, amount })),
        });
        await mine(12);
        await shop.expectBalance(wallet, "2.000100000000", "0.000000000000");
        const kinds = (await shop.transfers(dusty)).map(({ amount, op_type, status, txid }) => ({
          amount,
          op_type,
          status,
          txid,
        }));
        const both = { status: 2, txid: tx_hash };
        expect(kinds).toHaveLength(2);
        expect(kinds).toContainEqual({ ...both, amount: "0.000099999999", op_type: 15 });
        expect(kinds).toContainEqual({ ...both, amount: "0.000100000000", op_type: 1 });
        const { account, addresses } = await payee();
        const [receiver = ""] = addresses;
        await expect(cashier.calculate(order(wallet, receiver, "0.000099999999"))).rejects.toThrow(
          /"4013"/,
        );
        const payout = await cashier.pay(order(wallet, receiver, "0.0001"));
        const { txid } = await confirmed(cashier, payout);
        expect(await received(txid, account)).toEqual({ [receiver]: least });
        const unspent = await site.sql<{ readonly units: bigint }>(
          "select units from coin where chain = 'XMR' and spent_height is null and outpoint like $1 || ':%' order by units",
          [tx_hash],
        );
        expect(unspent.map(({ units }) => Number(units))).toEqual([below, least]);
      }),
  );

  it("to an address of another chain is refused", { timeout: patienceMs }, () =>
    withFunds(async (cashier, wallet) => {
      await expect(
        cashier.calculate(order(wallet, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")),
      ).rejects.toThrow(/address/);
    }),
  );
});

describe("the sandbox's Monero chain", () => {
  it("ends with books that match it", { timeout: patienceMs }, () => expectWholeBooks(site));
});
