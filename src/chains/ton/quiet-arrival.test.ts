import { Address, type Builder, beginCell, type Cell } from "@ton/core";
import { describe, expect, it } from "vitest";
import { tonAddressText } from "../../currencies/ton-address.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { operation } from "./build-order.ts";
import { quietArrivalOf } from "./quiet-arrival.ts";
import type { ExecutedTransaction, InternalMessage } from "./transaction.ts";

/* Every way in which the balance of our wallet of a jetton changes, and which of them the wallet's own transaction books. */

const coin = "1140" as CurrencyId;
const jetton = "2909" as CurrencyId;
const accountOf = (byte: number): string => tonAddressText(Buffer.alloc(32, byte), "main");
const [owner, wallet, payer, sender, stranger] = [1, 2, 3, 4, 5].map(accountOf) as [
  string,
  string,
  string,
  string,
  string,
];

function messageOf(from: string, to: string, body: Cell): InternalMessage {
  const hash = body.hash().toString("hex");
  const way = { fees: 0n, bounces: true, isBounced: false, createdLt: 7n, createdAt: 0 };
  return { ...way, hash, from, to, value: 1n, body };
}

const moves = (units = 5n): Builder =>
  beginCell()
    .storeUint(operation.jettonInternalTransfer, 32)
    .storeUint(1, 64)
    .storeCoins(units)
    .storeAddress(Address.parse(payer));
const arrives = messageOf(sender, wallet, moves().storeAddress(null).storeCoins(0).endCell());
const told = beginCell()
  .storeUint(operation.transferNotification, 32)
  .storeUint(1, 64)
  .storeCoins(5n)
  .storeAddress(Address.parse(payer))
  .storeBit(false)
  .endCell();
const excess = beginCell().storeUint(operation.excesses, 32).storeUint(1, 64).endCell();

/** What the wallet's transaction with that message books: an amount, and to whom it would go back. */
function booked(
  message: InternalMessage,
  more: Partial<ExecutedTransaction> = {},
): readonly unknown[] | null {
  const transaction: ExecutedTransaction = {
    hash: "ab".repeat(32),
    account: wallet,
    lt: 9n,
    time: 0,
    previous: { lt: 0n, hash: "" },
    fees: 0n,
    isAborted: false,
    input: { kind: "internal", message },
    sent: [],
    ...more,
  };
  const found = quietArrivalOf(transaction, { owner, jetton }, { coin, network: "main" });
  if (found === null) return null;
  const { charge, outgoing, senders, transfer, txid } = found;
  expect(charge.amount.units).toBe(0n);
  expect(outgoing).toBeNull();
  expect(senders.claims).toEqual([`${message.from}#7`]);
  expect(transfer).toMatchObject({ key: { txid, index: 0 }, to: owner });
  return [transfer?.asset, senders.addresses];
}

const five = { kind: "currency", amount: { units: 5n, currency: jetton } };

describe("a transaction of our wallet of a jetton books", () => {
  it("what arrives if it tells its owner nothing of it", () => {
    expect(booked(arrives)).toEqual([five, [payer]]);
    expect(booked(arrives, { sent: [messageOf(wallet, payer, excess)] })).toEqual([five, [payer]]);
    // Another account is notified.
    expect(booked(arrives, { sent: [messageOf(wallet, stranger, told)] })).toEqual([five, [payer]]);
  });

  it("what a master creates without naming a sender, as coming from the master", () => {
    const created = beginCell()
      .storeUint(operation.jettonInternalTransfer, 32)
      .storeUint(1, 64)
      .storeCoins(5n);
    const unnamed = [created.endCell(), created.storeAddress(null).endCell()];
    for (const body of unnamed)
      expect(booked(messageOf(sender, wallet, body))).toEqual([five, [sender]]);
  });

  it("nothing of which it tells its owner, because the owner's transaction does", () => {
    const sent = [messageOf(wallet, owner, told), messageOf(wallet, payer, excess)];
    expect(booked(arrives, { sent })).toBeNull();
  });

  it("nothing that it refuses, and nothing for no units", () => {
    expect(booked(arrives, { isAborted: true })).toBeNull();
    expect(booked(messageOf(sender, wallet, moves(0n).endCell()))).toBeNull();
  });

  it("nothing of our payments: neither what leaves nor what comes back of them", () => {
    const order = beginCell()
      .storeUint(operation.jettonTransfer, 32)
      .storeUint(1, 64)
      .storeCoins(5n)
      .storeAddress(Address.parse(payer))
      .storeAddress(Address.parse(owner))
      .storeBit(false)
      .storeCoins(1n)
      .storeBit(false)
      .endCell();
    const passed = messageOf(wallet, sender, moves().endCell());
    expect(booked(messageOf(owner, wallet, order), { sent: [passed] })).toBeNull();
    const returned = beginCell()
      .storeUint(0xffffffff, 32)
      .storeSlice(moves().endCell().beginParse())
      .endCell();
    expect(booked({ ...messageOf(sender, wallet, returned), isBounced: true })).toBeNull();
    // Even one whose body does not say that it came back.
    expect(booked({ ...arrives, isBounced: true })).toBeNull();
  });

  it("nothing of other messages", () => {
    expect(booked(messageOf(stranger, wallet, excess))).toBeNull();
    expect(booked(messageOf(stranger, wallet, beginCell().endCell()))).toBeNull();
    expect(booked(arrives, { input: null })).toBeNull();
  });
});
