import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AccountSetAsfFlags,
  hashes,
  type Payment,
  PaymentFlags,
  type SubmittableTransaction,
  Wallet,
} from "xrpl";
import { present } from "../../src/platform/kernel/assert.ts";
import { type Answer, type PrivateXrpl, startPrivateXrpl } from "../support/private-xrpl.ts";

/* The simulated rippled as the official SDK (xrpl.js, unmodified, over WebSocket) sees it. */

let ledger: PrivateXrpl;
beforeAll(async () => {
  ledger = await startPrivateXrpl();
});
afterAll(async () => {
  await ledger.stop();
});

const payment = (destination: string, more: Partial<Payment> = {}): Payment => ({
  TransactionType: "Payment",
  Account: ledger.faucet.address,
  Destination: destination,
  Amount: "2000000",
  ...more,
});

/** Submits, closes the ledger, and returns what the ledger says about it. */
async function settle(transaction: SubmittableTransaction, wallet?: Wallet): Promise<Answer> {
  const { txid } = await ledger.send(transaction, wallet);
  await ledger.mine();
  return (await ledger.client.request({ command: "tx", transaction: txid })).result as never;
}

async function dropsOf(account: string): Promise<bigint> {
  const { result } = await ledger.client.request({ command: "account_info", account });
  return BigInt(result.account_data.Balance);
}

const outcome = ({ meta }: Answer): unknown => (meta as Answer)["TransactionResult"];

describe("a payment of xrpl.js", () => {
  it("creates its receiver, and reads back in a validated ledger", async () => {
    const { client, faucet } = ledger;
    const receiver = Wallet.generate();
    const waiting = client.submitAndWait(payment(receiver.address, { DestinationTag: 7 }), {
      wallet: faucet,
      autofill: true,
    });
    const closing = setInterval(() => void ledger.mine(), 200);
    const { result } = await waiting;
    clearInterval(closing);
    expect(result).toMatchObject({ validated: true, meta: { delivered_amount: "2000000" } });
    expect(result.tx_json).toMatchObject({ DestinationTag: 7, DeliverMax: "2000000" });
    expect(await client.getXrpBalance(receiver.address)).toBe(2);
    const listed = await client.request({ command: "account_tx", account: receiver.address });
    expect(listed.result.transactions.map(({ hash }) => hash)).toEqual([result.hash]);
  });

  it("is announced to subscribers with its ledger", async () => {
    const { client } = ledger;
    const receiver = Wallet.generate();
    const seen: string[] = [];
    client.on("transaction", ({ hash }) => seen.push(String(hash)));
    const closed = new Promise((resolve) => client.once("ledgerClosed", resolve));
    await client.request({
      command: "subscribe",
      streams: ["ledger"],
      accounts: [receiver.address],
    });
    const txid = await ledger.pay(receiver.address, 5_000_000n);
    expect(await closed).toMatchObject({ txn_count: 1, reserve_base: 1_000_000 });
    await expect.poll(() => seen).toEqual([txid]);
  });

  it("stands in a ledger whose hashes the SDK computes alike", async () => {
    await ledger.pay(Wallet.generate().address, 5_000_000n);
    const { result } = await ledger.client.request({
      command: "ledger",
      ledger_index: "validated",
      transactions: true,
      expand: true,
      api_version: 1,
    });
    const { ledger: header } = result as unknown as { ledger: Answer };
    expect(header["transactions"]).toHaveLength(1);
    // Answers name the amount of a payment twice; ledgers do not.
    const stored = (header["transactions"] as readonly Answer[]).map((one) =>
      Object.fromEntries(Object.entries(one).filter(([name]) => name !== "DeliverMax")),
    );
    expect(header["transaction_hash"]).toBe(hashes.hashTxTree(stored as never));
    expect(hashes.hashLedgerHeader(header as never)).toBe(header["ledger_hash"]);
  });
});

describe("the rules of payments", () => {
  it("refuse too little to create an account, and burn the fee", async () => {
    const before = await dropsOf(ledger.faucet.address);
    const settled = await settle(payment(Wallet.generate().address, { Amount: "999999" }));
    expect(outcome(settled)).toBe("tecNO_DST_INSUF_XRP");
    // The SDK pays a fifth more than the base fee.
    expect(before - (await dropsOf(ledger.faucet.address))).toBe(12n);
  });

  it("require a tag where the receiver does", async () => {
    const receiver = await ledger.newAccount();
    const requiring = await settle(
      {
        TransactionType: "AccountSet",
        Account: receiver.address,
        SetFlag: AccountSetAsfFlags.asfRequireDest,
      },
      receiver,
    );
    expect(outcome(requiring)).toBe("tesSUCCESS");
    expect(outcome(await settle(payment(receiver.address)))).toBe("tecDST_TAG_NEEDED");
    const tagged = await settle(payment(receiver.address, { DestinationTag: 0 }));
    expect(outcome(tagged)).toBe("tesSUCCESS");
  });

  it("keep the reserve of the sender", async () => {
    const sender = await ledger.newAccount(10_000_000n);
    const more = (Amount: string): Payment =>
      payment(ledger.faucet.address, { Account: sender.address, Amount });
    expect(outcome(await settle(more("9000000"), sender))).toBe("tesSUCCESS");
    expect(outcome(await settle(more("1"), sender))).toBe("tecUNFUNDED_PAYMENT");
  });

  it("deliver less than stated in a partial payment through an offer", async () => {
    const [issuer, maker, receiver] = [
      await ledger.newAccount(),
      await ledger.newAccount(),
      await ledger.newAccount(),
    ];
    const usd = (value: string): { currency: string; issuer: string; value: string } => ({
      currency: "USD",
      issuer: issuer.address,
      value,
    });
    const offered = await settle(
      {
        TransactionType: "OfferCreate",
        Account: maker.address,
        TakerGets: "3000000",
        TakerPays: usd("6"),
      },
      maker,
    );
    expect(outcome(offered)).toBe("tesSUCCESS");
    const partial = payment(receiver.address, {
      Account: issuer.address,
      Amount: "1000000000",
      SendMax: usd("1"),
    });
    expect(outcome(await settle(partial, issuer))).toBe("tecPATH_PARTIAL");
    const delivered = await settle({ ...partial, Flags: PaymentFlags.tfPartialPayment }, issuer);
    expect(delivered["meta"]).toMatchObject({
      TransactionResult: "tesSUCCESS",
      delivered_amount: "500000",
    });
    expect(await ledger.client.getXrpBalance(receiver.address)).toBe(100.5);
  });

  it("let a check be cashed for as much as there is", async () => {
    const [writer, taker] = [await ledger.newAccount(5_000_000n), await ledger.newAccount()];
    const created = await settle(
      {
        TransactionType: "CheckCreate",
        Account: writer.address,
        Destination: taker.address,
        DestinationTag: 9,
        SendMax: "50000000",
      },
      writer,
    );
    expect(outcome(created)).toBe("tesSUCCESS");
    const { account_objects } = (
      await ledger.client.request({ command: "account_objects", account: writer.address })
    ).result;
    const cashed = await settle(
      {
        TransactionType: "CheckCash",
        Account: taker.address,
        CheckID: present(account_objects[0]?.index, "the check"),
        DeliverMin: "1000000",
      },
      taker,
    );
    expect(cashed["meta"]).toMatchObject({ delivered_amount: "3999988" });
  });

  it("delete an account only long after its first transaction", async () => {
    const account = await ledger.newAccount(5_000_000n);
    const leave = {
      TransactionType: "AccountDelete",
      Account: account.address,
      Destination: ledger.faucet.address,
    } as const;
    expect(outcome(await settle(leave, account))).toBe("tecTOO_SOON");
    await ledger.mine(256);
    const deleted = await settle(leave, account);
    expect(deleted["meta"]).toMatchObject({ delivered_amount: "4600000" });
    const { error } = await ledger.ask("account_info", { account: account.address });
    expect(error).toBe("actNotFound");
  });
});

describe("a submission", () => {
  const submit = async (change: Partial<Payment>): Promise<string> => {
    const filled = await ledger.client.autofill(payment(ledger.faucet.address, change));
    const wallet = await ledger.newAccount();
    const { Sequence } = await ledger.client.autofill(
      payment(ledger.faucet.address, { Account: wallet.address }),
    );
    const whole = { ...filled, Account: wallet.address, Sequence: Sequence ?? 0, ...change };
    const { result } = await ledger.client.submit(wallet.sign(whole).tx_blob);
    return result.engine_result;
  };

  it.each([
    ["telINSUF_FEE_P", { Fee: "9" }],
    ["tefPAST_SEQ", { Sequence: 1 }],
    ["tefMAX_LEDGER", { LastLedgerSequence: 1 }],
    ["terPRE_SEQ", { Sequence: 4_000_000_000 }],
    ["temBAD_SEND_XRP_PARTIAL", { Flags: PaymentFlags.tfPartialPayment }],
    ["temBAD_SEND_XRP_MAX", { SendMax: "2000000" }],
    ["telNETWORK_ID_MAKES_TX_NON_CANONICAL", { NetworkID: 1000 }],
    ["temINVALID_FLAG", { Flags: 1 }],
  ] as const)("gets %s for %j", async (result, change) => {
    expect(await submit(change)).toBe(result);
  });

  it("of an account that does not exist gets terNO_ACCOUNT", async () => {
    const stranger = Wallet.generate();
    const { tx_blob } = stranger.sign({
      ...payment(ledger.faucet.address),
      Account: stranger.address,
      Fee: "10",
      Sequence: 1,
    });
    const { result } = await ledger.client.submit(tx_blob);
    expect(result.engine_result).toBe("terNO_ACCOUNT");
  });

  it("signed by another key is refused", async () => {
    const filled = await ledger.client.autofill(payment(Wallet.generate().address));
    const { tx_blob } = Wallet.generate().sign(filled);
    const { result } = await ledger.client.submit(tx_blob);
    expect(result.engine_result).toBe("tefBAD_AUTH");
  });

  it("with an altered amount has an invalid signature", async () => {
    const filled = await ledger.client.autofill(payment(Wallet.generate().address));
    const { tx_blob } = ledger.faucet.sign(filled);
    const amount = "61400000000000000A";
    const altered = tx_blob.replace("6140000000001E8480", amount);
    expect(altered).not.toBe(tx_blob);
    const answer = await ledger.ask("submit", { tx_blob: altered });
    expect(answer).toMatchObject({
      error: "invalidTransaction",
      error_exception: "fails local checks: Invalid signature.",
    });
  });

  it("before its turn waits for the sequence before", async () => {
    const sender = await ledger.newAccount();
    const first = await ledger.client.autofill(
      payment(ledger.faucet.address, { Account: sender.address }),
    );
    const second = { ...first, Sequence: (first.Sequence ?? 0) + 1 };
    const submitOf = async (one: Payment): Promise<string> =>
      (await ledger.client.submit(sender.sign(one).tx_blob)).result.engine_result;
    expect(await submitOf(second)).toBe("terPRE_SEQ");
    expect(await submitOf(first)).toBe("tesSUCCESS");
    expect(await submitOf(first)).toBe("tefALREADY");
    await ledger.mine();
    const { account_data } = (
      await ledger.client.request({ command: "account_info", account: sender.address })
    ).result;
    expect(account_data.Sequence).toBe((first.Sequence ?? 0) + 2);
  });

  it("below the fee of the open ledger waits until the fee falls", async () => {
    await ledger.control("/set-fees", { open_ledger_fee: 500 });
    const receiver = Wallet.generate();
    const filled = await ledger.client.autofill(payment(receiver.address));
    const { tx_blob } = ledger.faucet.sign({ ...filled, Fee: "10" });
    const { result } = await ledger.client.submit(tx_blob);
    expect(result.engine_result).toBe("terQUEUED");
    await ledger.mine();
    expect((await ledger.ask("account_info", { account: receiver.address }))["error"]).toBe(
      "actNotFound",
    );
    await ledger.control("/set-fees", { open_ledger_fee: 10 });
    await ledger.mine();
    expect(await ledger.client.getXrpBalance(receiver.address)).toBe(2);
  });
});

describe("the simulated rippled", () => {
  it("names the ledgers that it lost", async () => {
    await ledger.mine(10);
    const newest = await ledger.client.getLedgerIndex();
    await ledger.control("/lose-history", { from: newest - 5, to: newest - 3 });
    const { info } = (await ledger.ask("server_info")) as { readonly info: Answer };
    expect(info["complete_ledgers"]).toBe(`1-${newest - 6},${newest - 2}-${newest}`);
    const gone = await ledger.ask("ledger", { ledger_index: newest - 4 });
    expect(gone).toMatchObject({ status: "error", error: "lgrNotFound", error_code: 21 });
  });

  it("answers an unknown method, and one without its members, with rippled's errors", async () => {
    expect(await ledger.ask("mine")).toMatchObject({ error: "unknownCmd", error_code: 32 });
    expect(await ledger.ask("account_info")).toMatchObject({ error: "invalidParams" });
    expect(await ledger.ask("account_info", { account: "rX" })).toMatchObject({
      error: "actMalformed",
    });
  });

  it("continues its chain after a restart", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-xrpl-"));
    const first = await startPrivateXrpl({ folder });
    const txid = await first.pay(Wallet.generate().address, 3_000_000n);
    const before = await first.ask("ledger", { ledger_index: "validated" });
    await first.stop();
    const second = await startPrivateXrpl({ folder });
    expect(await second.ask("ledger", { ledger_index: "validated" })).toEqual(before);
    expect(await second.ask("tx", { transaction: txid })).toMatchObject({ validated: true });
    await second.stop();
    await rm(folder, { recursive: true });
  });

  it("requires the network's number in transactions of a network above 1024", async () => {
    const other = await startPrivateXrpl({ settings: { networkId: 21_337 } });
    const filled = await other.client.autofill({
      ...payment(Wallet.generate().address),
      Account: other.faucet.address,
    });
    expect(filled.NetworkID).toBe(21_337);
    const { NetworkID, ...unnamed } = filled;
    const submitOf = async (one: Payment): Promise<string> =>
      (await other.client.submit(other.faucet.sign(one).tx_blob)).result.engine_result;
    expect(await submitOf(unnamed)).toBe("telREQUIRES_NETWORK_ID");
    expect(await submitOf({ ...filled, NetworkID: 5_000 })).toBe("telWRONG_NETWORK");
    expect(await submitOf(filled)).toBe("tesSUCCESS");
    await other.stop();
    expect(NetworkID).toBe(21_337);
  });
});
