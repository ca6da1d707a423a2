import { join } from "node:path";
import {
  Account,
  Asset,
  BASE_FEE,
  FeeBumpTransaction,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  type rpc,
  TransactionBuilder,
} from "@stellar/stellar-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkAccounts } from "../../src/main/commands/check-accounts.ts";
import { setUpAccount } from "../../src/main/commands/set-up-account.ts";
import { readConfig } from "../../src/main/config/read-config.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { readSandboxFile, type StellarSite } from "../../src/sandbox/sandbox-file.ts";
import { openTerminal } from "../support/command-line.ts";
import { itScreensReturns } from "./cases/screened-return.ts";
import { describeStellarMarket } from "./cases/stellar-market.ts";
import { expectWholeBooks } from "./cases/whole-books.ts";
import type { Resource } from "./support/api-client.ts";
import { hasAll, settled } from "./support/callbacks.ts";
import { feeOf, openCashier, someone } from "./support/cashier.ts";
import { patienceMs } from "./support/define-scenario.ts";
import type { Deployment } from "./support/deployment.ts";
import { startSandboxDeployment } from "./support/sandbox-deployment.ts";
import { type Shop, withShop } from "./support/shop.ts";
import { openStellarPayer, type StellarPayer } from "./support/stellar-payer.ts";
import { openTestSite, type TestSite } from "./support/test-site.ts";

/*
 * XLM and USDC-XLM through HTTP in the sandbox, with its simulated network. The payer is @stellar/stellar-sdk, unmodified, which finds
 * everything that it needs in sandbox.json.
 */

let deployment: Deployment;
let site: TestSite;
let chain: StellarSite;
let payer: StellarPayer;
let server: StellarPayer["server"];
let horizon: StellarPayer["horizon"];
let faucet: StellarPayer["faucet"];
let dollar: StellarPayer["dollar"];
let build: StellarPayer["build"];
let submit: StellarPayer["submit"];
let send: StellarPayer["send"];
let newAccount: StellarPayer["newAccount"];

beforeAll(async () => {
  deployment = await startSandboxDeployment({ SLUICE_CHAINS: "XLM" });
  const file = await readSandboxFile(join(deployment.configFile, ".."));
  chain = file.chains["XLM"] as StellarSite;
  site = await openTestSite(deployment);
  payer = openStellarPayer(chain, site);
  ({ server, horizon, faucet, dollar, build, submit, send, newAccount } = payer);
}, 900_000);
afterAll(async () => {
  await site.close();
  await deployment.stop();
});

const pay = (destination: string, amount: string, asset = Asset.native()) =>
  Operation.payment({ destination, amount, asset });

type Place = { readonly address: string; readonly tag: string };
const placeOf = ({ attributes }: Resource): Place => attributes["destination"] as Place;
/** The deposit's place in one text. */
const muxed = ({ address, tag }: Place): string =>
  new MuxedAccount(new Account(address, "0"), tag).accountId();

const inShop = (
  work: (shop: Shop, wallet: string) => Promise<void>,
  alpha = "XLM",
): Promise<void> =>
  withShop(site, async (shop) => work(shop, await shop.wallet("enterprise", alpha)));

describe("a deposit on Stellar", () => {
  it("shows the account and a memo, and is paid at them", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const { address, tag } = placeOf(deposit);
      expect(deposit.attributes).toMatchObject({
        address,
        address_type: "",
        destination: { address_type: null, address, tag_type: "1", tag },
      });
      const page = await fetch(`${deposit.attributes["payment_page"] as string}/state/`);
      expect(await page.json()).toMatchObject({
        payment: { address, account: null, combined: muxed({ address, tag }) },
      });
      const txid = await send([pay(address, "12.5")], { memo: Memo.id(tag) });
      await shop.expectBalance(wallet, "12.5000000", "0.0000000");
      await shop.expectTransfer(deposit, { amount: "12.5000000", status: 2, txid });
      await shop.expectCallbackCount(deposit, 1);
    }),
  );

  it("is paid at its M-address, and found by it", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const [deposit, other] = [await shop.deposit(wallet), await shop.deposit(wallet)];
      const place = placeOf(deposit);
      await send([pay(muxed(place), "3")]);
      await shop.expectTransfer(deposit, { amount: "3.0000000", status: 2 });
      const found = async (address: string) =>
        (await shop.client.list(`/deposit/?filter[wallet]=${wallet}&filter[address]=${address}`))
          .map(({ id }) => id)
          .sort();
      expect(await found(muxed(place))).toEqual([deposit.id]);
      expect(await found(place.address)).toEqual([deposit.id, other.id].sort());
    }),
  );

  it("in USDC-XLM is paid by memo and by M-address", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const [first, second] = [await shop.deposit(wallet), await shop.deposit(wallet)];
      const { address, tag } = placeOf(first);
      await send([pay(address, "7", dollar)], { memo: Memo.id(tag) });
      await send([pay(muxed(placeOf(second)), "0.5", dollar)]);
      await shop.expectTransfer(first, { amount: "7.0000000", status: 2 });
      await shop.expectTransfer(second, { amount: "0.5000000", status: 2 });
      await shop.expectBalance(wallet, "7.5000000", "0.0000000");
    }, "USDC-XLM"),
  );

  it("counts every payment of one transaction, of several payers", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const [first, second] = [await shop.deposit(wallet), await shop.deposit(wallet)];
      const [one, two] = [muxed(placeOf(first)), muxed(placeOf(second))];
      await send([pay(one, "1"), pay(two, "2"), pay(one, "4")]);
      await shop.expectTransfer(second, { amount: "2.0000000", status: 2 });
      await shop.expectBalance(wallet, "7.0000000", "0.0000000");
      expect((await shop.transfers(first)).map(({ amount }) => amount)).toEqual([
        "1.0000000",
        "4.0000000",
      ]);
    }),
  );

  it("counts what merged accounts and paths brought", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const place = placeOf(deposit);
      const merged = await newAccount("20");
      await send(
        [Operation.accountMerge({ destination: muxed(place), source: merged.publicKey() })],
        { signers: [merged] },
      );
      await send([
        Operation.pathPaymentStrictSend({
          sendAsset: Asset.native(),
          sendAmount: "5",
          destination: muxed(place),
          destAsset: Asset.native(),
          destMin: "1",
        }),
      ]);
      await shop.expectBalance(wallet, "25.0000000", "0.0000000");
    }),
  );

  it("counts a payment in a fee-bump transaction once", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const payer = await newAccount();
      const inner = await build([pay(muxed(placeOf(deposit)), "6")], { source: payer });
      const bump = TransactionBuilder.buildFeeBumpTransaction(
        faucet,
        String(10 * Number(BASE_FEE)),
        inner,
        chain.network_passphrase,
      );
      bump.sign(faucet);
      const { hash, status } = await submit(bump);
      expect(status).toBe("SUCCESS");
      await shop.expectTransfer(deposit, { amount: "6.0000000", status: 2, txid: hash });
      await shop.expectBalance(wallet, "6.0000000", "0.0000000");
    }),
  );

  it(
    "counts nothing of a failed transaction, nor a token of another issuer",
    {
      timeout: patienceMs,
    },
    () =>
      inShop(async (shop, wallet) => {
        const deposit = await shop.deposit(wallet);
        const to = muxed(placeOf(deposit));
        const forger = await newAccount();
        const forged = new Asset(dollar.getCode(), forger.publicKey());
        const failing = await submit(await build([pay(to, "5", dollar), pay(to, "5", forged)], {}));
        expect(failing.status).toBe("FAILED");
        const alone = await submit(await build([pay(to, "5", forged)], { source: forger }));
        expect(alone.status).toBe("FAILED");
        await send([pay(to, "1", dollar)]);
        await shop.expectBalance(wallet, "1.0000000", "0.0000000");
        expect(await shop.transfers(deposit)).toHaveLength(1);
      }, "USDC-XLM"),
  );
});

describe("a payment without a deposit's memo", () => {
  const unattributed = async (shop: Shop, txid: string): Promise<Resource> => {
    const [waiting] = await settled(
      () => shop.client.list(`/unattributed/?filter[txid]=${txid}`),
      (rows) => rows.length === 1,
    );
    return present(waiting, "the payment");
  };

  it("waits as unattributed, and an operator assigns it", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const deposit = await shop.deposit(wallet);
      const { address } = placeOf(deposit);
      const txid = await send([pay(address, "7")]);
      const waiting = await unattributed(shop, txid);
      expect(waiting.attributes).toMatchObject({ amount: "7.0000000", tag: null });
      expect(await shop.balance(wallet)).toMatchObject({ confirmed: "0.0000000" });
      await shop.client.post(`/unattributed/${waiting.id}/assign/`, {
        data: {
          type: "unattributed",
          attributes: { reason: "the payer named the invoice" },
          relationships: { deposit: { data: { type: "deposit", id: deposit.id } } },
        },
      });
      await shop.expectBalance(wallet, "7.0000000", "0.0000000");
    }),
  );

  it("is returned to its sender, less the fee", { timeout: patienceMs }, () =>
    inShop(async (shop, wallet) => {
      const { address } = placeOf(await shop.deposit(wallet));
      const payer = await newAccount();
      const memo = Memo.text("invoice 17");
      const txid = await send([pay(address, "9")], { source: payer, memo });
      const waiting = await unattributed(shop, txid);
      expect(waiting.attributes).toMatchObject({ tag: "invoice 17" });
      const path = `/unattributed/${waiting.id}/return/`;
      const quote = await shop.client.post(`${path}calculate/`, {
        data: { type: "payout-calculation", attributes: { to_address: payer.publicKey() } },
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
              fee_amount: medium,
              travel_rule_info: someone,
            },
          },
        },
        { "idempotency-key": systemRandom.uuid() },
      );
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      const before = await server.getAccount(payer.publicKey());
      await settled(
        async () => (await shop.client.get(`/unattributed/${waiting.id}/`)).attributes,
        (now) => hasAll(now, { state: "returned" }),
      );
      const { balances } = await horizon.loadAccount(before.accountId());
      const [held] = balances.filter(({ asset_type }) => asset_type === "native");
      // 50 at first, the payer's own fee, and the fee of the return.
      expect(Number(held?.balance)).toBeCloseTo(50 - 0.00001 - Number(medium), 7);
    }),
  );

  itScreensReturns(() => ({
    site,
    alpha: "XLM",
    red: "GAF23QG6BOW4BXQLVXAN4C5NYDPAXLOA3YF23QG6BOW4BXQLVXAN5HMU",
    payWithoutTag: (deposit) => send([pay(placeOf(deposit).address, "9")]),
  }));
});

describe("a payout on Stellar", () => {
  type Till = ReturnType<typeof openCashier>;

  /** A wallet that received 20 units, and a cashier who pays out of it. */
  const withFunds = (
    work: (cashier: Till, wallet: string, shop: Shop) => Promise<void>,
    alpha = "XLM",
  ): Promise<void> =>
    inShop(async (shop, wallet) => {
      const asset = alpha === "XLM" ? Asset.native() : dollar;
      await send([pay(muxed(placeOf(await shop.deposit(wallet))), "20", asset)]);
      await shop.expectBalance(wallet, "20.0000000", "0.0000000");
      await work(openCashier(site, shop, site.cashier), wallet, shop);
    }, alpha);
  const order = (wallet: string, address: string, amount = "2.5", alpha = "XLM") => ({
    wallet,
    alpha,
    amount,
    address,
  });
  /** The transaction and who pays its fee; a channel's is wrapped in a fee-bump transaction. */
  const readEnvelope = ({ envelopeXdr }: rpc.Api.GetSuccessfulTransactionResponse) => {
    const read = TransactionBuilder.fromXdr(envelopeXdr, chain.network_passphrase);
    return read instanceof FeeBumpTransaction
      ? { inner: read.innerTransaction, payer: read.feeSource }
      : { inner: read, payer: read.source };
  };
  const confirmed = async (cashier: Till, payout: Resource): Promise<JsonObject> =>
    cashier.expectTransfer(payout, { status: 2 });
  const held = async (address: string, asset = Asset.native()): Promise<string> => {
    const { balances } = await horizon.loadAccount(address);
    const code = asset.isNative() ? undefined : asset.getCode();
    return present(
      balances.find((one) => ("asset_code" in one ? one.asset_code : undefined) === code),
      "the balance",
    ).balance;
  };

  it(
    "arrives with its memo, and charges exactly its amount and fee",
    {
      timeout: patienceMs,
    },
    () =>
      withFunds(async (cashier, wallet, shop) => {
        const receiver = (await newAccount()).publicKey();
        const { medium } = await cashier.calculate(order(wallet, receiver));
        const attributes = { tag: "77", tag_type: "1", fee_amount: medium };
        const payout = await cashier.pay({ ...order(wallet, receiver), attributes });
        const { txid } = await confirmed(cashier, payout);
        const shown = await server.getTransaction(txid as string);
        expect(shown.status).toBe("SUCCESS");
        const { inner } = readEnvelope(shown as rpc.Api.GetSuccessfulTransactionResponse);
        expect(inner.memo).toEqual(Memo.id("77"));
        expect(await held(receiver)).toBe("52.5000000");
        const left = (20 - 2.5 - Number(feeOf(payout))).toFixed(7);
        await shop.expectBalance(wallet, left, "0.0000000");
        await cashier.expectCallbackCount(payout, 1);
      }),
  );

  it(
    "to a receiver that requires a memo (SEP-29) is refused without one",
    {
      timeout: patienceMs,
    },
    () =>
      withFunds(async (cashier, wallet) => {
        const receiver = await newAccount();
        await send([Operation.manageData({ name: "config.memo_required", value: "1" })], {
          source: receiver,
        });
        const address = receiver.publicKey();
        await expect(cashier.calculate(order(wallet, address))).rejects.toThrow(
          /"1007".*requires a memo.*attributes\/tag/,
        );
        const payout = await cashier.pay(order(wallet, muxed({ address, tag: "5" })));
        await confirmed(cashier, payout);
        expect(Number(await held(address))).toBeCloseTo(52.5, 3);
      }),
  );

  it(
    "needs no ledger of its own for its memo: channels lend their sequences",
    {
      timeout: patienceMs,
    },
    () =>
      withFunds(async (cashier, wallet) => {
        const address = (await newAccount()).publicKey();
        const tags = ["11", "12", "13", "14"];
        const payouts = await Promise.all(
          tags.map((tag) => cashier.pay(order(wallet, muxed({ address, tag })))),
        );
        const used = new Set<string>();
        for (const [place, payout] of payouts.entries()) {
          const { txid } = await confirmed(cashier, payout);
          const shown = await server.getTransaction(txid as string);
          const { inner, payer } = readEnvelope(shown as rpc.Api.GetSuccessfulTransactionResponse);
          expect(inner.memo).toEqual(Memo.id(present(tags[place], "a memo")));
          used.add(inner.source);
          expect(inner.operations.map((one) => one.source ?? inner.source)).toEqual([payer]);
        }
        expect(used.size).toBeGreaterThan(1);
        expect(Number(await held(address))).toBeCloseTo(60, 3);
      }),
  );

  it("creates its receiver, unless it brings less than the reserve", { timeout: patienceMs }, () =>
    withFunds(async (cashier, wallet) => {
      const address = Keypair.random().publicKey();
      await expect(cashier.calculate(order(wallet, address, "0.9"))).rejects.toThrow(
        /"4013".*at least 1 XLM/,
      );
      await confirmed(cashier, await cashier.pay(order(wallet, address, "1")));
      expect(await held(address)).toBe("1.0000000");
    }),
  );

  it("in USDC-XLM needs the receiver's trust line", { timeout: patienceMs }, () =>
    withFunds(async (cashier, wallet) => {
      const receiver = await newAccount();
      const address = receiver.publicKey();
      const wanted = order(wallet, address, "2.5", "USDC-XLM");
      await expect(cashier.calculate(wanted)).rejects.toThrow(/"7001".*no trust line/);
      await send([Operation.changeTrust({ asset: dollar })], { source: receiver });
      // The node's answer is shared by requests of the next seconds.
      await settled(
        () => cashier.calculate(wanted).catch(() => null),
        (quote) => quote !== null,
      );
      await confirmed(cashier, await cashier.pay(wanted));
      expect(await held(address, dollar)).toBe("2.5000000");
    }, "USDC-XLM"),
  );
});

describeStellarMarket(() => ({
  site,
  payer,
  muxed: (deposit) => muxed(placeOf(deposit)),
}));

describe("the sandbox's Stellar network", () => {
  it("is described as simulated, with everything that an outside payer needs", () => {
    const url = expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:\d+\/(?:rpc|horizon|sandbox)$/,
    ) as string;
    expect(chain).toEqual({
      family: "stellar",
      simulated: true,
      rpc_url: url,
      horizon_url: url,
      sandbox_url: url,
      faucet_secret: expect.stringMatching(/^S[A-Z2-7]{55}$/) as string,
      network_passphrase: "Sluice Simulated Network ; November 2026",
      tokens: { "USDC-XLM": expect.stringMatching(/^USDC:G[A-Z2-7]{55}$/) as string },
    });
  });

  it("has the account set up, which the commands show", async () => {
    const terminal = openTerminal();
    await setUpAccount(deployment.configFile, { chain: "xlm", waitSeconds: 0 }, terminal);
    expect(terminal.lines()).toEqual([expect.stringMatching(/^G[A-Z2-7]{55} is set up$/)]);
    const config = await readConfig(deployment.configFile, {});
    const found = await Promise.all(checkAccounts(config, terminal));
    expect(found[0]?.detail).toMatch(/set up; 10 of 10 channels$/);
    expect(found).toMatchObject([{ isWell: true, notes: [] }]);
  });

  it("ends with books that match it", { timeout: patienceMs }, () => expectWholeBooks(site));
});
