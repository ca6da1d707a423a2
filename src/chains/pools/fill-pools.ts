import type { Database } from "../../platform/db/database.ts";
import { assert, InvariantViolation, present } from "../../platform/kernel/assert.ts";
import { type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { indexEnd, issuedStepMax } from "../../signer/protocol.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import type { Addressing } from "../port.ts";
import {
  type AddressKind,
  addToPool,
  type PooledAddress,
  type PoolState,
  readPools,
  reserveIndexes,
  retirePool,
} from "./address-pool.store.ts";
import { createBatch } from "./create-batch.ts";
import { deriveBatch } from "./derive-batch.ts";

export type AddressPool = AddressKind & {
  readonly addressing: Addressing;
  /** Whether payers may be sent to the pool's addresses. The pool gets no addresses before. Absent: always. */
  readonly isOpen?: (signal: AbortSignal) => Promise<boolean>;
};

export type FillContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signer: Pick<SignerClient, "highestIssued" | "recordIssued" | "createKeys">;
  /** One per kind of address; chains of one keyspace share it. */
  readonly pools: readonly AddressPool[];
  /** Size of a full pool. */
  readonly size: number;
};

/**
 * Small enough that every pool has some addresses soon after a first start, large enough to share the signer's sync. A pool
 * that lacks this many is filled up.
 */
const batchSize = 64;

/** A pause after a batch lasts up to this many times as long as the batch. */
const pauseTimes = 3;
/** A batch may have waited long for the signer or the database. */
const pauseMsMax = 500;

/**
 * Fills low pools batch by batch, in turn, and resolves with the number of addresses added when all are full or `signal`
 * aborts. Pauses between batches, the longer the fuller the emptiest of them is: derivation takes a whole core, which requests need
 * more than a pool that has enough for now.
 *
 * An index is used once only: a batch begins after everything that the database or the signer's journal knows, is set aside in the
 * database, derived and checked, then recorded by the signer, which refuses recorded indexes, and only then becomes usable. Keys that
 * the signer creates are recorded before and checked after it answers. A crash in between skips indexes. Rejects with `InvariantViolation` when two libraries disagree on an address, with `Unavailable` without the
 * signer or the database.
 */
export async function fillPools(context: FillContext, signal: AbortSignal): Promise<number> {
  const { db, clock, pools, size } = context;
  await retireOutdatedPools(context);
  const enough = size - Math.min(batchSize, Math.ceil(size / 4)) + 1;
  const filling = new Set<AddressPool>();
  const closed = new Set<AddressPool>();
  let added = 0;
  for (;;) {
    const states = await readPools(db, pools, size);
    const freeOf = (pool: AddressPool): number => stateAt(states, pools.indexOf(pool)).free;
    // Also one that runs low while others are filled.
    const low = pools.filter((pool) => !closed.has(pool) && freeOf(pool) < enough);
    const found = low.filter((pool) => !filling.has(pool));
    const open = new Set(await openOnes(context, found, signal));
    for (const pool of found) (open.has(pool) ? filling : closed).add(pool);
    for (const pool of filling) if (freeOf(pool) >= size) filling.delete(pool);
    if (filling.size === 0) return added;
    const share = Math.min(...[...filling].map(freeOf)) / size;
    for (const pool of filling) {
      if (signal.aborted) return added;
      const begunAt = clock.now();
      added += await addBatch(context, pool, stateAt(states, pools.indexOf(pool)));
      const tookMs = secondsBetween(begunAt, clock.now()) * 1000;
      await clock.sleep(Math.min(pauseTimes * share * tookMs, pauseMsMax), signal);
    }
  }
}

/** Without the pools that are not open yet, or whose nodes do not say so. */
async function openOnes(
  { logger }: FillContext,
  pools: readonly AddressPool[],
  signal: AbortSignal,
): Promise<readonly AddressPool[]> {
  const isOpenNow = async ({ keyspace, addressType, isOpen }: AddressPool): Promise<boolean> => {
    try {
      return isOpen === undefined || (await isOpen(signal));
    } catch (error) {
      if (error instanceof InvariantViolation) throw error;
      if (!signal.aborted)
        logger.warn("an address pool waits for its chain's nodes", {
          keyspace,
          addressType,
          error: errorMessage(error),
        });
      return false;
    }
  };
  const areOpen = await Promise.all(pools.map(isOpenNow));
  return pools.filter((_, index) => areOpen[index] === true);
}

/**
 * A database that never set aside what the signer recorded is older than the signer: restored from a backup, or a lagging
 * replica. Its unused addresses may have been issued since, so they are discarded. Set aside but missing is what a crash, or a failover
 * before the insert was committed, leaves behind: it costs those indexes alone. The signer is read first, because other workers fill
 * the pools in the meantime.
 */
async function retireOutdatedPools({ db, logger, signer, pools }: FillContext): Promise<void> {
  const recorded = await Promise.all(
    pools.map(({ keyspace, addressType }) => signer.highestIssued(keyspace, addressType)),
  );
  const states = await readPools(db, pools, 1);
  for (const [index, { keyspace, addressType }] of pools.entries()) {
    const { free, highestIndex, reservedIndex } = stateAt(states, index);
    const known = Math.max(highestIndex ?? -1, reservedIndex ?? -1);
    if (free === 0 || (recorded[index] ?? -1) <= known) continue;
    const retired = await retirePool(db, { keyspace, addressType });
    logger.warn(
      "the database is older than the signer's journal: its waiting addresses are retired",
      {
        keyspace,
        addressType,
        retired,
      },
    );
  }
}

async function addBatch(
  context: FillContext,
  pool: AddressPool,
  { free, highestIndex }: PoolState,
): Promise<number> {
  const { db, clock, logger, signer } = context;
  const { keyspace, addressType } = pool;
  const recorded = await signer.highestIssued(keyspace, addressType);
  const count = Math.min(batchSize, context.size - free);
  const unused = Math.max(highestIndex ?? -1, recorded ?? -1) + 1;
  const first = await reserveIndexes(db, pool, { first: unused, count });
  assert(first + count <= indexEnd, `the account key of ${keyspace} ${addressType} is used up`);
  const range = { keyspace, addressType, first, last: first + count - 1 };
  const { addressing } = pool;
  let batch: readonly PooledAddress[] | null;
  if (addressing.source === "created") {
    await catchUpJournal(signer, pool, recorded ?? -1, first);
    batch = await createBatch(signer, addressing, range);
  } else {
    const derived = await deriveBatch(addressing, addressType, { first, count }, clock);
    await catchUpJournal(signer, pool, recorded ?? -1, first);
    batch = (await signer.recordIssued(range)).kind === "refused" ? null : derived;
  }
  if (batch === null) {
    // Another worker recorded them first: the next round starts after them.
    logger.debug("address indexes were taken", { ...range });
    return 0;
  }
  await addToPool(db, pool, batch, clock.now());
  return count;
}

/**
 * A signer whose journal was lost or is older than the database refuses ranges far above its highest index: so the database's
 * indexes are recorded first, in steps.
 */
async function catchUpJournal(
  signer: FillContext["signer"],
  { keyspace, addressType }: AddressKind,
  recorded: number,
  first: number,
): Promise<void> {
  let highest = recorded;
  while (first + batchSize - highest > issuedStepMax) {
    const last = Math.min(highest + issuedStepMax, first - 1);
    const range = { keyspace, addressType, first: highest + 1, last };
    const outcome = await signer.recordIssued(range);
    highest = outcome.kind === "refused" ? outcome.highest : last;
  }
}

function stateAt(states: readonly PoolState[], index: number): PoolState {
  return present(states[index], "a state for each pool");
}
