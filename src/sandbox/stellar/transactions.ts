import { createHash } from "node:crypto";
import { Keypair, StrKey } from "@stellar/stellar-sdk/base";
import {
  type DecoratedSignature,
  ExtensionPoint,
  type FeeBumpTransaction,
  Hash,
  InnerTransactionResult,
  InnerTransactionResultExt,
  InnerTransactionResultPair,
  InnerTransactionResultResult,
  type LedgerEntryChange,
  OperationMetaV2,
  type OperationResult,
  PublicKey,
  type Transaction,
  type TransactionEnvelope,
  TransactionMeta,
  TransactionMetaV4,
  TransactionResult,
  TransactionResultExt,
  TransactionResultResult,
} from "@stellar/stellar-sdk/xdr";
import { accountOf, changedAccount, spendableOf } from "./entries.ts";
import { executeOperation, hasSucceeded } from "./operations.ts";
import type { Sponsors } from "./sponsorship.ts";
import type { Draft } from "./state.ts";

/** Stroops per operation; the network asks for no more than this while its ledgers are not full. */
export const baseFee = 100n;

/** A signed transaction; `bump` is the fee-bump transaction around it. */
export type Signed = {
  readonly envelope: TransactionEnvelope;
  readonly hash: Uint8Array;
  readonly transaction: Transaction;
  readonly signatures: readonly DecoratedSignature[];
  readonly source: PublicKey;
  readonly feeSource: PublicKey;
  readonly fee: bigint;
  readonly feeOperations: bigint;
  readonly bump: {
    readonly transaction: FeeBumpTransaction;
    readonly innerHash: Uint8Array;
    readonly signatures: readonly DecoratedSignature[];
  } | null;
};

const envelopeTypes = { tx: 2, feeBump: 5 };

/** Null for the envelope of a transaction before protocol 13, which nobody builds any more. */
export function readSigned(envelope: TransactionEnvelope, networkId: Uint8Array): Signed | null {
  if (envelope.type === "envelopeTypeTxV0") return null;
  const inner = envelope.type === "envelopeTypeTx" ? envelope.v1 : envelope.feeBump.tx.innerTx.v1;
  const { tx, signatures } = inner;
  const innerHash = hashOf(envelopeTypes.tx, tx.toXdr(), networkId);
  const source = accountOf(tx.sourceAccount);
  const count = BigInt(tx.operations.length);
  const plain = { envelope, transaction: tx, signatures, source };
  if (envelope.type === "envelopeTypeTx")
    return {
      ...plain,
      hash: innerHash,
      feeSource: source,
      fee: BigInt(tx.fee),
      feeOperations: count,
      bump: null,
    };
  const { tx: bump } = envelope.feeBump;
  return {
    ...plain,
    hash: hashOf(envelopeTypes.feeBump, bump.toXdr(), networkId),
    feeSource: accountOf(bump.feeSource),
    fee: bump.fee,
    feeOperations: count + 1n,
    bump: { transaction: bump, innerHash, signatures: envelope.feeBump.signatures },
  };
}

function hashOf(type: number, body: Uint8Array, networkId: Uint8Array): Uint8Array {
  const tag = Buffer.alloc(4);
  tag.writeUInt32BE(type);
  return createHash("sha256").update(networkId).update(tag).update(body).digest();
}

/** Why a transaction is not valid in a ledger that closes at that time; null if it is. */
export function checkTransaction(
  signed: Signed,
  draft: Draft,
  closeTime: bigint,
): TransactionResultResult | null {
  const { transaction, source, feeSource, fee, feeOperations } = signed;
  const Result = TransactionResultResult;
  if (transaction.operations.length === 0) return Result.txMissingOperation();
  const bounds = timeBoundsOf(transaction);
  if (bounds !== null && closeTime < bounds.minTime) return Result.txTooEarly();
  if (bounds !== null && bounds.maxTime !== 0n && closeTime > bounds.maxTime)
    return Result.txTooLate();
  if (fee < baseFee * feeOperations) return Result.txInsufficientFee();
  const account = draft.account(source);
  const payer = draft.account(feeSource);
  if (account === null || payer === null) return Result.txNoAccount();
  if (account.seqNum + 1n !== transaction.seqNum) return Result.txBadSeq();
  if (spendableOf(payer) < fee) return Result.txInsufficientBalance();
  return checkSignatures(signed);
}

function timeBoundsOf({ cond }: Transaction): {
  readonly minTime: bigint;
  readonly maxTime: bigint;
} | null {
  if (cond.type === "precondTime") return cond.timeBounds;
  return cond.type === "precondV2" ? cond.v2.timeBounds : null;
}

/** Each account signs with its own key; a signature that none of them needs is refused as well. */
function checkSignatures({
  hash,
  transaction,
  signatures,
  source,
  feeSource,
  bump,
}: Signed): TransactionResultResult | null {
  const operators = transaction.operations.flatMap(({ sourceAccount }) =>
    sourceAccount === null ? [] : [accountOf(sourceAccount)],
  );
  const innerFault = faultOf([source, ...operators], signatures, bump?.innerHash ?? hash);
  const outerFault = bump === null ? null : faultOf([feeSource], bump.signatures, hash);
  const fault = innerFault ?? outerFault;
  if (fault === null) return null;
  return fault === "missing"
    ? TransactionResultResult.txBadAuth()
    : TransactionResultResult.txBadAuthExtra();
}

function faultOf(
  signers: readonly PublicKey[],
  signatures: readonly DecoratedSignature[],
  hash: Uint8Array,
): "missing" | "extra" | null {
  const used = new Set<DecoratedSignature>();
  for (const { ed25519 } of signers) {
    const keys = Keypair.fromPublicKey(StrKey.encodeEd25519PublicKey(ed25519.value));
    const found = signatures.find(
      ({ hint, signature }) =>
        Buffer.from(hint.value).equals(ed25519.value.subarray(-4)) &&
        keys.verify(hash, signature.value),
    );
    if (found === undefined) return "missing";
    used.add(found);
  }
  return used.size < signatures.length ? "extra" : null;
}

/** Takes the fee, before any transaction of the ledger is executed. */
export function chargeFee(
  { feeSource, feeOperations }: Signed,
  draft: Draft,
  ledger: number,
): bigint {
  const charged = baseFee * feeOperations;
  const payer = draft.account(feeSource);
  if (payer !== null)
    draft.put(changedAccount(payer, { balance: payer.balance - charged }, ledger));
  return charged;
}

export type Executed = {
  readonly signed: Signed;
  readonly result: TransactionResult;
  readonly meta: TransactionMeta;
};

/** Uses the sequence and executes the operations: all of them, or none if one fails. */
export function executeTransaction(
  signed: Signed,
  draft: Draft,
  {
    ledger,
    closeTime,
    feeCharged,
  }: { readonly ledger: number; readonly closeTime: bigint; readonly feeCharged: bigint },
): Executed {
  const { transaction, source } = signed;
  const before = draft.nested();
  const account = before.account(source);
  if (account !== null) before.put(changedAccount(account, { seqNum: transaction.seqNum }, ledger));
  const txChangesBefore = before.changes();
  before.commit();
  const all = draft.nested();
  const results: OperationResult[] = [];
  const changes: LedgerEntryChange[][] = [];
  const sponsors: Sponsors = new Map();
  for (const [index, operation] of transaction.operations.entries()) {
    const step = all.nested();
    const id = { source, sequence: transaction.seqNum, index };
    const result = executeOperation(operation, { draft: step, ledger, closeTime, sponsors, id });
    results.push(result);
    if (!hasSucceeded(result)) continue;
    changes.push(step.changes());
    step.commit();
  }
  const isSuccess = results.every(hasSucceeded) && sponsors.size === 0;
  if (isSuccess) all.commit();
  const isUnended = results.every(hasSucceeded) && !isSuccess;
  const outcome = isUnended ? "txBadSponsorship" : isSuccess ? "txSuccess" : "txFailed";
  return {
    signed,
    result: resultOf(signed, feeCharged, outcome, results),
    meta: metaOf(txChangesBefore, isSuccess ? changes : []),
  };
}

/** The result of a transaction that is not valid. */
export function refusal(result: TransactionResultResult): TransactionResult {
  return new TransactionResult({ feeCharged: 0n, result, ext: TransactionResultExt.v0() });
}

function resultOf(
  { bump }: Signed,
  feeCharged: bigint,
  outcome: "txSuccess" | "txFailed" | "txBadSponsorship",
  results: OperationResult[],
): TransactionResult {
  const ext = TransactionResultExt.v0();
  if (bump === null)
    return new TransactionResult({
      feeCharged,
      result: outcomeIn(TransactionResultResult, outcome, results),
      ext,
    });
  const inner = new InnerTransactionResultPair({
    transactionHash: new Hash(bump.innerHash),
    result: new InnerTransactionResult({
      feeCharged: 0n,
      result: outcomeIn(InnerTransactionResultResult, outcome, results),
      ext: InnerTransactionResultExt.v0(),
    }),
  });
  const result =
    outcome === "txSuccess"
      ? TransactionResultResult.txFeeBumpInnerSuccess(inner)
      : TransactionResultResult.txFeeBumpInnerFailed(inner);
  return new TransactionResult({ feeCharged, result, ext });
}

/** A transaction and one inside a fee-bump transaction have results of the same names, in different types. */
function outcomeIn<Success, Failure, Refusal>(
  type: {
    readonly txSuccess: (results: OperationResult[]) => Success;
    readonly txFailed: (results: OperationResult[]) => Failure;
    readonly txBadSponsorship: () => Refusal;
  },
  outcome: "txSuccess" | "txFailed" | "txBadSponsorship",
  results: OperationResult[],
): Success | Failure | Refusal {
  return outcome === "txBadSponsorship" ? type.txBadSponsorship() : type[outcome](results);
}

function metaOf(
  txChangesBefore: LedgerEntryChange[],
  operations: readonly LedgerEntryChange[][],
): TransactionMeta {
  const ext = ExtensionPoint.v0();
  return TransactionMeta.v4(
    new TransactionMetaV4({
      ext,
      txChangesBefore,
      operations: operations.map((changes) => new OperationMetaV2({ ext, changes, events: [] })),
      txChangesAfter: [],
      sorobanMeta: null,
      events: [],
      diagnosticEvents: [],
    }),
  );
}
