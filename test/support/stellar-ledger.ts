import { createHash } from "node:crypto";
import {
  GeneralizedTransactionSet,
  Hash,
  LedgerCloseMeta,
  LedgerCloseMetaV2,
  LedgerHeaderHistoryEntry,
  type TransactionEnvelope,
  type TransactionMeta,
  TransactionPhase,
  type TransactionResult,
  TransactionResultMetaV1,
  TransactionResultPair,
  TransactionResultSet,
  TransactionSetV1,
  TxSetComponent,
  TxSetComponentTxsMaybeDiscountedFee,
} from "@stellar/stellar-sdk/xdr";
import { networkIdOf, readEnvelope } from "../../src/chains/stellar/transaction.ts";
import recorded from "../recorded/stellar-ledgers-848581.json" with { type: "json" };

/** A transaction with its outcome, as the network executed it. */
export type ExecutedEnvelope = {
  readonly envelope: TransactionEnvelope;
  readonly result: TransactionResult;
  readonly meta: TransactionMeta;
};

/** A closed ledger of these transactions, with the first recorded header changed to have their results. */
export function closeLedger(
  passphrase: string,
  executed: readonly ExecutedEnvelope[],
): LedgerCloseMeta {
  const [first] = recorded.ledgers;
  const model = LedgerCloseMeta.fromXdr(first!.metadataXdr, "base64") as Extract<
    LedgerCloseMeta,
    { readonly type: "v2" }
  >;
  const networkId = networkIdOf(passphrase);
  const txProcessing = executed.map(
    ({ envelope, result, meta }) =>
      new TransactionResultMetaV1({
        ext: model.v2.txProcessing[0]!.ext,
        result: new TransactionResultPair({
          transactionHash: new Hash(readEnvelope(envelope, networkId).txid),
          result,
        }),
        feeProcessing: [],
        txApplyProcessing: meta,
        postTxApplyFeeProcessing: [],
      }),
  );
  return LedgerCloseMeta.v2(
    new LedgerCloseMetaV2({
      ext: model.v2.ext,
      upgradesProcessing: [],
      scpInfo: [],
      totalByteSizeOfLiveSorobanState: 0n,
      evictedKeys: [],
      ledgerHeader: headed(model.v2.ledgerHeader, txProcessing),
      txSet: GeneralizedTransactionSet.v1TxSet(
        new TransactionSetV1({
          previousLedgerHash: model.v2.ledgerHeader.header.previousLedgerHash,
          phases: [
            TransactionPhase.v0Components([
              TxSetComponent.txsetCompTxsMaybeDiscountedFee(
                new TxSetComponentTxsMaybeDiscountedFee({
                  baseFee: null,
                  txs: executed.map(({ envelope }) => envelope),
                }),
              ),
            ]),
          ],
        }),
      ),
      txProcessing,
    }),
  );
}

function headed(
  { header, ext }: LedgerHeaderHistoryEntry,
  processed: readonly TransactionResultMetaV1[],
): LedgerHeaderHistoryEntry {
  const results = new TransactionResultSet({ results: processed.map(({ result }) => result) });
  const changed = Object.assign(Object.create(Object.getPrototypeOf(header) as object), header, {
    txSetResultHash: new Hash(sha256(results.toXdr())),
  }) as typeof header;
  return new LedgerHeaderHistoryEntry({
    hash: new Hash(sha256(changed.toXdr())),
    header: changed,
    ext,
  });
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
