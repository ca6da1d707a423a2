import { describe, expect, test } from "vitest";
import recordedAccounts from "../../../test/recorded/xrpl-ledger-38129.json" with { type: "json" };
import recordedEmpty from "../../../test/recorded/xrpl-ledger-40000.json" with { type: "json" };
import recordedTrades from "../../../test/recorded/xrpl-ledger-7501326.json" with { type: "json" };
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { type BlockContent, ImpossibleAnswer, type Transfer } from "../port.ts";
import { Malformed } from "../rpc/answer.ts";
import { contentOf } from "./ledger-content.ts";
import { readLedger } from "./questions.ts";
import { readTransaction } from "./transaction.ts";

/*
 * What a ledger's transactions delivered. The ledgers are real ones of 2013 and 2014, recorded by xrpl.js (without account states, paths and
 * unneeded objects). The transactions of later types have the members that the node's reference documents.
 */

const coin = "1010" as CurrencyId;
const hot = "rnZoUopPFXRSVGdeDkgbqdft8SbXfJxKYh";
const payer = "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnX";
const other = "rNNuQMuExCiEjeZ4h9JJnj5PSWypdMXDj4";

const units = ({ to, asset }: Transfer): string =>
  `${to} ${asset.kind === "currency" ? asset.amount.units : "unlisted"}`;

/** One transaction as a node answers it, with the AccountRoot changes as `[account, before, after]`. */
function answered(
  tx: Record<string, unknown>,
  balances: readonly (readonly [account: string, before: string | null, after: string])[],
  meta: Record<string, unknown> = {},
  further: readonly unknown[] = [],
): unknown {
  const roots = balances.map(([Account, before, after]) =>
    before === null
      ? { CreatedNode: { LedgerEntryType: "AccountRoot", NewFields: { Account, Balance: after } } }
      : {
          ModifiedNode: {
            LedgerEntryType: "AccountRoot",
            FinalFields: { Account, Balance: after },
            PreviousFields: { Balance: before },
          },
        },
  );
  return {
    hash: "ab".repeat(32),
    tx_json: { Account: payer, Fee: "10", Sequence: 7, TransactionType: "Payment", ...tx },
    meta: { TransactionResult: "tesSUCCESS", AffectedNodes: [...roots, ...further], ...meta },
  };
}

function read(value: unknown, mayBeWatched?: (key: string) => boolean): BlockContent {
  return readAll([value], mayBeWatched);
}

function readAll(
  values: readonly unknown[],
  mayBeWatched?: (key: string) => boolean,
): BlockContent {
  const { header } = readLedger(recordedEmpty);
  return contentOf("XRP", coin, { header, executed: values.map(readTransaction) }, mayBeWatched);
}

const paidIn = (value: unknown): readonly string[] => read(value).transfers.map(units);

test("an empty ledger is read, and its hash follows from its header", () => {
  const { header, executed } = readLedger(recordedEmpty);
  expect(header).toMatchObject({ height: 40_000, hash: recordedEmpty.ledger_hash });
  expect(executed).toEqual([]);
});

test("a payment that created its receiver is a transfer", () => {
  const { transfers, spends } = contentOf("XRP", coin, readLedger(recordedAccounts));
  expect(transfers.map(units)).toEqual(["rLQBHVhFnaC5gLEkgr6HgBJJ3bgeZHg9cj 10000000000"]);
  const sender = "r3kmLJN5D28dHuH8vZNUZpMC43pEHpaocV";
  expect(spends.sources()).toEqual([sender]);
  expect(spends.transactionsFrom(new Set([sender]))).toMatchObject([
    { claims: [`${sender}#62`], feeUnits: 10n, payments: [{ units: 10_000_000_000n }] },
  ]);
});

test("trades and payments of a full ledger add up to nothing but fees", () => {
  const { executed } = readLedger(recordedTrades);
  expect(executed).toHaveLength(17);
  for (const { changes } of executed)
    expect(changes.reduce((sum, { change }) => sum + present(change, "drops"), 0n)).toBe(0n);
  expect(executed.filter(({ hasSucceeded }) => !hasSucceeded)).toHaveLength(2);
});

test("a header with one altered member is refused", () => {
  for (const altered of [{ close_time: 410_459_131 }, { total_coins: "99999999999996311" }])
    expect(() =>
      readLedger({ ...recordedEmpty, ledger: { ...recordedEmpty.ledger, ...altered } }),
    ).toThrow(Malformed);
});

test("a partial payment counts what it delivered, not what it states", () => {
  const tx = { Destination: hot, DestinationTag: 7, DeliverMax: "1000000000", Flags: 131_072 };
  const partial = answered(tx, [[hot, "500", "520"]], { delivered_amount: "20" });
  expect(paidIn(partial)).toEqual([`${hot}:7 20`]);
});

test("a payment that delivered another asset brings no XRP, whatever it states", () => {
  const tx = { Destination: hot, DestinationTag: 7, DeliverMax: "1000000000" };
  const delivered_amount = { currency: "USD", issuer: other, value: "1000" };
  expect(paidIn(answered(tx, [[payer, "100", "90"]], { delivered_amount }))).toEqual([]);
});

test("an answer whose delivered amount differs from the balance is impossible, unless nobody watches it", () => {
  const tx = { Destination: hot, DeliverMax: "1000" };
  const lie = answered(tx, [[hot, "500", "520"]], { delivered_amount: "1000" });
  expect(() => read(lie)).toThrow(ImpossibleAnswer);
  expect(read(lie, () => false).transfers).toEqual([]);
});

test("a failed transaction delivers nothing, and burns its fee", () => {
  const failed = answered({ Destination: hot, DestinationTag: 7 }, [[payer, "100", "90"]], {
    TransactionResult: "tecUNFUNDED_PAYMENT",
  });
  const { spends, transfers } = read(failed);
  expect(transfers).toEqual([]);
  expect(spends.transactionsFrom(new Set([payer]))).toMatchObject([
    { feeUnits: 10n, payments: [] },
  ]);
});

test("a result that no ledger contains is malformed", () => {
  const meta = { TransactionResult: "terPRE_SEQ" };
  expect(() => read(answered({}, [], meta))).toThrow(Malformed);
});

test.each(["Escrow", "Check", "PayChannel"])(
  "money out of a deleted %s has the tag that it was held under",
  (LedgerEntryType) => {
    const held = {
      DeletedNode: {
        LedgerEntryType,
        FinalFields: { Account: other, Destination: hot, DestinationTag: 0 },
      },
    };
    const finish = answered({ TransactionType: "EscrowFinish" }, [[hot, "500", "900"]], {}, [held]);
    expect(paidIn(finish)).toEqual([`${hot}:0 400`]);
  },
);

test("money of a deleted account has the tag of its transaction", () => {
  const tx = { TransactionType: "AccountDelete", Destination: hot, DestinationTag: 3 };
  const meta = { delivered_amount: "9990" };
  const root = {
    DeletedNode: {
      LedgerEntryType: "AccountRoot",
      FinalFields: { Account: payer, Balance: "0" },
      PreviousFields: { Balance: "10000" },
    },
  };
  expect(paidIn(answered(tx, [[hot, "500", "10490"]], meta, [root]))).toEqual([`${hot}:3 9990`]);
});

test.each(["AMMID", "VaultID", "LoanBrokerID"])(
  "a ledger with a new account without XRP (%s) brings what else is in it",
  (member) => {
    const account = {
      CreatedNode: {
        LedgerEntryType: "AccountRoot",
        NewFields: { Account: other, [member]: "ef".repeat(32), Flags: 26_214_400 },
      },
    };
    const created = answered(
      { TransactionType: "AMMCreate", Fee: "200000" },
      [[payer, "900000", "700000"]],
      {},
      [account],
    );
    const paid = answered({ Destination: hot, DestinationTag: 7 }, [[hot, "500", "520"]]);
    expect(readAll([created, paid]).transfers.map(units)).toEqual([`${hot}:7 20`]);
    expect(read(created).spends.transactionsFrom(new Set([payer]))).toMatchObject([
      { feeUnits: 200_000n, payments: [] },
    ]);
  },
);

describe("a balance that is no amount of drops", () => {
  const changed = (Account: string, FinalFields: object, PreviousFields?: object) => ({
    ModifiedNode: {
      LedgerEntryType: "AccountRoot",
      FinalFields: { Account, ...FinalFields },
      ...(PreviousFields === undefined ? {} : { PreviousFields }),
    },
  });
  const isHot = (key: string) => key.startsWith(hot);
  const paid = (node: unknown) =>
    answered({ Destination: hot, DestinationTag: 7 }, [[payer, "100", "90"]], {}, [node]);

  test.each([
    [{ Balance: "lots" }, { Balance: "1" }],
    [{ Balance: "1" }, { Balance: { value: "1" } }],
    [{}, { OwnerCount: 1 }],
  ])("of a stranger stops nothing, and our own one everything: %j %j", (final, previous) => {
    const strange = paid(changed(other, final, previous));
    expect(read(strange, isHot).transfers).toEqual([]);
    expect(() => read(paid(changed(hot, final, previous)), isHot)).toThrow(ImpossibleAnswer);
    expect(() => read(strange, isHot).spends.transactionsFrom(new Set([payer]))).toThrow(
      ImpossibleAnswer,
    );
  });

  test("of nobody is malformed, since it may be ours", () => {
    const root = { LedgerEntryType: "AccountRoot" };
    const nobodys = { ...root, FinalFields: { Balance: "9" }, PreviousFields: { Balance: "1" } };
    expect(() => read(paid({ ModifiedNode: nobodys }))).toThrow(Malformed);
    expect(() => read(paid({ CreatedNode: { ...root, NewFields: { Balance: "9" } } }))).toThrow(
      Malformed,
    );
  });

  test("is none if only the thread of transactions continues", () => {
    const threaded = { LedgerEntryType: "AccountRoot", PreviousTxnID: "ab".repeat(32) };
    expect(paidIn(paid({ ModifiedNode: threaded }))).toEqual([]);
  });
});

test("an inner payment of a batch counts, and the batch around it does not", () => {
  const inner = answered(
    { Destination: hot, DestinationTag: 5, Fee: "0", Flags: 1_073_741_824 },
    [[hot, "500", "600"]],
    { ParentBatchID: "cd".repeat(32), delivered_amount: "100" },
  );
  expect(paidIn(inner)).toEqual([`${hot}:5 100`]);
  const RawTransactions = [{ RawTransaction: { Destination: hot, Amount: "100" } }];
  const outer = answered({ TransactionType: "Batch", RawTransactions }, [[payer, "100", "90"]]);
  expect(paidIn(outer)).toEqual([]);
});

test("a withdrawal from an AMM counts without a tag, and without its own fee", () => {
  const tx = { TransactionType: "AMMWithdraw", Account: hot };
  expect(paidIn(answered(tx, [[hot, "500", "690"]]))).toEqual([`${hot} 200`]);
});

test("the delegate pays the fee of what it sends for another account", () => {
  const tx = { Delegate: other, Destination: hot };
  const sent = answered(tx, [
    [payer, "100", "80"],
    [other, "100", "90"],
    [hot, "0", "20"],
  ]);
  expect(paidIn(sent)).toEqual([`${hot} 20`]);
});

test("a ticket takes the place of the sequence and claims nothing", () => {
  const [sent] = read(answered({ Sequence: 0, TicketSequence: 9 }, [])).spends.transactionsFrom(
    new Set([payer]),
  );
  expect(sent?.claims).toEqual([]);
});
