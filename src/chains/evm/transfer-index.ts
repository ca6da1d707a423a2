/*
 * A transfer's place inside its transaction, one number for two kinds of place that never collide and that do not change
 * when another block includes the transaction:
 *
 *   0            the transaction's own value
 *   1, 3, 5, ..  logs: 2i + 1 for the log whose `logIndex` is i above that of the transaction's first log (`logIndex` itself counts
 *                through the block, and shifts when another block includes the transaction)
 *   2, 4, 6, ..  value moved by contracts: 2j for the j-th such move in the order of execution, from 1
 */

export const ownValueIndex = 0;

/** `place` is `EvmLog.place`: it counts all logs of the transaction, including those that are not transfers. */
export function logIndex(place: number): number {
  return 2 * place + 1;
}

/** `ordinal` counts the moves that `internal-transfers.ts` lists, from 1. */
export function internalTransferIndex(ordinal: number): number {
  return 2 * ordinal;
}
