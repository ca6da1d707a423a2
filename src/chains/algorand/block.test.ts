import { readFileSync } from "node:fs";
import algosdk from "algosdk";
import { describe, expect, it } from "vitest";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Malformed } from "../rpc/answer.ts";
import { type AlgorandBlock, readBlock } from "./block.ts";
import { contentOf } from "./block-content.ts";

/*
 * One block comes from a real node. The others have its header and transactions that algosdk encodes, so that ids and amounts are its own.
 */

type Recorded = Readonly<Record<"msgpack" | "parentHash" | "sender", string>> & {
  readonly seconds: number;
};
const recorded = JSON.parse(
  readFileSync(new URL("../../../test/recorded/algorand-block-108.json", import.meta.url), "utf8"),
) as Recorded;
const bytes = Buffer.from(recorded.msgpack, "base64");
const { header } = algosdk.decodeMsgpack(bytes, algosdk.modelsv2.BlockResponse).block;

const account = (fill: number) => new algosdk.Address(new Uint8Array(32).fill(fill));
const [payer, deposit, other, application] = [1, 2, 3, 4].map(account) as [
  algosdk.Address,
  algosdk.Address,
  algosdk.Address,
  algosdk.Address,
];
const suggestedParams = {
  flatFee: true,
  fee: 2_000,
  minFee: 1_000,
  firstValid: 100,
  lastValid: 200,
  genesisHash: header.genesisHash,
  genesisID: header.genesisID,
};
const pay = (more: object = {}) =>
  algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: payer,
    receiver: deposit,
    amount: 700n,
    suggestedParams,
    ...more,
  });
const move = (more: object = {}) =>
  algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
    sender: payer,
    receiver: deposit,
    amount: 700n,
    assetIndex: 10n,
    suggestedParams,
    ...more,
  });

type Applied = ConstructorParameters<typeof algosdk.ApplyData>[0];

const signed = (transaction: algosdk.Transaction, applied: Applied = {}) =>
  new algosdk.SignedTxnWithAD({
    signedTxn: new algosdk.SignedTransaction({ txn: transaction }),
    applyData: new algosdk.ApplyData(applied),
  });

/** A transaction as blocks hold it: without what it says about the network. */
const inBlock = (transaction: algosdk.Transaction, applied: Applied = {}) => {
  const { genesisID } = transaction;
  const bare = algosdk.decodeMsgpack(algosdk.encodeMsgpack(transaction), algosdk.Transaction);
  Object.assign(bare, { genesisID: undefined, genesisHash: undefined });
  return new algosdk.SignedTxnInBlock({
    signedTxn: signed(bare, applied),
    hasGenesisID: genesisID !== undefined,
    hasGenesisHash: false,
  });
};

const blockOf = (...payset: readonly algosdk.SignedTxnInBlock[]): AlgorandBlock => {
  const block = new algosdk.Block({ header, payset: [...payset] });
  const name = Buffer.from("block");
  return readBlock(
    Buffer.concat([Buffer.of(0x81, 0xa0 | name.length), name, algosdk.encodeMsgpack(block)]),
  );
};
const movesOf = (...payset: readonly algosdk.SignedTxnInBlock[]) =>
  blockOf(...payset).transactions.flatMap(({ moves }) => moves);
const at = (from: algosdk.Address, to: algosdk.Address, units: bigint, asset: string | null) => ({
  from: from.toString(),
  to: to.toString(),
  asset,
  units,
});

describe("readBlock", () => {
  it("reads a block of a real node, and a transaction that moves nothing", () => {
    const block = readBlock(bytes);
    expect(block.header).toMatchObject({
      height: 108,
      parentHash: recorded.parentHash,
      time: instantFromSeconds(recorded.seconds),
    });
    expect(block.transactions).toMatchObject([
      { sender: recorded.sender, feeUnits: 0n, moves: [] },
    ]);
  });

  it("computes the same hash whatever the block contains, and another one for another header", () => {
    const { hash } = readBlock(bytes).header;
    expect(hash).toMatch(/^[A-Z2-7]{52}$/);
    expect(blockOf(inBlock(pay())).header.hash).toBe(hash);
    const changed = Buffer.from(bytes);
    changed[bytes.indexOf("rnd") + 3] = 107;
    expect(readBlock(changed).header.hash).not.toBe(hash);
  });

  it("identifies transactions as algosdk does, with and without the network's id", () => {
    const { flatFee, fee, minFee, firstValid, lastValid, genesisHash } = suggestedParams;
    const anonymous = { flatFee, fee, minFee, firstValid, lastValid, genesisHash };
    const transactions = [
      pay(),
      move(),
      pay({ note: Uint8Array.of(7), rekeyTo: other }),
      pay({ suggestedParams: anonymous }),
    ];
    const block = blockOf(...transactions.map((one) => inBlock(one)));
    expect(block.transactions.map(({ txid }) => txid)).toEqual(
      transactions.map((one) => one.txID()),
    );
  });

  it("counts what an account closes into another one, in coin and in assets", () => {
    expect(
      movesOf(
        inBlock(pay({ closeRemainderTo: other }), { closingAmount: 4_000n }),
        inBlock(pay({ receiver: other, closeRemainderTo: deposit }), { closingAmount: 5_000n }),
        inBlock(move({ amount: 0n, closeRemainderTo: deposit }), { assetClosingAmount: 60n }),
      ),
    ).toEqual([
      at(payer, deposit, 700n, null),
      at(payer, other, 4_000n, null),
      at(payer, other, 700n, null),
      at(payer, deposit, 5_000n, null),
      at(payer, deposit, 60n, "10"),
    ]);
  });

  it("moves what a clawback takes from the account that it takes from", () => {
    expect(movesOf(inBlock(move({ assetSender: deposit, receiver: other })))).toEqual([
      at(deposit, other, 700n, "10"),
    ]);
  });

  it("ignores opt-ins and other moves of 0", () => {
    expect(
      movesOf(
        inBlock(move({ sender: deposit, receiver: deposit, amount: 0n })),
        inBlock(pay({ amount: 0n })),
      ),
    ).toEqual([]);
  });

  it("counts inner transactions at any depth, after the outer one", () => {
    const call = algosdk.makeApplicationNoOpTxnFromObject({
      sender: payer,
      appIndex: 9n,
      suggestedParams,
    });
    const innermost = signed(move({ sender: application, amount: 3n }));
    const nested = signed(pay({ sender: application, closeRemainderTo: deposit, amount: 2n }), {
      closingAmount: 9n,
      evalDelta: new algosdk.EvalDelta({ innerTxns: [innermost] }),
    });
    const block = blockOf(
      inBlock(call, { evalDelta: new algosdk.EvalDelta({ innerTxns: [nested] }) }),
    );
    expect(block.transactions).toMatchObject([
      {
        txid: call.txID(),
        sender: payer.toString(),
        feeUnits: 2_000n,
        moves: [
          at(application, deposit, 2n, null),
          at(application, deposit, 9n, null),
          at(application, deposit, 3n, "10"),
        ],
      },
    ]);
  });

  it("refuses anything but a block", () => {
    for (const other of [
      null,
      {},
      new Uint8Array(),
      bytes.subarray(0, -1),
      Buffer.concat([bytes, Buffer.of(0)]),
      Buffer.from("81a5626c6f636b80", "hex"),
      new Uint8Array(200).fill(0x91),
    ])
      expect(() => readBlock(other)).toThrow(Malformed);
  });
});

describe("contentOf", () => {
  const assets = { coin: "1141" as CurrencyId, listed: new Map([["10", "2911" as CurrencyId]]) };

  it("numbers the moves of a transaction, and credits an asset by its id only", () => {
    const block = blockOf(
      inBlock(pay({ closeRemainderTo: deposit }), { closingAmount: 5n }),
      inBlock(move()),
      inBlock(move({ assetIndex: 11n })),
    );
    const [first, second, third] = block.transactions.map(({ txid }) => txid);
    const to = deposit.toString();
    expect(contentOf(block, assets).transfers).toEqual([
      transfer(first, 0, { kind: "currency", amount: { units: 700n, currency: "1141" } }),
      transfer(first, 1, { kind: "currency", amount: { units: 5n, currency: "1141" } }),
      transfer(second, 0, { kind: "currency", amount: { units: 700n, currency: "2911" } }),
      transfer(third, 0, { kind: "unlisted", locator: "11", units: 700n }),
    ]);
    expect(contentOf(block, assets, () => false).transfers).toEqual([]);

    function transfer(txid: string | undefined, index: number, asset: object) {
      return { key: { txid, index }, to, asset, spendableFromHeight: null };
    }
  });

  it("names the account that sent each transaction, with its fee and its payments", () => {
    const { spends } = contentOf(
      blockOf(inBlock(pay()), inBlock(move({ sender: other, assetSender: deposit }))),
      assets,
    );
    expect(spends.sources()).toEqual([payer.toString(), other.toString()]);
    // The clawback takes from the deposit address, whose key did not sign it.
    expect(spends.transactionsFrom(new Set([deposit.toString()]))).toEqual([]);
    expect(spends.transactionsFrom(new Set([payer.toString()]))).toEqual([
      {
        txid: pay().txID(),
        sender: payer.toString(),
        claims: [],
        payments: [
          { to: deposit.toString(), address: deposit.toString(), currency: "1141", units: 700n },
        ],
        feeUnits: 2_000n,
      },
    ]);
  });
});
