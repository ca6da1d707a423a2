import { createHash } from "node:crypto";
import {
  ExtensionPoint,
  GeneralizedTransactionSet,
  Hash,
  LedgerCloseMeta,
  LedgerCloseMetaExt,
  LedgerCloseMetaV2,
  type LedgerEntryChange,
  LedgerHeader,
  LedgerHeaderExt,
  LedgerHeaderHistoryEntry,
  LedgerHeaderHistoryEntryExt,
  StellarValue,
  StellarValueExt,
  TransactionPhase,
  TransactionResultMetaV1,
  TransactionResultPair,
  TransactionResultSet,
  TransactionSetV1,
  TxSetComponent,
  TxSetComponentTxsMaybeDiscountedFee,
} from "@stellar/stellar-sdk/xdr";
import { baseReserve } from "./entries.ts";
import { baseFee, type Executed } from "./transactions.ts";

export type ClosedTransaction = Executed & { readonly feeChanges: LedgerEntryChange[] };

/** The ledger before the one that closes. */
export type Parent = {
  readonly hash: Uint8Array;
  readonly header: LedgerHeader;
};

const protocolVersion = 23;
/** Stroops. The network's supply, which only fees reduce. */
export const totalCoins = 1_054_439_020_873_472_865n;

/** The header before the first ledger that this program closes. */
export function genesisHeader(networkId: Uint8Array): Parent {
  const header = headerOf({
    previousLedgerHash: networkId,
    ledgerSeq: 0,
    closeTime: 0n,
    txSetHash: Buffer.alloc(32),
    txSetResultHash: Buffer.alloc(32),
    bucketListHash: Buffer.alloc(32),
    feePool: 0n,
    idPool: 0n,
  });
  return { hash: sha256(header.toXdr()), header };
}

/** What the network publishes of a closed ledger; `idPool` is the newest number of an offer. */
export function closeMeta(
  parent: Parent,
  closeTime: bigint,
  closed: readonly ClosedTransaction[],
  idPool: bigint,
): LedgerCloseMeta {
  const txSet = GeneralizedTransactionSet.v1TxSet(
    new TransactionSetV1({
      previousLedgerHash: parent.hash,
      phases: [
        TransactionPhase.v0Components([
          TxSetComponent.txsetCompTxsMaybeDiscountedFee(
            new TxSetComponentTxsMaybeDiscountedFee({
              baseFee,
              txs: closed.map(({ signed }) => signed.envelope),
            }),
          ),
        ]),
      ],
    }),
  );
  const txProcessing = closed.map(
    ({ signed, result, meta, feeChanges }) =>
      new TransactionResultMetaV1({
        ext: ExtensionPoint.v0(),
        result: new TransactionResultPair({ transactionHash: new Hash(signed.hash), result }),
        feeProcessing: feeChanges,
        txApplyProcessing: meta,
        postTxApplyFeeProcessing: [],
      }),
  );
  const results = new TransactionResultSet({ results: txProcessing.map(({ result }) => result) });
  const fees = closed.reduce((sum, { result }) => sum + result.feeCharged, 0n);
  const changed = txProcessing.map((processed) => processed.toXdr());
  const header = headerOf({
    previousLedgerHash: parent.hash,
    ledgerSeq: parent.header.ledgerSeq + 1,
    closeTime,
    txSetHash: sha256(txSet.toXdr()),
    txSetResultHash: sha256(results.toXdr()),
    // Not a bucket list's hash, but it changes with every change as one does.
    bucketListHash: sha256(Buffer.concat([parent.header.bucketListHash.value, ...changed])),
    feePool: parent.header.feePool + fees,
    idPool,
  });
  return LedgerCloseMeta.v2(
    new LedgerCloseMetaV2({
      ext: LedgerCloseMetaExt.v0(),
      ledgerHeader: new LedgerHeaderHistoryEntry({
        hash: sha256(header.toXdr()),
        header,
        ext: LedgerHeaderHistoryEntryExt.v0(),
      }),
      txSet,
      txProcessing,
      upgradesProcessing: [],
      scpInfo: [],
      totalByteSizeOfLiveSorobanState: 0n,
      evictedKeys: [],
    }),
  );
}

function headerOf({
  closeTime,
  txSetHash,
  ...fields
}: {
  readonly previousLedgerHash: Uint8Array;
  readonly ledgerSeq: number;
  readonly closeTime: bigint;
  readonly txSetHash: Uint8Array;
  readonly txSetResultHash: Uint8Array;
  readonly bucketListHash: Uint8Array;
  readonly feePool: bigint;
  readonly idPool: bigint;
}): LedgerHeader {
  return new LedgerHeader({
    ...fields,
    ledgerVersion: protocolVersion,
    scpValue: new StellarValue({
      txSetHash,
      closeTime,
      upgrades: [],
      ext: StellarValueExt.stellarValueBasic(),
    }),
    totalCoins,
    inflationSeq: 0,
    baseFee: Number(baseFee),
    baseReserve: Number(baseReserve),
    maxTxSetSize: 1_000,
    skipList: Array.from({ length: 4 }, () => Buffer.alloc(32)),
    ext: LedgerHeaderExt.v0(),
  });
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
