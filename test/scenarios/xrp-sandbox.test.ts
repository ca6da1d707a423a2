import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AccountSetAsfFlags,
  classicAddressToXAddress,
  PaymentFlags,
  Wallet,
  xAddressToClassicAddress,
} from "xrpl";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { readSandboxFile, type XrplSite } from "../../src/sandbox/sandbox-file.ts";
import { expectWholeBooks } from "./cases/whole-books.ts";
import { describeXrpDeliveries } from "./cases/xrp-deliveries.ts";
import { describeXrpTraps } from "./cases/xrp-traps.ts";
import type { Resource } from "./support/api-client.ts";
import { hasAll, settled } from "./support/callbacks.ts";
import { openCashier } from "./support/cashier.ts";
import { patienceMs } from "./support/define-scenario.ts";
import type { Deployment } from "./support/deployment.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";
import { addressOf, type Shop, withShop } from "./support/shop.ts";
import { openTestSite, type TestSite } from "./support/test-site.ts";
import { openXrpPayer, type XrpPayer } from "./support/xrp-payer.ts";

/*
 * XRP through HTTP in the sandbox, with its simulated ledger. The payer is xrpl.js, unmodified, which finds everything that it needs in
 * sandbox.json.
 */

let deployment: Deployment;
let site: TestSite;
let chain: XrplSite;
let payer: XrpPayer;
let client: XrpPayer["client"];
let faucet: XrpPayer["faucet"];
let send: XrpPayer["send"];
let payment: XrpPayer["payment"];
let newAccount: XrpPayer["newAccount"];

beforeAll(async () => {
  deployment = await startSandboxDeployment({ SLUICE_CHAINS: "XRP" });
  const file = await readSandboxFile(join(deployment.configFile, ".."));
  chain = file.chains["XRP"] as XrplSite;
  site = await openTestSite(deployment);
  payer = await openXrpPayer(chain, site);
  ({ client, faucet, send, payment, newAccount } = payer);
}, 900_000);
afterAll(async () => {
  await payer.close();
  await site.close();
  await deployment.stop();
});

const inShop = (work: (shop: Shop, wallet: string) => Promise<void>): Promise<void> =>
  withShop(site, async (shop) => work(shop, await shop.wallet("enterprise", "XRP")));

describe("a deposit of XRP", () => {
  it("is at an account that refuses payments without a tag", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const { classicAddress } = xAddressToClassicAddress(addressOf(await shop.deposit(wallet)));
      await send(payment(classicAddress, "1000000"), faucet, "tecDST_TAG_NEEDED");
    }),
  );

  it("shows an X-address, and is paid at it", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const address = addressOf(deposit);
      const { classicAddress, tag } = xAddressToClassicAddress(address);
      expect(deposit.attributes["destination"]).toEqual({
        address_type: "x-address",
        address,
        tag: String(tag),
      });
      const page = await fetch(`${deposit.attributes["payment_page"] as string}/state/`);
      expect(await page.json()).toMatchObject({
        payment: {
          address,
          account: classicAddress,
          combined: null,
          uri: address,
          tag: { type: "destination_tag", value: String(tag) },
        },
      });
      await send(payment(address, "12500000"));
      await shop.expectBalance(wallet, "12.500000", "0.000000");
    }),
  );

  it("shows the classic address and the tag, and is paid at them", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet, { address_type: "address" });
      const { address, tag } = deposit.attributes["destination"] as {
        readonly address: string;
        readonly tag: string;
      };
      expect(address).toMatch(/^r/);
      const page = await fetch(`${deposit.attributes["payment_page"] as string}/state/`);
      const combined = classicAddressToXAddress(address, Number(tag), true);
      expect(await page.json()).toMatchObject({
        payment: { address, account: null, combined, uri: combined },
      });
      await send(payment(address, "3000000", { DestinationTag: Number(tag) }));
      await shop.expectBalance(wallet, "3.000000", "0.000000");
      const found = await shop.client.list(`/deposit/?filter[address]=${combined}`);
      expect(found.map(({ id }) => id)).toEqual([deposit.id]);
    }),
  );

  it("counts what a partial payment delivered, not what it states", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const [issuer, maker] = [await newAccount(), await newAccount()];
      const usd = (value: string) => ({ currency: "USD", issuer: issuer.address, value });
      await send(
        {
          TransactionType: "OfferCreate",
          Account: maker.address,
          TakerGets: "5000000",
          TakerPays: usd("10"),
        },
        maker,
      );
      const deposit = await shop.deposit(wallet);
      await send(
        payment(addressOf(deposit), "1000000000", {
          Account: issuer.address,
          SendMax: usd("4"),
          Flags: PaymentFlags.tfPartialPayment,
        }),
        issuer,
      );
      await shop.expectBalance(wallet, "2.000000", "0.000000");
    }),
  );
});

describe("a payment under a tag that no deposit has", () => {
  it("waits as unattributed, and an operator assigns it", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const { classicAddress } = xAddressToClassicAddress(addressOf(deposit));
      const txid = await send(payment(classicAddress, "7000000", { DestinationTag: 5 }));
      const [waiting] = await settled(
        () => shop.client.list(`/unattributed/?filter[txid]=${txid}`),
        (rows) => rows.length === 1,
      );
      expect(waiting?.attributes).toMatchObject({ amount: "7.000000", tag: "5" });
      expect(await shop.balance(wallet)).toMatchObject({ confirmed: "0.000000" });
      const id = present(waiting, "the payment").id;
      await shop.client.post(`/unattributed/${id}/assign/`, {
        data: {
          type: "unattributed",
          attributes: { reason: "the payer named the invoice" },
          relationships: { deposit: { data: { type: "deposit", id: deposit.id } } },
        },
      });
      await shop.expectBalance(wallet, "7.000000", "0.000000");
    }),
  );
});

describe("a payout of XRP", () => {
  /** A wallet that received 20 XRP, and a cashier who pays out of it. */
  const withFunds = (
    work: (cashier: ReturnType<typeof openCashier>, wallet: string) => Promise<void>,
  ): Promise<void> =>
    inShop(async (shop, wallet) => {
      await send(payment(addressOf(await shop.deposit(wallet)), "20000000"));
      await shop.expectBalance(wallet, "20.000000", "0.000000");
      await work(openCashier(site, shop, site.cashier), wallet);
    });
  const order = (wallet: string, address: string, amount = "2.5") => ({
    wallet,
    alpha: "XRP",
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

  it("arrives under the tag of an X-address", { timeout: patienceMs }, () =>
    withFunds(async (cashier, wallet) => {
      const receiver = await newAccount();
      const address = classicAddressToXAddress(receiver.address, 77, true);
      const payout = await cashier.pay(order(wallet, address));
      await confirmed(cashier, payout);
      const { result } = await client.request({
        command: "account_tx",
        account: receiver.address,
        limit: 1,
      });
      expect(result.transactions[0]).toMatchObject({
        tx_json: { DestinationTag: 77 },
        meta: { delivered_amount: "2500000" },
      });
    }),
  );

  it(
    "to a receiver that requires a tag is refused without one, and paid with it",
    {
      timeout: patienceMs,
    },
    () =>
      withFunds(async (cashier, wallet) => {
        const receiver = await newAccount();
        await send(
          {
            TransactionType: "AccountSet",
            Account: receiver.address,
            SetFlag: AccountSetAsfFlags.asfRequireDest,
          },
          receiver,
        );
        await expect(cashier.calculate(order(wallet, receiver.address))).rejects.toThrow(
          /"1007".*requires a destination tag.*attributes\/tag/,
        );
        const withTag = classicAddressToXAddress(receiver.address, 0, true);
        const payout = await cashier.pay(order(wallet, withTag));
        await confirmed(cashier, payout);
        expect(await client.getXrpBalance(receiver.address)).toBeCloseTo(52.5, 3);
      }),
  );

  it("creates its receiver, unless it brings less than the reserve", { timeout: patienceMs }, () =>
    withFunds(async (cashier, wallet) => {
      const { address } = Wallet.generate();
      await expect(cashier.calculate(order(wallet, address, "0.9"))).rejects.toThrow(
        /"4013".*at least 1 XRP/,
      );
      const payout = await cashier.pay(order(wallet, address, "1"));
      await confirmed(cashier, payout);
      expect(await client.getXrpBalance(address)).toBe(1);
    }),
  );
});

describeXrpTraps(() => ({ site, payer }));
describeXrpDeliveries(() => ({ site, payer }));

describe("the sandbox's XRP Ledger", () => {
  it("is described as simulated, with everything that an outside payer needs", () => {
    expect(chain).toEqual({
      family: "xrpl",
      simulated: true,
      rpc_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      ws_url: chain.rpc_url.replace("http", "ws"),
      sandbox_url: `${chain.rpc_url}/sandbox`,
      faucet_seed: expect.stringMatching(/^sEd\w+$/) as string,
      network_id: 1000,
    });
  });

  it("ends with books that match it", { timeout: patienceMs }, () => expectWholeBooks(site));
});
