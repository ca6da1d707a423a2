import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { base32nopad } from "@scure/base";
import algosdk, { type Account } from "algosdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PrivateAlgorand, startPrivateAlgorand } from "../support/private-algorand.ts";

/* The simulated algod as the official SDK (algosdk, unmodified) sees it. */

let chain: PrivateAlgorand;
beforeAll(async () => {
  chain = await startPrivateAlgorand();
});
afterAll(async () => {
  await chain.stop();
});

const stranger = (): string => algosdk.generateAccount().addr.toString();

describe("a payment of algosdk", () => {
  it("is confirmed, and reads back from the account, the pool and the block in both formats", async () => {
    const { client, faucet } = chain;
    const receiver = stranger();
    const suggestedParams = await chain.params();
    const payment = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
      sender: faucet.addr,
      receiver,
      amount: 2_000_000n,
      note: new TextEncoder().encode("thanks"),
      suggestedParams,
    });
    const txid = await chain.send(payment);
    expect(txid).toBe(payment.txID());
    const waiting = await client.pendingTransactionsInformation().do();
    expect(waiting.totalTransactions).toBe(1);
    expect(waiting.topTransactions.map(({ txn }) => txn.txID())).toEqual([txid]);
    const confirmation = algosdk.waitForConfirmation(client, txid, 4);
    await chain.mine();
    const { confirmedRound = 0n, poolError, txn } = await confirmation;
    expect([poolError, txn.txn.txID()]).toEqual(["", txid]);
    expect(await chain.microAlgosOf(receiver)).toBe(2_000_000n);
    const { block } = await client.block(confirmedRound).do();
    const [stored] = block.payset;
    expect(block.header.round).toBe(confirmedRound);
    expect(stored?.hasGenesisID).toBe(true);
    expect(stored?.signedTxn.signedTxn.txn.payment?.amount).toBe(2_000_000n);
    const { body } = await chain.ask(`/v2/blocks/${confirmedRound}`);
    expect(body).toMatchObject({
      block: {
        rnd: Number(confirmedRound),
        gen: suggestedParams.genesisID,
        txns: [
          {
            hgi: true,
            txn: {
              type: "pay",
              amt: 2_000_000,
              rcv: receiver,
              snd: faucet.addr.toString(),
              note: Buffer.from("thanks").toString("base64"),
            },
          },
        ],
      },
    });
  });

  it("has the hash of its block as the SDK computes it, and the next block names that", async () => {
    const { client } = chain;
    await chain.pay(stranger(), 500_000n);
    await chain.mine();
    const { lastRound } = await client.status().do();
    const { block } = await client.block(lastRound - 1n).do();
    const encoded = algosdk.encodeMsgpack(block.header);
    const hash = createHash("sha512-256").update("BH").update(encoded).digest();
    const { blockhash } = await client.getBlockHash(lastRound - 1n).do();
    expect(blockhash).toBe(base32nopad.encode(hash));
    const next = await client.block(lastRound).do();
    expect(Buffer.from(next.block.header.branch).equals(hash)).toBe(true);
    const { body } = await chain.ask(`/v2/blocks/${lastRound}`);
    expect(body).toMatchObject({ block: { prev: `blk-${blockhash}` } });
  });

  it("closes an account, and the block says what went where", async () => {
    const sender = await chain.newAccount(3_000_000n);
    const heir = await chain.newAccount(1_000_000n);
    const txid = await chain.send(
      algosdk.makePaymentTxnWithSuggestedParamsFromObject({
        sender: sender.addr,
        receiver: chain.faucet.addr,
        amount: 1_000_000n,
        closeRemainderTo: heir.addr,
        suggestedParams: await chain.params(),
      }),
      sender,
    );
    await chain.mine();
    const { closingAmount, confirmedRound = 0n } = await chain.client
      .pendingTransactionInformation(txid)
      .do();
    expect(closingAmount).toBe(1_999_000n);
    expect(await chain.microAlgosOf(heir.addr.toString())).toBe(2_999_000n);
    expect(await chain.microAlgosOf(sender.addr.toString())).toBe(0n);
    const { block } = await chain.client.block(confirmedRound).do();
    expect(block.payset[0]?.signedTxn.applyData.closingAmount).toBe(1_999_000n);
  });
});

describe("an asset", () => {
  it("is created, described, handed out, frozen and clawed back", async () => {
    const { client } = chain;
    const creator = await chain.newAccount();
    const holder = await chain.newAccount();
    const created = await chain.send(
      algosdk.makeAssetCreateTxnWithSuggestedParamsFromObject({
        sender: creator.addr,
        total: 1_000n,
        decimals: 2,
        defaultFrozen: false,
        assetName: "Voucher",
        unitName: "VCH",
        manager: creator.addr,
        freeze: creator.addr,
        clawback: creator.addr,
        suggestedParams: await chain.params(),
      }),
      creator,
    );
    await chain.mine();
    const { assetIndex = 0n } = await client.pendingTransactionInformation(created).do();
    const { params } = await client.getAssetByID(assetIndex).do();
    expect(params).toMatchObject({ name: "Voucher", unitName: "VCH", total: 1_000n, decimals: 2 });
    const transfer = async (
      from: Account,
      to: Account,
      amount: bigint,
      more: { readonly assetSender?: Account; readonly closeRemainderTo?: Account } = {},
    ): Promise<string> => {
      const sent = await chain.send(
        algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
          sender: from.addr,
          receiver: to.addr,
          amount,
          assetIndex,
          suggestedParams: await chain.params(),
          ...(more.assetSender === undefined ? {} : { assetSender: more.assetSender.addr }),
          ...(more.closeRemainderTo === undefined
            ? {}
            : { closeRemainderTo: more.closeRemainderTo.addr }),
        }),
        from,
      );
      await chain.mine();
      return sent;
    };
    const amountOf = async (account: Account): Promise<bigint> => {
      const { assetHolding } = await client
        .accountAssetInformation(account.addr.toString(), assetIndex)
        .do();
      return assetHolding?.amount ?? 0n;
    };
    await expect(transfer(creator, holder, 300n)).rejects.toThrow(
      `receiver error: must optin, asset ${assetIndex} missing from ${holder.addr.toString()}`,
    );
    await transfer(holder, holder, 0n);
    await transfer(creator, holder, 300n);
    expect(await amountOf(holder)).toBe(300n);
    const freezing = async (frozen: boolean): Promise<void> => {
      await chain.send(
        algosdk.makeAssetFreezeTxnWithSuggestedParamsFromObject({
          sender: creator.addr,
          freezeTarget: holder.addr,
          frozen,
          assetIndex,
          suggestedParams: await chain.params(),
        }),
        creator,
      );
      await chain.mine();
    };
    await freezing(true);
    await expect(transfer(holder, creator, 1n)).rejects.toThrow(`asset ${assetIndex} frozen in`);
    await transfer(creator, creator, 120n, { assetSender: holder });
    expect(await amountOf(holder)).toBe(180n);
    await freezing(false);
    const closed = await transfer(holder, creator, 30n, { closeRemainderTo: creator });
    const { txn, ...rest } = await client.pendingTransactionInformation(closed).do();
    expect(rest).toMatchObject({ assetClosingAmount: 150n });
    expect(txn.txn.assetTransfer?.amount).toBe(30n);
    expect(await amountOf(creator)).toBe(1_000n);
    const { body, status } = await chain.ask(
      `/v2/accounts/${holder.addr.toString()}/assets/${assetIndex}`,
    );
    expect([status, body]).toEqual([404, { message: "account asset info not found" }]);
  });

  it("that the faucet hands out raises what its holder must keep", async () => {
    const holder = await chain.newAccount(1_000_000n, { optsIn: true });
    await chain.payUsdc(holder.addr.toString(), 25_000_000n);
    expect(await chain.usdcOf(holder.addr.toString())).toBe(25_000_000n);
    const { assets, minBalance } = await chain.client
      .accountInformation(holder.addr.toString())
      .do();
    expect(minBalance).toBe(200_000n);
    expect(assets?.map(({ amount, assetId }) => [assetId, amount])).toEqual([
      [chain.usdc, 25_000_000n],
    ]);
  });
});

describe("an application", () => {
  it("sends what its arguments say, in transactions of its own", async () => {
    const { client, faucet } = chain;
    const { applicationId } = chain.algorand;
    const account = algosdk.getApplicationAddress(applicationId).toString();
    await chain.pay(account, 5_000_000n);
    const receiver = stranger();
    const rcv = algosdk.decodeAddress(receiver).publicKey;
    const payments = [700_000n, 300_000n].map((amt) =>
      algosdk.msgpackRawEncode({ amt, rcv, type: "pay" }),
    );
    const txid = await chain.send(
      algosdk.makeApplicationNoOpTxnFromObject({
        sender: faucet.addr,
        appIndex: applicationId,
        appArgs: payments,
        suggestedParams: await chain.params({ flatFee: true, fee: 3_000n }),
      }),
    );
    await chain.mine();
    expect(await chain.microAlgosOf(receiver)).toBe(1_000_000n);
    const { confirmedRound = 0n, innerTxns } = await client
      .pendingTransactionInformation(txid)
      .do();
    expect(innerTxns?.map(({ txn }) => txn.txn.payment?.amount)).toEqual([700_000n, 300_000n]);
    const { block } = await client.block(confirmedRound).do();
    const inner = block.payset[0]?.signedTxn.applyData.evalDelta?.innerTxns ?? [];
    expect(inner.map(({ signedTxn: { txn } }) => [txn.sender.toString(), txn.fee])).toEqual([
      [account, 0n],
      [account, 0n],
    ]);
  });

  it("whose payment is refused changes nothing", async () => {
    const { applicationId } = chain.algorand;
    const rcv = algosdk.decodeAddress(stranger()).publicKey;
    const before = await chain.microAlgosOf(chain.faucet.addr.toString());
    const call = algosdk.makeApplicationNoOpTxnFromObject({
      sender: chain.faucet.addr,
      appIndex: applicationId,
      appArgs: [algosdk.msgpackRawEncode({ amt: 10n ** 15n, rcv, type: "pay" })],
      suggestedParams: await chain.params({ flatFee: true, fee: 2_000n }),
    });
    await expect(chain.send(call)).rejects.toThrow("overspend");
    expect(await chain.microAlgosOf(chain.faucet.addr.toString())).toBe(before);
  });
});

describe("the simulated algod", () => {
  it("answers only with its token, except about itself", async () => {
    expect(await chain.ask("/v2/status", "wrong")).toEqual({
      status: 401,
      body: { message: "Invalid API Token" },
    });
    expect((await chain.ask("/versions", "")).body).toMatchObject({ versions: ["v2"] });
    expect(await chain.ask("/health", "")).toEqual({ status: 200, body: null });
    await chain.client.healthCheck().do();
  });

  it("waits for a block after a round", async () => {
    const { lastRound } = await chain.client.status().do();
    const later = chain.client.statusAfterBlock(lastRound).do();
    await chain.mine();
    expect((await later).lastRound).toBe(lastRound + 1n);
  });

  it("has no block of the future, and none that it forgot", async () => {
    const missing = {
      status: 404,
      body: { message: "failed to retrieve information from the ledger" },
    };
    const other = await startPrivateAlgorand();
    await other.mine(5);
    expect(await other.ask("/v2/blocks/100")).toEqual(missing);
    expect((await other.ask("/v2/blocks/2")).status).toBe(200);
    await other.control("/forget", { before: 4 });
    expect(await other.ask("/v2/blocks/2")).toEqual(missing);
    expect((await other.ask("/v2/blocks/4")).status).toBe(200);
    await other.stop();
  });

  it("says what is wrong with a request", async () => {
    expect((await chain.ask("/v2/nothing")).status).toBe(404);
    expect((await chain.ask("/v2/accounts/A")).status).toBe(400);
    expect(await chain.ask("/v2/transactions/pending/A")).toEqual({
      status: 400,
      body: { message: "no valid transaction ID was specified" },
    });
    expect((await chain.ask(`/v2/transactions/pending/${"A".repeat(52)}`)).status).toBe(404);
    expect(await chain.ask("/v2/assets/9")).toEqual({
      status: 404,
      body: { message: "asset does not exist" },
    });
    expect(await chain.control("/mine", { blocks: 0 })).toEqual({
      error: "blocks is an integer from 1 to 2000",
    });
  });

  it("continues its chain after a restart", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-algorand-"));
    const first = await startPrivateAlgorand({ folder });
    const receiver = stranger();
    const txid = await first.pay(receiver, 3_000_000n);
    const { lastRound } = await first.client.status().do();
    const before = await first.ask(`/v2/blocks/${lastRound}`);
    await first.stop();
    const second = await startPrivateAlgorand({ folder });
    expect(await second.ask(`/v2/blocks/${lastRound}`)).toEqual(before);
    expect(await second.microAlgosOf(receiver)).toBe(3_000_000n);
    const found = await second.client.pendingTransactionInformation(txid).do();
    expect(found.confirmedRound).toBe(lastRound);
    await second.stop();
    await rm(folder, { recursive: true });
  });
});
