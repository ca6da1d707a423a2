import { createHash } from "node:crypto";
import {
  type LedgerCloseMeta,
  type LedgerEntryChange,
  type LedgerHeaderHistoryEntry,
  type OperationMetaV2,
  type OperationResult,
  type TransactionEnvelope,
  type TransactionMeta,
  type TransactionResultPair,
  TransactionResultSet,
} from "@stellar/stellar-sdk/xdr";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { BlockRef } from "../port.ts";
import { Malformed } from "../rpc/answer.ts";
import { hexOf } from "./answer.ts";
import { type BalanceChange, balanceChangesIn } from "./balance-changes.ts";
import { type ContractTransfer, contractTransfersIn } from "./contract-transfers.ts";
import { readEnvelope, type StatedTransaction } from "./transaction.ts";

/** An operation's effects; a transaction that failed has none. */
export type ExecutedOperation = {
  readonly changes: readonly BalanceChange[];
  /** Transfers that contracts of assets report. */
  readonly transfers: readonly ContractTransfer[];
};

export type ExecutedTransaction = StatedTransaction & {
  readonly hasSucceeded: boolean;
  readonly feeUnits: bigint;
  /** The result of each operation of a transaction that failed because of them: `paymentNoTrust`. Otherwise empty. */
  readonly results: readonly string[];
  readonly executed: readonly ExecutedOperation[];
};

export type ExecutedLedger = {
  readonly header: BlockRef;
  /** In the order of their execution. */
  readonly transactions: readonly ExecutedTransaction[];
  /** Every change of a balance in the ledger in order, fees among them. */
  readonly changes: readonly BalanceChange[];
  /** Units of the coin that each entry of an account reserves. */
  readonly baseReserve: bigint;
};

/**
 * A closed ledger with its transactions. Its hash must match its header, and its header the results of all transactions, so a node can
 * neither alter a result nor leave a transaction out. Throws `Malformed`.
 */
export function readLedger(meta: LedgerCloseMeta, networkId: Uint8Array): ExecutedLedger {
  if (meta.type === "v0") throw new Malformed("a ledger in the form before protocol 20");
  const { value } = meta;
  const header = readHeader(value.ledgerHeader);
  const { txSetResultHash, baseReserve } = value.ledgerHeader.header;
  const results = value.txProcessing.map(({ result }) => result);
  const resultHash = sha256(new TransactionResultSet({ results }).toXdr());
  if (resultHash !== hexOf(txSetResultHash.value))
    throw new Malformed(`ledger ${header.height} with results that its header does not have`);
  const stated = new Map(
    envelopesIn(value.txSet).map((envelope) => {
      const transaction = readEnvelope(envelope, networkId);
      return [transaction.txid, transaction] as const;
    }),
  );
  const transactions = value.txProcessing.map(({ result, txApplyProcessing }) => {
    const txid = hexOf(result.transactionHash.value);
    const transaction = stated.get(txid);
    if (transaction === undefined) throw new Malformed(`a result of ${txid}, which is not there`);
    return { ...transaction, ...outcomeOf(result), executed: operationsIn(txApplyProcessing) };
  });
  const steps: (readonly LedgerEntryChange[])[] = [
    ...value.txProcessing.map(({ feeProcessing }) => feeProcessing),
    ...value.txProcessing.flatMap(({ txApplyProcessing }) => stepsIn(txApplyProcessing)),
    ...value.txProcessing.flatMap((processed) =>
      "postTxApplyFeeProcessing" in processed ? [processed.postTxApplyFeeProcessing] : [],
    ),
    ...value.upgradesProcessing.map(({ changes }) => changes),
  ];
  return {
    header,
    transactions,
    changes: steps.flatMap(balanceChangesIn),
    baseReserve: BigInt(baseReserve),
  };
}

/** The ledger that a header describes; its hash is computed from its fields. */
function readHeader({ hash, header }: LedgerHeaderHistoryEntry): BlockRef {
  const computed = sha256(header.toXdr());
  if (computed !== hexOf(hash.value))
    throw new Malformed(`ledger ${hexOf(hash.value)}, whose header has the hash ${computed}`);
  return {
    height: header.ledgerSeq,
    hash: computed,
    parentHash: hexOf(header.previousLedgerHash.value),
    time: instantFromSeconds(Number(header.scpValue.closeTime)),
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

type TransactionSet = Exclude<LedgerCloseMeta, { readonly type: "v0" }>["value"]["txSet"];

function envelopesIn({ v1TxSet }: TransactionSet): readonly TransactionEnvelope[] {
  return v1TxSet.phases.flatMap((phase) =>
    phase.type === "v0Components"
      ? phase.v0Components.flatMap(({ txsMaybeDiscountedFee }) => txsMaybeDiscountedFee.txs)
      : phase.parallelTxsComponent.executionStages.flat(2),
  );
}

function outcomeOf({ result: { feeCharged, result } }: TransactionResultPair): {
  readonly hasSucceeded: boolean;
  readonly feeUnits: bigint;
  readonly results: readonly string[];
} {
  return {
    hasSucceeded: result.type === "txSuccess" || result.type === "txFeeBumpInnerSuccess",
    feeUnits: feeCharged,
    results: failedOperations(result).map((one) =>
      one.type === "opInner" ? one.tr.value.type : one.type,
    ),
  };
}

function failedOperations(
  result: TransactionResultPair["result"]["result"],
): readonly OperationResult[] {
  if (result.type === "txFailed") return result.results;
  if (result.type !== "txFeeBumpInnerFailed") return [];
  const inner = result.innerResultPair.result.result;
  return inner.type === "txFailed" ? inner.results : [];
}

function operationsIn(meta: TransactionMeta): readonly ExecutedOperation[] {
  return operationMetasOf(meta).map((operation) => ({
    changes: balanceChangesIn(operation.changes),
    transfers: "events" in operation ? contractTransfersIn(operation.events) : [],
  }));
}

/** What a transaction changes before, in and after its operations. */
function stepsIn(meta: TransactionMeta): readonly (readonly LedgerEntryChange[])[] {
  const operations = operationMetasOf(meta).map(({ changes }) => changes);
  switch (meta.type) {
    case "operations":
      return operations;
    case "v1":
      return [meta.v1.txChanges, ...operations];
    case "v2":
      return [meta.v2.txChangesBefore, ...operations, meta.v2.txChangesAfter];
    case "v3":
      return [meta.v3.txChangesBefore, ...operations, meta.v3.txChangesAfter];
    case "v4":
      return [meta.v4.txChangesBefore, ...operations, meta.v4.txChangesAfter];
  }
}

type OperationMetas = readonly (
  | OperationMetaV2
  | { readonly changes: readonly LedgerEntryChange[] }
)[];

function operationMetasOf(meta: TransactionMeta): OperationMetas {
  return meta.type === "operations" ? meta.operations : meta.value.operations;
}
