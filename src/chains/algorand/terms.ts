import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { AskAlgod } from "./algod-node.ts";
import {
  type AlgorandCall,
  type AlgorandTransaction,
  buildTransaction,
  signedLength,
} from "./build-transaction.ts";
import { currentTerms, type Terms } from "./questions.ts";

/**
 * For how many rounds a transaction is valid, of the 1,000 that the network allows: about ten minutes, long enough for a failed node to come
 * back, but short, since the money of a lost transaction cannot be paid again before.
 */
export const validityRounds = 200;

/** Reads the terms of the next transactions. */
export function readTerms(ask: AskAlgod): Promise<Terms> {
  return ask(currentTerms);
}

/** The fee that the network takes for a call now: the least one, or by the bytes of the transaction while blocks are full. */
export function requiredFee(
  terms: Terms,
  call: AlgorandCall,
  lease: Uint8Array | null = null,
): bigint {
  const { minimumFee, feePerByte } = terms;
  if (feePerByte === 0n) return minimumFee;
  const bytes = buildTransaction(transactionOf(terms, call, minimumFee, lease));
  return maxBigInt(minimumFee, feePerByte * signedLength(bytes));
}

/** The transaction of a call under these terms. */
export function transactionOf(
  { round, genesisHash }: Terms,
  call: AlgorandCall,
  fee: bigint,
  lease: Uint8Array | null = null,
): AlgorandTransaction {
  return {
    call,
    fee,
    lease,
    genesisHash,
    firstValid: round,
    lastValid: round + validityRounds,
  };
}
