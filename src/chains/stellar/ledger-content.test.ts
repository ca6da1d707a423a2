import {
  Account,
  Asset,
  Keypair,
  Memo,
  MuxedAccount,
  Networks,
  Operation,
  TransactionBuilder,
} from "@stellar/stellar-sdk/base";
import {
  AccountEntry,
  AccountEntryExt,
  ExtensionPoint,
  LedgerCloseMeta,
  LedgerEntry,
  LedgerEntryChange,
  LedgerEntryData,
  LedgerEntryExt,
  LedgerKey,
  OperationMetaV2,
  type Operation as OperationXdr,
  Thresholds,
  TransactionEnvelope,
  TransactionMeta,
  TransactionMetaV4,
  TransactionResult,
  TransactionResultExt,
  TransactionResultResult,
  TrustLineEntry,
  TrustLineEntryExt,
} from "@stellar/stellar-sdk/xdr";
import { describe, expect, it } from "vitest";
import testLedgers from "../../../test/recorded/stellar-ledgers-848581.json" with { type: "json" };
import mainTransactions from "../../../test/recorded/stellar-transactions-63800108.json" with {
  type: "json",
};
import { closeLedger, type ExecutedEnvelope } from "../../../test/support/stellar-ledger.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { Currency } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Transfer } from "../port.ts";
import { Malformed } from "../rpc/answer.ts";
import { native } from "./asset.ts";
import { holdingKey, publicKeyOf } from "./entries.ts";
import { readLedger } from "./executed-ledger.ts";
import { contentOf, listAssets, ownIdOf, receiptOf } from "./ledger-content.ts";
import { networkIdOf } from "./transaction.ts";

/*
 * What a ledger's transactions delivered. Recorded ledgers and transactions are real ones, from the SDK's own tests; the others are built
 * and signed by the SDK, with the metadata that stellar-core writes for them.
 */

const passphrase = Networks.TESTNET;
const networkId = networkIdOf(passphrase);
const hot = "GDVSYYTUAJ3ACHTPQNSTQBDQ4LDHQCMNY4FCEQH5TJUMSSLWQSTG42MV";
const issuer = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 9)).publicKey();
const payerKeys = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1));
const payer = payerKeys.publicKey();
const sponsor = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 2));
const dollar = `USDC:${issuer}`;
const coin = present(
  builtInCurrencies.find(({ alpha }) => alpha === "XLM"),
  "XLM",
);
const token: Currency = {
  ...present(
    builtInCurrencies.find(({ alpha }) => alpha === "USDC-XLM"),
    "USDC-XLM",
  ),
  token: { contract: dollar, locator: dollar },
};
const assets = listAssets([coin, token], passphrase);

function entry(account: string, asset: string, units: bigint): LedgerEntry {
  const data =
    asset === native
      ? LedgerEntryData.account(
          new AccountEntry({
            accountId: publicKeyOf(account),
            balance: units,
            seqNum: 1n,
            numSubEntries: 0,
            inflationDest: null,
            flags: 0,
            homeDomain: "",
            thresholds: new Thresholds(Uint8Array.of(1, 0, 0, 0)),
            signers: [],
            ext: AccountEntryExt.v0(),
          }),
        )
      : LedgerEntryData.trustline(
          new TrustLineEntry({
            accountId: publicKeyOf(account),
            asset: new Asset(...(asset.split(":") as [string, string])).toTrustLineXdrObject(),
            balance: units,
            limit: 2n ** 62n,
            flags: 1,
            ext: TrustLineEntryExt.v0(),
          }),
        );
  return new LedgerEntry({ lastModifiedLedgerSeq: 7, data, ext: LedgerEntryExt.v0() });
}

type Move = readonly [account: string, asset: string, before: bigint | null, after: bigint | null];

function changesOf(moves: readonly Move[]): LedgerEntryChange[] {
  return moves.flatMap(([account, asset, before, after]): LedgerEntryChange[] => {
    const old =
      before === null ? [] : [LedgerEntryChange.ledgerEntryState(entry(account, asset, before))];
    if (after === null)
      return [
        ...old,
        LedgerEntryChange.ledgerEntryRemoved(holdingKey(account, asset) satisfies LedgerKey),
      ];
    const now = entry(account, asset, after);
    return before === null
      ? [LedgerEntryChange.ledgerEntryCreated(now)]
      : [...old, LedgerEntryChange.ledgerEntryUpdated(now)];
  });
}

type Step = { readonly operation: OperationXdr; readonly moves: readonly Move[] };

function execute(
  steps: readonly Step[],
  {
    memo = Memo.none(),
    isBumped = false,
    hasFailed = false,
  }: { memo?: Memo; isBumped?: boolean; hasFailed?: boolean } = {},
): ExecutedEnvelope {
  const builder = new TransactionBuilder(new Account(payer, "41"), {
    fee: "100",
    networkPassphrase: passphrase,
  });
  for (const { operation } of steps) builder.addOperation(operation);
  const inner = builder.addMemo(memo).setTimeout(60).build();
  inner.sign(payerKeys);
  const sent = isBumped
    ? TransactionBuilder.buildFeeBumpTransaction(sponsor, "200", inner, passphrase)
    : inner;
  const operations = hasFailed
    ? []
    : steps.map(
        ({ moves }) =>
          new OperationMetaV2({ ext: ExtensionPoint.v0(), changes: changesOf(moves), events: [] }),
      );
  return {
    envelope: TransactionEnvelope.fromXdr(sent.toEnvelope().toXdr()),
    result: new TransactionResult({
      feeCharged: 100n,
      result: hasFailed
        ? TransactionResultResult.txFailed([])
        : TransactionResultResult.txSuccess([]),
      ext: TransactionResultExt.v0(),
    }),
    meta: TransactionMeta.v4(
      new TransactionMetaV4({
        ext: ExtensionPoint.v0(),
        txChangesBefore: [],
        operations,
        txChangesAfter: [],
        sorobanMeta: null,
        events: [],
        diagnosticEvents: [],
      }),
    ),
  };
}

function contentOfAll(executed: readonly ExecutedEnvelope[]) {
  return contentOf(assets, readLedger(closeLedger(passphrase, executed), networkId));
}

const name = (transfer: Transfer): string =>
  transfer.asset.kind === "currency"
    ? `${transfer.asset.amount.units} of ${transfer.asset.amount.currency}`
    : `${transfer.asset.units} of ${transfer.asset.locator}`;
const received = (...executed: readonly ExecutedEnvelope[]): readonly string[] =>
  contentOfAll(executed)
    .transfers.filter(({ to }) => to.startsWith(hot))
    .map((transfer) => `${transfer.to.slice(hot.length)} ${name(transfer)}`.trim());

const paid = (destination: string, amount: bigint, asset = native): Step => ({
  operation: Operation.payment({
    destination,
    asset: asset === native ? Asset.native() : new Asset(...(asset.split(":") as [string, string])),
    amount: "999",
  }),
  moves: [
    [hot, asset, 50_000_000n, 50_000_000n + amount],
    [payer, asset, 900_000_000n, 900_000_000n - amount],
  ],
});
const muxed = (id: string): string => new MuxedAccount(new Account(hot, "0"), id).accountId();

describe("recorded ledgers of the test network", () => {
  it("have hashes that follow from their headers, and failed transactions that delivered nothing", () => {
    const ledgers = testLedgers.ledgers.map(({ metadataXdr }) =>
      readLedger(LedgerCloseMeta.fromXdr(metadataXdr, "base64"), networkIdOf(testLedgers.network)),
    );
    expect(ledgers.map(({ header }) => header.height)).toEqual([848_581, 848_582]);
    expect(ledgers[1]?.header.parentHash).toBe(ledgers[0]?.header.hash);
    for (const ledger of ledgers) {
      expect(ledger.transactions.map(({ hasSucceeded }) => hasSucceeded)).not.toContain(true);
      expect(contentOf(assets, ledger).transfers).toEqual([]);
      expect(ledger.changes.length).toBeGreaterThan(0);
    }
  });

  it("cannot be altered: a result, a header, or a transaction that is missing", () => {
    const [recorded] = testLedgers.ledgers;
    const meta = () => LedgerCloseMeta.fromXdr(present(recorded, "a ledger").metadataXdr, "base64");
    const id = networkIdOf(testLedgers.network);
    const altered = (change: (value: Extract<LedgerCloseMeta, { type: "v2" }>["v2"]) => void) => {
      const ledger = meta();
      if (ledger.type === "v2") change(ledger.v2);
      return () => readLedger(ledger, id);
    };
    expect(altered(() => undefined)).not.toThrow();
    expect(altered((one) => one.txProcessing.pop())).toThrow(Malformed);
    expect(altered((one) => Object.assign(one.ledgerHeader.header, { totalCoins: 1n }))).toThrow(
      Malformed,
    );
    expect(
      altered((one) => Object.assign(one.txProcessing[0]!.result.result, { feeCharged: 1n })),
    ).toThrow(Malformed);
    expect(() => readLedger(meta(), networkIdOf("another network"))).toThrow(Malformed);
  });
});

describe("recorded transactions of the main network", () => {
  const read = mainTransactions.transactions.map(({ txHash, ...recorded }) => ({
    txHash,
    envelope: TransactionEnvelope.fromXdr(recorded.envelopeXdr, "base64"),
    result: TransactionResult.fromXdr(recorded.resultXdr, "base64"),
    meta: TransactionMeta.fromXdr(recorded.resultMetaXdr, "base64"),
  }));
  const { transactions } = readLedger(
    closeLedger(mainTransactions.network, read),
    networkIdOf(mainTransactions.network),
  );

  it("have the hashes that the node reported, also inside fee-bump transactions", () => {
    expect(transactions.map(({ txid }) => txid)).toEqual(read.map(({ txHash }) => txHash));
    expect(transactions.some(({ innerTxid }) => innerTxid !== null)).toBe(true);
  });

  it("change balances as the network's own events say", () => {
    let compared = 0;
    for (const [at, { executed }] of transactions.entries()) {
      const meta = present(read[at], "a transaction").meta;
      if (meta.type !== "v4") continue;
      for (const [place, { events }] of meta.v4.operations.entries()) {
        const sums = new Map<string, bigint>();
        const add = (account: unknown, asset: string, units: bigint): void => {
          if (typeof account !== "string" || !account.startsWith("G")) return;
          // An issuer has no balance of its own asset.
          if (asset.endsWith(account)) return;
          const key = `${account}/${asset}`;
          sums.set(key, (sums.get(key) ?? 0n) + units);
        };
        for (const event of events) {
          const { topics, data } = event.body.v0.toJson() as unknown as {
            topics: readonly Record<string, string>[];
            data: { i128?: string; map?: readonly { val: { i128?: string } }[] };
          };
          const asset = topics.at(-1)?.["string"] ?? "";
          // With a memo or an M-address, the data is a map that begins with the amount.
          const units = BigInt(data.i128 ?? data.map?.[0]?.val.i128 ?? "0");
          const [kind, from, to] = topics;
          if (kind?.["symbol"] !== "transfer") continue;
          add(from?.["address"], asset, -units);
          add(to?.["address"], asset, units);
        }
        const expected = [...sums].filter(([, units]) => units !== 0n);
        const changes = present(executed[place], "an operation").changes;
        expect(
          changes.map(({ account, asset, before, after }) => [
            `${account}/${asset}`,
            after - before,
          ]),
        ).toEqual(expected.toSorted(([one], [other]) => (one < other ? -1 : 1)));
        compared += expected.length;
      }
    }
    expect(compared).toBeGreaterThan(10);
  });
});

describe("what reaches the hot account", () => {
  it("is the change of its balance, never the amount that an operation states", () => {
    expect(received(execute([paid(hot, 12n)], { memo: Memo.id("1000000010") }))).toEqual([
      ":1000000010 12 of 1021",
    ]);
    const path = Operation.pathPaymentStrictSend({
      sendAsset: Asset.native(),
      sendAmount: "1000",
      destination: hot,
      destAsset: new Asset("USDC", issuer),
      destMin: "1",
      path: [],
    });
    const moves: readonly Move[] = [
      [hot, dollar, 5n, 29n],
      [payer, native, 99_000_000_000n, 89_000_000_000n],
    ];
    expect(received(execute([{ operation: path, moves }], { memo: Memo.id("7") }))).toEqual([
      ":7 24 of 2910",
    ]);
  });

  it("counts under the id of an M-address, which comes before a memo", () => {
    expect(
      received(
        execute([paid(muxed("18446744073709551615"), 5n)]),
        execute([paid(muxed("0"), 6n)], { memo: Memo.text("order") }),
      ),
    ).toEqual([":18446744073709551615 5 of 1021", ":0 6 of 1021"]);
  });

  it.each([
    [Memo.none(), ""],
    [Memo.id("0"), ":0"],
    [Memo.text("1000000010"), ":1000000010"],
    [Memo.text("thank you"), ":thank you"],
    [Memo.text(""), ""],
    [new Memo("text", Buffer.from([0xff, 0x00])), ":ff00"],
    [Memo.hash("ab".repeat(32)), `:${"ab".repeat(32)}`],
    [Memo.return("cd".repeat(32)), `:${"cd".repeat(32)}`],
  ])("shows the memo %s as a tag", (memo, tag) => {
    expect(received(execute([paid(hot, 5n)], { memo }))).toEqual([`${tag} 5 of 1021`.trim()]);
  });

  it("is one transfer for each of many operations, with positions of their own", () => {
    const { transfers } = contentOfAll([
      execute([paid(muxed("1"), 5n), paid(muxed("2"), 6n), paid(payer, 0n)]),
    ]);
    expect(transfers.map(({ key }) => key.index)).toEqual([0, 1]);
  });

  it("includes merged accounts under the memo, and claimed balances under none", () => {
    const merge: Step = {
      operation: Operation.accountMerge({ destination: hot }),
      moves: [
        [hot, native, 1n, 101n],
        [payer, native, 100n, null],
      ],
    };
    const claim: Step = {
      operation: Operation.claimClaimableBalance({ balanceId: "00".repeat(4) + "ab".repeat(32) }),
      moves: [[hot, dollar, 1n, 4n]],
    };
    const memo = Memo.id("7");
    expect(received(execute([merge], { memo }), execute([claim], { memo }))).toEqual([
      ":7 100 of 1021",
      "3 of 2910",
    ]);
  });

  it("is unlisted if another issuer made an asset of the same code", () => {
    const fake = `USDC:${sponsor.publicKey()}`;
    expect(received(execute([paid(hot, 5n, fake)]))).toEqual([`5 of ${fake}`]);
  });

  it("is nothing if the transaction failed, which still cost its fee", () => {
    const failed = execute([paid(hot, 5n)], { hasFailed: true });
    expect(received(failed)).toEqual([]);
    const { spends } = contentOfAll([failed]);
    expect(spends.transactionsFrom(new Set([payer]))).toMatchObject([
      { claims: [`${payer}#42`], feeUnits: 100n, payments: [] },
    ]);
  });

  it("creates the account if it did not exist", () => {
    const created: Step = {
      operation: Operation.createAccount({ destination: hot, startingBalance: "20" }),
      moves: [[hot, native, null, 200_000_000n]],
    };
    expect(received(execute([created], { memo: Memo.id("9") }))).toEqual([":9 200000000 of 1021"]);
  });
});

describe("a fee-bump transaction", () => {
  const bumped = execute([paid(hot, 5n)], { isBumped: true, memo: Memo.id("7") });
  const { transactions } = readLedger(closeLedger(passphrase, [bumped]), networkId);
  const [transaction] = transactions;

  it("delivers under its own hash, with the memo of the transaction inside", () => {
    const { transfers } = contentOfAll([bumped]);
    expect(transfers[0]?.key.txid).toBe(transaction?.txid);
    expect(transfers[0]?.to).toBe(`${hot}:7`);
  });

  it("of someone else is still our transaction inside, which paid no fee", () => {
    const { spends } = contentOfAll([bumped]);
    const inner = ownIdOf(present(transaction, "the transaction"));
    expect(inner).not.toBe(transaction?.txid);
    expect(spends.transactionsFrom(new Set([payer]))).toMatchObject([
      { txid: inner, sender: payer, claims: [`${payer}#42`], feeUnits: 0n },
    ]);
  });
});

describe("a payment of our transaction that failed", () => {
  const { transactions } = readLedger(
    closeLedger(passphrase, [execute([paid(hot, 5n), paid(payer, 5n)], { hasFailed: true })]),
    networkId,
  );

  it.each([
    ["paymentSuccess", "undone"],
    ["paymentUnderfunded", "undone"],
    ["paymentSrcNotAuthorized", "undone"],
    ["paymentSrcNoTrust", "undone"],
    ["paymentNotAuthorized", "refused"],
    ["paymentLineFull", "refused"],
  ])("with the result %s was %s", (result, outcome) => {
    const failed = present(transactions[0], "the transaction");
    const receipt = receiptOf({ ...failed, results: [result, "paymentSuccess"] });
    expect(receipt.payments).toEqual([outcome, "undone"]);
  });
});
