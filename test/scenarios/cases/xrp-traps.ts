import { describe, expect, it } from "vitest";
import {
  AccountSetAsfFlags,
  classicAddressToXAddress,
  type EscrowCreate,
  Wallet,
  xAddressToClassicAddress,
} from "xrpl";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { XrplSite } from "../../../src/sandbox/sandbox-file.ts";
import { eventually } from "../../support/eventually.ts";
import { settled } from "../support/callbacks.ts";
import { type Cashier, openCashier, someone, textOf } from "../support/cashier.ts";
import { patienceMs } from "../support/define-scenario.ts";
import { addressOf, type Shop, withShop } from "../support/shop.ts";
import type { TestSite } from "../support/test-site.ts";
import type { XrpPayer } from "../support/xrp-payer.ts";
import { itScreensReturns } from "./screened-return.ts";

type Ground = { readonly site: TestSite; readonly payer: XrpPayer };

/** What goes wrong with XRP elsewhere: money that is not a payment, money without a tag, receivers and transactions that refuse. */
export function describeXrpTraps(ground: () => Ground): void {
  const inShop = (work: (shop: Shop, wallet: string) => Promise<void>): Promise<void> =>
    withShop(ground().site, async (shop) => work(shop, await shop.wallet("enterprise", "XRP")));

  /** A wallet that received 20 XRP, and a cashier who pays out of it. */
  const withFunds = (
    work: (cashier: Cashier, wallet: string, shop: Shop) => Promise<void>,
  ): Promise<void> =>
    inShop(async (shop, wallet) => {
      const { payer, site } = ground();
      await payer.send(payer.payment(addressOf(await shop.deposit(wallet)), "20000000"));
      await shop.expectBalance(wallet, "20.000000", "0.000000");
      await work(openCashier(site, shop, site.cashier), wallet, shop);
    });
  const mine = (ledgers: number): Promise<unknown> =>
    ground().site.onChain("XRP", (control) => control.mine(ledgers));
  const command = async (path: string, body: JsonObject): Promise<void> => {
    const { sandbox_url } = ground().site.deployment.chains["XRP"] as XrplSite;
    await fetch(sandbox_url + path, { method: "POST", body: JSON.stringify(body) });
  };

  describe("money that reaches a deposit of XRP", () => {
    it("counts from an escrow when it is finished", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const deposit = await shop.deposit(wallet);
        const { classicAddress, tag } = xAddressToClassicAddress(addressOf(deposit));
        const owner = await payer.newAccount();
        const escrow = await payer.client.autofill<EscrowCreate>({
          TransactionType: "EscrowCreate",
          Account: owner.address,
          Destination: classicAddress,
          DestinationTag: Number(tag),
          Amount: "7000000",
          // Ledgers are at least a second apart.
          FinishAfter: (await closeTime(payer)) + 3,
        });
        await payer.send(escrow, owner);
        await mine(6);
        expect(await shop.balance(wallet)).toMatchObject({ confirmed: "0.000000" });
        await payer.send({
          TransactionType: "EscrowFinish",
          Account: payer.faucet.address,
          Owner: owner.address,
          OfferSequence: present(escrow.Sequence, "a sequence"),
        });
        await shop.expectBalance(wallet, "7.000000", "0.000000");
      }),
    );

    it("counts from a deleted account, with what it still had", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const { classicAddress, tag } = xAddressToClassicAddress(
          addressOf(await shop.deposit(wallet)),
        );
        const closed = await payer.newAccount("9000000");
        await mine(257);
        await payer.send(
          {
            TransactionType: "AccountDelete",
            Account: closed.address,
            Destination: classicAddress,
            DestinationTag: Number(tag),
          },
          closed,
        );
        await shop.expectBalance(wallet, "8.800000", "0.000000");
      }),
    );

    it("counts nothing of a transaction that failed, or of a check", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const deposit = await shop.deposit(wallet);
        const { classicAddress, tag } = xAddressToClassicAddress(addressOf(deposit));
        const poor = await payer.newAccount("3000000");
        const to = { Account: poor.address, DestinationTag: Number(tag) };
        await payer.send(payer.payment(classicAddress, "2500000", to), poor, "tecUNFUNDED_PAYMENT");
        await payer.send(
          {
            TransactionType: "CheckCreate",
            Destination: classicAddress,
            SendMax: "1000000",
            ...to,
          },
          poor,
        );
        await payer.send(payer.payment(classicAddress, "1500000", to), poor);
        await shop.expectBalance(wallet, "1.500000", "0.000000");
        expect(await shop.transfers(deposit)).toHaveLength(1);
      }),
    );
  });

  describe("a payer of XRP who forgot the tag", () => {
    it("gets the money back, less the fee that was quoted", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const { classicAddress } = xAddressToClassicAddress(addressOf(await shop.deposit(wallet)));
        const forgetful = await payer.newAccount("50000000");
        const txid = await payer.send(
          payer.payment(classicAddress, "9000000", {
            Account: forgetful.address,
            DestinationTag: 9,
          }),
          forgetful,
        );
        const before = await payer.client.getXrpBalance(forgetful.address);
        const [waiting] = await settled(
          () => shop.client.list(`/unattributed/?filter[txid]=${txid}`),
          (rows) => rows.length === 1,
        );
        const { id } = present(waiting, "the payment");
        const path = `/unattributed/${id}/return/`;
        const quote = await shop.client.post(`${path}calculate/`, {
          data: { type: "payout-calculation", attributes: { to_address: forgetful.address } },
        });
        const fee = textOf(quote.attributes["fee"] as JsonObject, "medium");
        const attributes = {
          address: forgetful.address,
          fee_amount: fee,
          reason: "asked for it back",
          travel_rule_info: someone,
        };
        const answer = await shop.client.ask(
          "POST",
          path,
          { data: { type: "unattributed", attributes } },
          { "idempotency-key": systemRandom.uuid() },
        );
        expect(answer.status, answer.text).toBe(200);
        await settled(
          () => shop.client.get(`/unattributed/${id}/`),
          ({ attributes }) => attributes["state"] === "returned",
        );
        const after = await payer.client.getXrpBalance(forgetful.address);
        expect(after - before).toBeCloseTo(9 - Number(fee), 6);
      }),
    );

    itScreensReturns(() => ({
      site: ground().site,
      alpha: "XRP",
      red: "rphk25rzEsPD2tMAEfxqFyFcxekbkKoeyx",
      payWithoutTag: (deposit) => {
        const { payer } = ground();
        const { classicAddress } = xAddressToClassicAddress(addressOf(deposit));
        return payer.send(payer.payment(classicAddress, "9000000", { DestinationTag: 9 }));
      },
    }));
  });

  describe("a payout of XRP that cannot arrive", () => {
    const order = (wallet: string, address: string, attributes: JsonObject = {}) => ({
      wallet,
      alpha: "XRP",
      amount: "2.5",
      address,
      attributes,
    });

    it("is refused where an X-address contradicts the tag", { timeout: patienceMs }, () =>
      withFunds(async (cashier, wallet) => {
        const receiver = await ground().payer.newAccount();
        const address = classicAddressToXAddress(receiver.address, 77, true);
        for (const tag of ["78", "-1", "4294967296", "seven"]) {
          const { status, text } = await cashier.ask(
            order(wallet, address, { tag, fee_amount: "0.00001" }),
          );
          expect([status, text]).toEqual([400, expect.stringContaining('"1007"')]);
          expect(text).toContain("/data/attributes/tag");
        }
      }),
    );

    it(
      "is refused where the receiver takes only authorized deposits",
      { timeout: patienceMs },
      () =>
        withFunds(async (cashier, wallet) => {
          const { payer } = ground();
          const receiver = await payer.newAccount();
          await setFlag(payer, receiver, AccountSetAsfFlags.asfDepositAuth);
          await expect(cashier.calculate(order(wallet, receiver.address))).rejects.toThrow(
            '"7001"',
          );
        }),
    );

    it(
      "is signed again when no ledger contained it in time, and arrives once",
      { timeout: patienceMs },
      () =>
        withFunds(async (cashier, wallet) => {
          const { payer } = ground();
          const { address } = await payer.newAccount();
          await command("/swallow-broadcasts", { count: 1_000_000 });
          const payout = await cashier.pay(order(wallet, address));
          const { txid: swallowed } = await cashier.expectTransfer(payout, { status: 1 });
          await mine(152);
          await eventually(
            async () => (await cashier.expectTransfer(payout, { status: 1 }))["txid"],
            (txid) => txid !== swallowed,
          );
          await command("/swallow-broadcasts", { count: 0 });
          await cashier.expectTransfer(payout, { status: 2 });
          // The sequence of the expired transaction is used, so the next payment is not held up.
          await cashier.expectTransfer(await cashier.pay(order(wallet, address)), { status: 2 });
          expect(await payer.client.getXrpBalance(address)).toBe(55);
        }),
    );

    it("fails when the receiver changed, and costs only the fee", { timeout: patienceMs }, () =>
      withFunds(async (cashier, wallet, shop) => {
        const { payer } = ground();
        const receiver = await payer.newAccount();
        await command("/swallow-broadcasts", { count: 1 });
        const payout = await cashier.pay(order(wallet, receiver.address));
        const { txid } = await cashier.expectTransfer(payout, { status: 1 });
        await setFlag(payer, receiver, AccountSetAsfFlags.asfRequireDest);
        // The node forgot the transaction, so it is sent again a minute later.
        await cashier.expectTransfer(payout, { status: -1 });
        const { result } = await payer.client.request({
          command: "tx",
          transaction: txid as string,
        });
        expect(result.meta).toMatchObject({ TransactionResult: "tecDST_TAG_NEEDED" });
        const charged = textOf(await cashier.read(payout), "fee_amount");
        await shop.expectBalance(wallet, (20 - Number(charged)).toFixed(6), "0.000000");
      }),
    );
  });
}

async function closeTime({ client }: XrpPayer): Promise<number> {
  const { result } = await client.request({ command: "ledger", ledger_index: "validated" });
  return result.ledger.close_time;
}

async function setFlag(
  payer: XrpPayer,
  wallet: Wallet,
  SetFlag: AccountSetAsfFlags,
): Promise<void> {
  await payer.send({ TransactionType: "AccountSet", Account: wallet.address, SetFlag }, wallet);
}
