import type { JsonObject } from "../../../platform/kernel/json.ts";
import type { Ledger } from "../ledger.ts";
import { parameters } from "../parameters.ts";
import { printTransaction } from "../print-block.ts";
import type { Printable, PrintableObject } from "../print-json.ts";
import { code, Refusal } from "../refusal.ts";
import type { Transaction } from "../transaction.ts";
import { readId } from "./read-params.ts";

/** A connection's view of the pool. All but `acquire` throw `Refusal` without one. */
export type Mempool = {
  /** Takes a snapshot; with one already, waits until the pool is another one. */
  readonly acquire: (signal: AbortSignal) => Promise<PrintableObject>;
  readonly next: (params: JsonObject) => PrintableObject;
  readonly has: (params: JsonObject) => boolean;
  readonly size: () => PrintableObject;
  readonly release: () => PrintableObject;
};

type Snapshot = { readonly transactions: readonly Transaction[]; next: number };

/** Twice the space of a block. */
const capacity = 2 * parameters.maxBlockBodySize;

export function createMempool(ledger: Ledger): Mempool {
  let snapshot: Snapshot | null = null;
  const acquired = (): Snapshot => {
    if (snapshot === null)
      throw new Refusal(
        code.mustAcquireMempool,
        "A snapshot of the mempool has to be acquired first.",
      );
    return snapshot;
  };
  return {
    acquire: async (signal) => {
      const last = snapshot?.transactions ?? null;
      await changed(ledger, () => ledger.pool.transactions() !== last, signal);
      snapshot = { transactions: ledger.pool.transactions(), next: 0 };
      return { acquired: "mempool", slot: ledger.poolSlot() };
    },
    next: ({ fields }) => {
      const own = acquired();
      const transaction = own.transactions[own.next];
      own.next += 1;
      return {
        transaction: transaction === undefined ? null : printed(transaction, fields === "all"),
      };
    },
    has: ({ id }) => {
      const wanted = readId(id);
      return acquired().transactions.some((transaction) => transaction.id === wanted);
    },
    size: () => {
      const { transactions } = acquired();
      return {
        maxCapacity: { bytes: capacity },
        currentSize: { bytes: transactions.reduce((sum, { raw }) => sum + raw.length, 0) },
        transactions: { count: transactions.length },
      };
    },
    release: () => {
      acquired();
      snapshot = null;
      return { released: "mempool" };
    },
  };
}

/** Resolves once the condition is true, or the signal aborts. */
function changed(ledger: Ledger, condition: () => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = ledger.onChange(() => {
      wake();
    });
    const wake = (): void => {
      if (!condition() && !signal.aborted) return;
      stop();
      signal.removeEventListener("abort", wake);
      resolve();
    };
    signal.addEventListener("abort", wake);
    wake();
  });
}

function printed(transaction: Transaction, isWhole: boolean): Printable {
  return isWhole ? printTransaction(transaction) : { id: transaction.id };
}
