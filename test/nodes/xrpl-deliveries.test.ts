import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AccountSetAsfFlags,
  BatchFlags,
  type EscrowCreate,
  GlobalFlags,
  PaymentFlags,
  type SubmittableTransaction,
  type Wallet,
} from "xrpl";
import type { Transfer } from "../../src/chains/port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type PrivateXrpl, startPrivateXrpl } from "../support/private-xrpl.ts";
import { type ConnectedXrpl, connectXrpl, hotWallet, signal } from "../support/xrpl-accounts.ts";

/*
 * What reaches the hot account by other means than payments, on the simulated rippled: xrpl.js sends the transactions, and the
 * adapter reads the ledgers. The account does not require tags here, as before it is set up.
 */

let ledger: PrivateXrpl;
let own: ConnectedXrpl;
let hot: string;
beforeAll(async () => {
  ledger = await startPrivateXrpl();
  own = connectXrpl([ledger.xrpl.url]);
  hot = own.adapter.addressing.treasury.hot.address;
  await ledger.pay(hot, 100_000_000n);
});
afterAll(async () => {
  await own.close();
  await ledger.stop();
});

/** The transfers of the newest ledger, by the key under which they are looked up. */
async function arrived(): Promise<readonly (readonly [key: string, transfer: Transfer])[]> {
  const { addressing, reader } = own.adapter;
  const content = await reader.readBlock(await reader.tip(signal), signal);
  return present(content, "a validated ledger").transfers.flatMap((transfer) =>
    addressing.receivedUnder(transfer.to) === null ? [] : [[transfer.to, transfer] as const],
  );
}

const units = ([key, { asset }]: readonly [string, Transfer]): string =>
  `${key} ${asset.kind === "currency" ? asset.amount.units : "unlisted"}`;

async function lockFor(payer: Wallet, more: Partial<EscrowCreate> = {}): Promise<number> {
  const { ledger: newest } = (await ledger.ask("ledger", { ledger_index: "validated" })) as {
    readonly ledger: { readonly close_time: number };
  };
  const escrow = await ledger.client.autofill<EscrowCreate>({
    TransactionType: "EscrowCreate",
    Account: payer.address,
    Destination: hot,
    Amount: "7000000",
    FinishAfter: newest.close_time + 2,
    ...more,
  });
  const { result } = await ledger.client.submit(payer.sign(escrow).tx_blob);
  expect(result.engine_result).toBe("tesSUCCESS");
  await ledger.mine();
  expect(await arrived()).toEqual([]);
  return present(escrow.Sequence, "a sequence");
}

async function finish(payer: Wallet, sequence: number): Promise<string> {
  const stranger = await ledger.newAccount();
  const { result } = await ledger.send(
    {
      TransactionType: "EscrowFinish",
      Account: stranger.address,
      Owner: payer.address,
      OfferSequence: sequence,
    },
    stranger,
  );
  return result;
}

describe("an escrow", () => {
  it("brings its amount when anyone finishes it, under the tag that it was made with", async () => {
    const payer = await ledger.newAccount();
    const sequence = await lockFor(payer, { DestinationTag: 77 });
    await ledger.mine(5);
    expect(await finish(payer, sequence)).toBe("tesSUCCESS");
    await ledger.mine();
    const found = await arrived();
    expect(found.map(units)).toEqual([`${hot}:77 7000000`]);
    const txid = present(found[0], "a transfer")[1].key.txid;
    const tip = await own.adapter.reader.tip(signal);
    const senders = await own.adapter.reader.senders([txid], tip, signal);
    expect(senders.get(txid)?.addresses[0]).toBe(payer.address);
  });

  it("without a tag brings money that belongs to no deposit", async () => {
    const payer = await ledger.newAccount();
    const sequence = await lockFor(payer);
    await ledger.mine(5);
    expect(await finish(payer, sequence)).toBe("tesSUCCESS");
    await ledger.mine();
    const found = await arrived();
    expect(found.map(units)).toEqual([`${hot} 7000000`]);
    expect(own.adapter.addressing.receivedUnder(present(found[0], "a transfer")[0])).toEqual({
      tag: null,
    });
  });

  it("that is finished too early, or twice, brings nothing", async () => {
    const payer = await ledger.newAccount();
    const sequence = await lockFor(payer, { FinishAfter: 2_000_000_000 });
    expect(await finish(payer, sequence)).toBe("tecNO_PERMISSION");
    await ledger.mine();
    expect(await arrived()).toEqual([]);
    expect(await finish(payer, sequence + 1)).toBe("tecNO_TARGET");
    await ledger.mine();
    expect(await arrived()).toEqual([]);
  });
});

describe("a deleted account", () => {
  it("brings what it had, under the tag of its transaction or under none", async () => {
    const [tagged, untagged] = [await ledger.newAccount(), await ledger.newAccount()];
    await ledger.mine(260);
    for (const [wallet, tag] of [
      [tagged, { DestinationTag: 78 }] as const,
      [untagged, {}] as const,
    ])
      await ledger.send(
        { TransactionType: "AccountDelete", Account: wallet.address, Destination: hot, ...tag },
        wallet,
      );
    await ledger.mine();
    // 100 XRP without the special fee of 0.2 XRP.
    expect((await arrived()).map(units)).toEqual([`${hot}:78 99800000`, `${hot} 99800000`]);
  });
});

describe("a batch", () => {
  const inner = (payer: Wallet, tag: number, drops: string) => ({
    RawTransaction: {
      TransactionType: "Payment" as const,
      Account: payer.address,
      Destination: hot,
      DestinationTag: tag,
      Amount: drops,
      Flags: GlobalFlags.tfInnerBatchTxn,
    },
  });
  const sendBatch = async (payer: Wallet, Flags: BatchFlags, drops: readonly string[]) => {
    const { result } = await ledger.send(
      {
        TransactionType: "Batch",
        Account: payer.address,
        Flags,
        RawTransactions: drops.map((one, place) => inner(payer, 90 + place, one)),
      },
      payer,
    );
    await ledger.mine();
    return result;
  };

  it("brings what each of its inner transactions pays, each with an id of its own", async () => {
    const payer = await ledger.newAccount();
    expect(await sendBatch(payer, BatchFlags.tfAllOrNothing, ["1000000", "2000000"])).toBe(
      "tesSUCCESS",
    );
    const found = await arrived();
    expect(found.map(units)).toEqual([`${hot}:90 1000000`, `${hot}:91 2000000`]);
    expect(new Set(found.map(([, { key }]) => key.txid)).size).toBe(2);
    const tip = await own.adapter.reader.tip(signal);
    const txid = present(found[0], "a transfer")[1].key.txid;
    const senders = await own.adapter.reader.senders([txid], tip, signal);
    expect(senders.get(txid)?.addresses[0]).toBe(payer.address);
  });

  it("brings nothing of what it undoes, or of what fails", async () => {
    const payer = await ledger.newAccount();
    const tooMuch = "900000000";
    expect(await sendBatch(payer, BatchFlags.tfAllOrNothing, ["1000000", tooMuch])).toBe(
      "tesSUCCESS",
    );
    expect(await arrived()).toEqual([]);
    expect(await sendBatch(payer, BatchFlags.tfIndependent, [tooMuch, "3000000"])).toBe(
      "tesSUCCESS",
    );
    expect((await arrived()).map(units)).toEqual([`${hot}:91 3000000`]);
  });
});

describe("a pool of XRP and an issued currency", () => {
  /** A pool of 1,000 XRP and 500 USD with a fee of 0.5 %. */
  const createPool = async () => {
    const issuer = await ledger.newAccount(2_000_000_000n);
    const usd = (value: string) => ({ currency: "USD", issuer: issuer.address, value });
    const { asfDefaultRipple } = AccountSetAsfFlags;
    await ledger.send(
      { TransactionType: "AccountSet", Account: issuer.address, SetFlag: asfDefaultRipple },
      issuer,
    );
    const { result } = await ledger.send(
      {
        TransactionType: "AMMCreate",
        Account: issuer.address,
        Amount: "1000000000",
        Amount2: usd("500"),
        TradingFee: 500,
      },
      issuer,
    );
    expect(result).toBe("tesSUCCESS");
    await ledger.mine();
    const pay = (Amount: string, SendMax: string, Flags = 0) =>
      ledger.send(
        {
          TransactionType: "Payment",
          Account: issuer.address,
          Destination: hot,
          DestinationTag: 80,
          Amount,
          SendMax: usd(SendMax),
          Flags,
        },
        issuer,
      );
    return { pay };
  };

  it("brings what it gives for what was paid in, not what the payment states", async () => {
    const { pay } = await createPool();
    expect((await pay("90000000000", "50")).result).toBe("tecPATH_PARTIAL");
    const { txid, result } = await pay("90000000000", "50", PaymentFlags.tfPartialPayment);
    expect(result).toBe("tesSUCCESS");
    await ledger.mine();
    // 1,000 XRP * 49.75 / (500 + 49.75), rounded down to a drop.
    expect((await arrived()).map(units)).toEqual([`${hot}:80 90495679`]);
    const { meta } = await ledger.ask("tx", { transaction: txid });
    expect(meta).toMatchObject({ delivered_amount: "90495679", DeliveredAmount: "90495679" });
  });

  it("brings an exact amount for what that costs", async () => {
    const { pay } = await createPool();
    const { txid, result } = await pay("100000000", "60");
    expect(result).toBe("tesSUCCESS");
    await ledger.mine();
    expect((await arrived()).map(units)).toEqual([`${hot}:80 100000000`]);
    // 500 USD * 100 / 900 / 0.995, rounded up.
    const { meta } = await ledger.ask("tx", { transaction: txid });
    expect(JSON.stringify(meta)).toMatch(/"-?555\.834729202"/);
  });
});

describe("a pool of two issued currencies", () => {
  it("has no XRP, and stops nothing that its ledger brings", async () => {
    const issuer = await ledger.newAccount();
    const sent = (transaction: SubmittableTransaction) => ledger.send(transaction, issuer);
    const SetFlag = AccountSetAsfFlags.asfDefaultRipple;
    await sent({ TransactionType: "AccountSet", Account: issuer.address, SetFlag });
    const create = (first: string, second: string) =>
      sent({
        TransactionType: "AMMCreate",
        Account: issuer.address,
        Amount: { currency: first, issuer: issuer.address, value: "100" },
        Amount2: { currency: second, issuer: issuer.address, value: "400" },
        TradingFee: 500,
      });
    expect((await create("USD", "USD")).result).toBe("temBAD_AMM_TOKENS");
    const { result, txid } = await create("USD", "EUR");
    expect(result).toBe("tesSUCCESS");
    expect((await create("EUR", "USD")).result).toBe("tecDUPLICATE");
    await sent({
      TransactionType: "Payment",
      Account: issuer.address,
      Destination: hot,
      DestinationTag: 83,
      Amount: "1000000",
    });
    await ledger.mine();
    const { meta } = await ledger.ask("tx", { transaction: txid });
    const { AffectedNodes } = meta as {
      readonly AffectedNodes: readonly {
        readonly CreatedNode?: { readonly LedgerEntryType: string; readonly NewFields: object };
      }[];
    };
    const [fields] = AffectedNodes.flatMap(({ CreatedNode }) =>
      CreatedNode?.LedgerEntryType === "AccountRoot" ? [CreatedNode.NewFields] : [],
    );
    expect(fields).toHaveProperty("AMMID");
    expect(fields).not.toHaveProperty("Balance");
    expect((await arrived()).map(units)).toEqual([`${hot}:83 1000000`]);
  });
});

describe("a payment channel", () => {
  it("brings what its owner gives out of it, under the tag that it was made with", async () => {
    const owner = await ledger.newAccount();
    const { result } = await ledger.send(
      {
        TransactionType: "PaymentChannelCreate",
        Account: owner.address,
        Destination: hot,
        DestinationTag: 81,
        Amount: "9000000",
        SettleDelay: 60,
        PublicKey: owner.publicKey,
      },
      owner,
    );
    expect(result).toBe("tesSUCCESS");
    await ledger.mine();
    expect(await arrived()).toEqual([]);
    const { account_objects } = (
      await ledger.client.request({ command: "account_objects", account: owner.address })
    ).result;
    const Channel = present(account_objects[0]?.index, "the channel");
    const claim = async (Balance: string) => {
      const claimed = await ledger.send(
        { TransactionType: "PaymentChannelClaim", Account: owner.address, Channel, Balance },
        owner,
      );
      await ledger.mine();
      return claimed.result;
    };
    expect(await claim("4000000")).toBe("tesSUCCESS");
    expect((await arrived()).map(units)).toEqual([`${hot}:81 4000000`]);
    // Balances are those of the whole channel.
    expect(await claim("9000000")).toBe("tesSUCCESS");
    expect((await arrived()).map(units)).toEqual([`${hot}:81 5000000`]);
    expect(await claim("9000001")).toBe("tecUNFUNDED_PAYMENT");
    expect(await arrived()).toEqual([]);
  });
});

describe("a check", () => {
  it("brings nothing until it is cashed, and then what it gave, under its tag", async () => {
    const payer = await ledger.newAccount(6_000_000n);
    const { result } = await ledger.send(
      {
        TransactionType: "CheckCreate",
        Account: payer.address,
        Destination: hot,
        DestinationTag: 79,
        SendMax: "5000000",
      },
      payer,
    );
    expect(result).toBe("tesSUCCESS");
    await ledger.mine();
    expect(await arrived()).toEqual([]);
    const { account_objects } = (
      await ledger.client.request({ command: "account_objects", account: payer.address })
    ).result;
    const CheckID = present(account_objects[0]?.index, "the check");
    const cash = { TransactionType: "CheckCash", Account: hot, CheckID } as const;
    const cashed = await ledger.send({ ...cash, DeliverMin: "1000000" }, hotWallet);
    expect(cashed.result).toBe("tesSUCCESS");
    await ledger.mine();
    // 6 XRP without the reserve of 1 XRP and the fee.
    expect((await arrived()).map(units)).toEqual([`${hot}:79 4999988`]);
    const { meta } = await ledger.ask("tx", { transaction: cashed.txid });
    expect(meta).toMatchObject({ delivered_amount: "4999988" });
  });
});
