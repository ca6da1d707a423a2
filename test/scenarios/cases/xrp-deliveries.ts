import { describe, expect, it } from "vitest";
import {
  AccountSetAsfFlags,
  BatchFlags,
  GlobalFlags,
  PaymentFlags,
  type SubmittableTransaction,
  xAddressToClassicAddress,
} from "xrpl";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { Resource } from "../support/api-client.ts";
import { settled } from "../support/callbacks.ts";
import { patienceMs } from "../support/define-scenario.ts";
import { addressOf, type Shop, withShop } from "../support/shop.ts";
import type { TestSite } from "../support/test-site.ts";
import type { XrpPayer } from "../support/xrp-payer.ts";

type Ground = { readonly site: TestSite; readonly payer: XrpPayer };

/** XRP that comes out of a pool, in a batch, or out of a channel: what was delivered counts, once, under the tag that goes with it. */
export function describeXrpDeliveries(ground: () => Ground): void {
  const inShop = (work: (shop: Shop, wallet: string) => Promise<void>): Promise<void> =>
    withShop(ground().site, async (shop) => work(shop, await shop.wallet("enterprise", "XRP")));

  const placeOf = (
    deposit: Resource,
  ): { readonly Destination: string; readonly DestinationTag: number } => {
    const { classicAddress, tag } = xAddressToClassicAddress(addressOf(deposit));
    return { Destination: classicAddress, DestinationTag: Number(tag) };
  };
  /** A tag that no deposit has: its check digit is wrong. */
  const nobodys = 9;

  const unattributed = async (shop: Shop, txid: string): Promise<readonly unknown[]> => {
    const rows = await settled(
      () => shop.client.list(`/unattributed/?filter[txid]=${txid}`),
      (found) => found.length === 1,
    );
    return rows.map(({ attributes: { amount, tag } }) => [amount, tag]);
  };
  const idsIn = async (batch: string): Promise<readonly string[]> => {
    const { client } = ground().payer;
    const { result: included } = await client.request({ command: "tx", transaction: batch });
    const { result } = await client.request({
      command: "ledger",
      ledger_index: present(included.ledger_index, "the ledger of the batch"),
      transactions: true,
      expand: true,
    });
    const all = (result.ledger.transactions ?? []) as unknown as readonly {
      readonly hash: string;
      readonly meta: { readonly ParentBatchID?: string };
    }[];
    return all.filter(({ meta }) => meta.ParentBatchID === batch).map(({ hash }) => hash);
  };

  describe("XRP out of a pool", () => {
    it("counts as delivered, and not as stated", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const issuer = await payer.newAccount("2000000000");
        const Account = issuer.address;
        const usd = (value: string) => ({ currency: "USD", issuer: Account, value });
        const send = (transaction: SubmittableTransaction) => payer.send(transaction, issuer);
        const SetFlag = AccountSetAsfFlags.asfDefaultRipple;
        await send({ TransactionType: "AccountSet", Account, SetFlag });
        await send({
          TransactionType: "AMMCreate",
          Account,
          Amount: "1000000000",
          Amount2: usd("500"),
          TradingFee: 500,
        });
        const deposit = await shop.deposit(wallet);
        const pay = { TransactionType: "Payment", Account, ...placeOf(deposit) } as const;
        const partial = { ...pay, Amount: "90000000000", SendMax: usd("50") };
        await payer.send(partial, issuer, "tecPATH_PARTIAL");
        const txid = await send({ ...partial, Flags: PaymentFlags.tfPartialPayment });
        await shop.expectTransfer(deposit, { amount: "90.495679", status: 2, txid });
        await send({ ...pay, Amount: "10000000", SendMax: usd("50") });
        await shop.expectBalance(wallet, "100.495679", "0.000000");
        expect(await shop.transfers(deposit)).toHaveLength(2);
      }),
    );
  });

  describe("XRP in a batch", () => {
    it("counts once for each payment in it, and not if it is undone", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const sender = await payer.newAccount();
        const [first, second] = [await shop.deposit(wallet), await shop.deposit(wallet)];
        const inner = (place: object, Amount: string) => ({
          RawTransaction: {
            TransactionType: "Payment" as const,
            Account: sender.address,
            ...(place as ReturnType<typeof placeOf>),
            Amount,
            Flags: GlobalFlags.tfInnerBatchTxn,
          },
        });
        const batch = (Flags: BatchFlags, payments: ReturnType<typeof inner>[]) =>
          payer.send(
            {
              TransactionType: "Batch",
              Account: sender.address,
              Flags,
              RawTransactions: payments,
            },
            sender,
          );
        await batch(BatchFlags.tfAllOrNothing, [
          inner(placeOf(first), "1000000"),
          inner(placeOf(second), "900000000"),
        ]);
        const id = await batch(BatchFlags.tfAllOrNothing, [
          inner(placeOf(first), "2000000"),
          inner(placeOf(first), "3000000"),
          inner(placeOf(second), "4000000"),
          inner({ ...placeOf(second), DestinationTag: nobodys }, "5000000"),
        ]);
        const ids = await idsIn(id);
        expect(ids).toHaveLength(4);
        await shop.expectBalance(wallet, "9.000000", "0.000000");
        const amounts = async (deposit: Resource) =>
          (await shop.transfers(deposit)).map(({ amount, txid }) => [amount, txid]);
        expect(await amounts(first)).toEqual([
          ["2.000000", ids[0]],
          ["3.000000", ids[1]],
        ]);
        expect(await amounts(second)).toEqual([["4.000000", ids[2]]]);
        const waiting = await unattributed(shop, present(ids[3], "an inner transaction"));
        expect(waiting).toEqual([["5.000000", String(nobodys)]]);
      }),
    );
  });

  describe("XRP out of a payment channel", () => {
    it("counts as its owner gives it, under the channel's tag", { timeout: patienceMs }, () =>
      inShop(async (shop, wallet) => {
        const { payer } = ground();
        const deposit = await shop.deposit(wallet);
        const open = async (place: ReturnType<typeof placeOf>) => {
          const owner = await payer.newAccount();
          await payer.send(
            {
              TransactionType: "PaymentChannelCreate",
              Account: owner.address,
              ...place,
              Amount: "9000000",
              SettleDelay: 60,
              PublicKey: owner.publicKey,
            },
            owner,
          );
          const { result } = await payer.client.request({
            command: "account_objects",
            account: owner.address,
          });
          const Channel = present(result.account_objects[0]?.index, "the channel");
          return (Balance: string) =>
            payer.send(
              { TransactionType: "PaymentChannelClaim", Account: owner.address, Channel, Balance },
              owner,
            );
        };
        const give = await open(placeOf(deposit));
        await give("4000000");
        await give("9000000");
        await shop.expectBalance(wallet, "9.000000", "0.000000");
        expect((await shop.transfers(deposit)).map(({ amount }) => amount)).toEqual([
          "4.000000",
          "5.000000",
        ]);
        const giveToNobody = await open({ ...placeOf(deposit), DestinationTag: nobodys });
        expect(await unattributed(shop, await giveToNobody("3000000"))).toEqual([
          ["3.000000", String(nobodys)],
        ]);
      }),
    );
  });
}
