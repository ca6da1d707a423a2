import type { Chain } from "./chain.ts";
import {
  consumedBy,
  type Output,
  type OutputReference,
  producedBy,
  referenceKey,
  type Transaction,
} from "./transaction.ts";

/** The transactions that wait for a block, in the order of their arrival. */
export type Pool = {
  readonly transactions: () => readonly Transaction[];
  /** An output that is unspent after the pool's transactions; null for any other reference. */
  readonly find: (reference: OutputReference) => Output | null;
  readonly add: (transaction: Transaction) => void;
  /** Keeps those that are still possible in a slot, with others before them. */
  readonly rebuild: (before: readonly Transaction[], slot: number) => void;
  readonly clear: () => void;
};

export function createPool(chain: Chain): Pool {
  let transactions: readonly Transaction[] = [];
  const spent = new Set<string>();
  const created = new Map<string, Output>();

  const find = (reference: OutputReference): Output | null => {
    const key = referenceKey(reference);
    if (spent.has(key)) return null;
    const entry = chain.entry(reference);
    return entry !== null && entry.spent === null ? entry.output : (created.get(key) ?? null);
  };
  const add = (transaction: Transaction): void => {
    transactions = [...transactions, transaction];
    for (const reference of consumedBy(transaction)) spent.add(referenceKey(reference));
    for (const [reference, output] of producedBy(transaction))
      created.set(referenceKey(reference), output);
  };
  const clear = (): void => {
    transactions = [];
    spent.clear();
    created.clear();
  };
  return {
    transactions: () => transactions,
    find,
    add,
    clear,
    rebuild: (before, slot) => {
      const candidates = [...before, ...transactions];
      clear();
      for (const transaction of candidates)
        if (
          isTimely(transaction, slot) &&
          referencesOf(transaction).every((one) => find(one) !== null)
        )
          add(transaction);
    },
  };
}

/** Whether the transaction is valid in the slot. */
function isTimely({ invalidAfter, invalidBefore }: Transaction, slot: number): boolean {
  return (
    (invalidBefore === null || BigInt(slot) >= invalidBefore) &&
    (invalidAfter === null || BigInt(slot) < invalidAfter)
  );
}

/** All outputs that a transaction refers to. */
export function referencesOf({
  collaterals,
  inputs,
  references,
}: Transaction): readonly OutputReference[] {
  return [...inputs, ...collaterals, ...references];
}
