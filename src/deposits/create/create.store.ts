import type { AvailabilityRow } from "../../currencies/availability-row.ts";
import type { Availability } from "../../currencies/decide-availability.ts";
import { assertAdmitted } from "../../platform/db/admission.ts";
import { answersByPlace } from "../../platform/db/answers-by-place.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { createdDeposit, type Deposit } from "../deposit.ts";
import { type CreationFacts, type FactsKey, readCreationFacts } from "./creation-facts.store.ts";
import { type OpenLocksLimit, withGrantedLocks } from "./grant-locks.ts";
import {
  batchMax,
  inputRows,
  insertKeyed,
  insertUnkeyed,
  type KeyedDeposit,
  type NewDeposit,
} from "./insert-deposits.store.ts";

/** Inserts one deposit in the caller's transaction; null when the pool has no address of the kind, or none may be issued yet. */
export async function insertDeposit(tx: Executor, deposit: NewDeposit): Promise<Deposit | null> {
  const [row] = await tx.query(insertUnkeyed, [JSON.stringify(inputRows([deposit]))]);
  return row === undefined ? null : createdDeposit(deposit, row);
}

/** Reads and writes of deposit creation; concurrent calls share a statement. */
export type DepositWriter = {
  /** Null when the account has no such wallet. */
  readonly readFacts: (key: FactsKey) => Promise<CreationFacts | null>;
  /** Null when the pool has no address of the kind, or when none may be issued yet: then `assertAdmitted` rejects. */
  readonly create: (deposit: NewDeposit) => Promise<Deposit | null>;
  /**
   * The same with an idempotency key, recorded with the deposit. `keyUsed`: the key is already in force, and no deposit was
   * created.
   */
  readonly createOnce: (order: KeyedDeposit) => Promise<Deposit | "keyUsed" | null>;
  /** Rejects with `Unavailable` while it is unknown whether the database is the newest one. */
  readonly assertAdmitted: () => Promise<void>;
};

/**
 * `judge` returns whether a currency (its id; null before one is chosen) can pay a deposit. A deposit whose lock does not fit
 * `openLocks` is created without one; null: every lock is granted.
 */
export function createDepositWriter(
  db: Database,
  judge: (currency: string | null, row: AvailabilityRow) => Availability,
  openLocks: OpenLocksLimit | null = null,
): DepositWriter {
  const limits = { slots: 2, maxSize: batchMax };
  return {
    readFacts: microBatch((keys) => readCreationFacts(db, keys, judge), limits),
    create: microBatch(async (deposits) => {
      return withGrantedLocks(db, openLocks, deposits, async (executor, bounded) => {
        const rows = await executor.query(insertUnkeyed, [JSON.stringify(inputRows(bounded))]);
        return answersByPlace(bounded, rows, (row, deposit) =>
          row === null ? null : createdDeposit(deposit, row),
        );
      });
    }, limits),
    createOnce: microBatch(async (orders) => {
      const deposits = orders.map(({ deposit }) => deposit);
      return withGrantedLocks(db, openLocks, deposits, async (executor, bounded) => {
        const keys = orders.map(({ creationKey }) => creationKey);
        const rows = await executor.query(insertKeyed, [JSON.stringify(inputRows(bounded, keys))]);
        return answersByPlace(bounded, rows, (row, deposit) => {
          if (row === null) return null;
          return row.is_key_used ? "keyUsed" : createdDeposit(deposit, row);
        });
      });
    }, limits),
    assertAdmitted: () => assertAdmitted(db),
  };
}
