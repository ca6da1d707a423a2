import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { type HexAddress, toBase58 } from "./address.ts";
import { blockIntervalMs, type Executed } from "./block.ts";
import { checkSignature } from "./check-signature.ts";
import type { Evm } from "./evm.ts";
import type { TransactionInfo } from "./messages.ts";
import { executeNative, makesAccount } from "./native.ts";
import { addBalance, type BandwidthBill, type Context, payBandwidth } from "./resources.ts";
import { executeSmart, type SmartOutcome } from "./smart.ts";
import type { Draft } from "./state.ts";
import { contractIn, encodeTransaction, Refusal, type Transaction } from "./transaction.ts";

/** What a transaction is checked against besides the accounts. */
export type Past = {
  /** Bytes 8 to 16 of the id of the newest block whose number ends with these two bytes; null when there is none. */
  readonly referenceHash: (refBlockBytes: string) => string | null;
  readonly isIncluded: (txid: string) => boolean;
};

const sizeMax = 500 * 1024;
/** Bytes that java-tron adds for the result. */
const resultBytes = 64n;
const dayMs = 86_400_000n;

/**
 * Checks a transaction as java-tron does before it takes it, and executes it in the draft. Rejects with `Refusal`; the draft
 * is then worthless. A failed contract call is not refused: its result records the failure, and its energy is charged.
 */
export async function processTransaction(
  transaction: Transaction,
  draft: Draft,
  past: Past,
  evm: Evm,
  context: Context,
): Promise<Executed> {
  requireOneContract(transaction);
  checkReference(transaction, past);
  checkSizeAndTime(transaction, context);
  if (past.isIncluded(transaction.txid))
    throw new Refusal("DUP_TRANSACTION_ERROR", "Dup transaction.");
  checkSignature(transaction);
  const contract = contractIn(transaction);
  const bytes = BigInt(encodeTransaction(transaction).length / 2) + resultBytes;
  const makes = makesAccount(contract, draft);
  const bandwidth = payBandwidth(draft, contract.owner, bytes, makes, context);
  const memoFee = payMemo(transaction, draft, contract.owner, context);
  const paid = { transaction, bandwidth, memoFee, context };
  if (contract.type === "TriggerSmartContract" || contract.type === "CreateSmartContract") {
    const feeLimit = transaction.raw.fee_limit ?? 0n;
    const { txid } = transaction;
    const outcome = await executeSmart(draft, { contract, txid, feeLimit }, evm, context);
    return { transaction, result: outcome.result, info: smartInfo(paid, outcome) };
  }
  const fee = executeNative(draft, contract, context);
  return { transaction, result: "SUCCESS", info: nativeInfo(paid, fee) };
}

function requireOneContract({ raw, contract, txid }: Transaction): void {
  const count = raw.contract?.length ?? 0;
  if (count !== 1)
    throw new Refusal(
      "OTHER_ERROR",
      `tx ${txid} contract size should be exactly 1, this is extend feature ,actual :${count}`,
    );
  if (contract === null)
    throw new Refusal("OTHER_ERROR", "the simulated ledger does not execute this contract type");
}

function checkReference({ raw }: Transaction, past: Past): void {
  const hash = past.referenceHash(raw.ref_block_bytes ?? "");
  if (hash === null || hash !== raw.ref_block_hash)
    throw new Refusal("TAPOS_ERROR", "Tapos check error.");
}

function checkSizeAndTime(transaction: Transaction, { headTimestamp, settings }: Context): void {
  const size = encodeTransaction(transaction).length / 2;
  if (size > sizeMax)
    throw new Refusal(
      "TOO_BIG_TRANSACTION_ERROR",
      `Too big transaction, TxId ${transaction.txid}, the size is ${size} bytes, maxTxSize ${sizeMax}`,
    );
  const expiration = transaction.raw.expiration ?? 0n;
  const head = BigInt(headTimestamp);
  if (expiration <= head || expiration > head + dayMs) refuseExpired();
  // Before the proposal, a block could contain a transaction that had expired by its time.
  const isStrict = settings.parameters.getConsensusLogicOptimization === 1n;
  if (isStrict && expiration < head + BigInt(blockIntervalMs)) refuseExpired();
}

export function refuseExpired(): never {
  throw new Refusal("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
}

function payMemo(
  { raw }: Transaction,
  draft: Draft,
  owner: HexAddress,
  { settings }: Context,
): bigint {
  const fee = (raw.data ?? "") === "" ? 0n : settings.parameters.getMemoFee;
  if ((draft.accounts.get(owner)?.balance ?? 0n) < fee)
    throw new Refusal(
      "BANDWITH_ERROR",
      `account ${toBase58(owner)} insufficient balance[${fee}] to memo fee`,
    );
  if (fee > 0n) addBalance(draft, owner, -fee);
  return fee;
}

type Paid = {
  readonly transaction: Transaction;
  readonly bandwidth: BandwidthBill;
  readonly memoFee: bigint;
  readonly context: Context;
};

function nativeInfo(
  { transaction, bandwidth, memoFee, context }: Paid,
  fee: bigint,
): TransactionInfo {
  return {
    id: transaction.txid,
    fee: fee + bandwidth.fee + memoFee,
    blockNumber: BigInt(context.number),
    blockTimeStamp: BigInt(context.timestamp),
    contractResult: [""],
    receipt: { net_usage: bandwidth.usage, net_fee: bandwidth.fee },
  };
}

function smartInfo(paid: Paid, outcome: SmartOutcome): TransactionInfo {
  const { bandwidth, memoFee } = paid;
  const isFailed = outcome.result !== "SUCCESS";
  return {
    ...nativeInfo(paid, 0n),
    fee: outcome.fee + bandwidth.fee + memoFee,
    contractResult: [outcome.output],
    contract_address: outcome.contractAddress,
    receipt: {
      energy_usage: outcome.usage,
      energy_fee: outcome.fee,
      origin_energy_usage: outcome.originUsage,
      energy_usage_total: outcome.energy,
      net_usage: bandwidth.usage,
      net_fee: bandwidth.fee,
      result: outcome.result,
      energy_penalty_total: outcome.penalty,
    },
    log: outcome.logs,
    ...(isFailed
      ? { result: "FAILED" as const, resMessage: bytesToHex(utf8ToBytes(outcome.message)) }
      : {}),
    internal_transactions: outcome.internal.map((call) => ({
      ...call,
      hash: bytesToHex(keccak_256(hexToBytes(paid.transaction.txid + (call.hash ?? "")))),
    })),
  };
}
