import { present } from "../../platform/kernel/assert.ts";
import { type Clock, microsPerSecond } from "../../platform/kernel/clock.ts";
import { applyGroup, verifyGroup } from "./apply.ts";
import type { AppliedTransaction } from "./apply-data.ts";
import { type Block, genesisBlock, nextBlock } from "./block.ts";
import { allocate, firstGroup, type Network } from "./genesis.ts";
import type { Entry, Journal } from "./journal.ts";
import { Refusal, refuse } from "./refusal.ts";
import { rules } from "./rules.ts";
import { createState, type Draft } from "./state.ts";
import {
  encodeSigned,
  readSignedTransactions,
  type SignedTransaction,
  transactionId,
} from "./transaction.ts";

export type Found =
  | { readonly kind: "confirmed"; readonly block: Block; readonly applied: AppliedTransaction }
  | {
      readonly kind: "pool";
      readonly signed: SignedTransaction;
      /** Why the pool gave it up; empty while it waits. */
      readonly poolError: string;
    };

type Group = {
  readonly signed: readonly SignedTransaction[];
  readonly applied: readonly AppliedTransaction[];
};

/** A simulated network of one node. Blocks are final. */
export type Ledger = {
  readonly network: Network;
  readonly newest: () => Block;
  /** Null for a block that there is not, or not any more. */
  readonly at: (round: bigint) => Block | null;
  /** The state after the newest block. */
  readonly state: () => Omit<Draft, "commit">;
  /** By transaction id: in the pool, or in one of the last thousand blocks. */
  readonly find: (txid: string) => Found | null;
  readonly waiting: () => readonly SignedTransaction[];
  /** What a transaction has to pay per byte; 0 unless the pool is full. */
  readonly feePerByte: () => bigint;
  /** Takes a group for the next block, or rejects with `Refusal`. */
  readonly submit: (group: readonly SignedTransaction[]) => Promise<void>;
  /** Adds so many blocks, each at least so many seconds younger than the one before it, also ahead of the clock. */
  readonly close: (count: number, seconds?: number) => Promise<Block>;
  /** Resolves when there is a block of that round, or when the signal says so. */
  readonly waitFor: (round: bigint, signal: AbortSignal) => Promise<void>;
  readonly setFeePerByte: (microAlgos: bigint) => void;
  /** The pool gives up what waits in it. */
  readonly evict: () => Promise<void>;
  /** Takes so many groups and drops them. */
  readonly swallow: (count: number) => void;
  /** The node has no blocks before that round any more. */
  readonly forget: (before: bigint) => void;
};

const evictedError = "transaction was evicted from the pool of the simulated node";

/** Continues the chain of a journal, or begins one. */
export async function openLedger(
  { entries, journal }: { readonly entries: readonly Entry[]; readonly journal: Journal },
  network: Network,
  clock: Clock,
): Promise<Ledger> {
  const state = createState();
  allocate(state);
  state.commit();
  const blocks: Block[] = [genesisBlock(network, state.counter())];
  const newest = (): Block => present(blocks.at(-1), "a block");
  const nextRound = (): bigint => newest().round + 1n;
  const evicted = new Map<string, SignedTransaction>();
  const waiters = new Set<() => void>();
  /** The pool: what the next block contains so far, and the state after it. */
  let pool: readonly Group[] = [];
  let draft = state.nested();
  let feePerByte = 0n;
  let toSwallow = 0;
  let oldest = 0n;

  const take = (signed: readonly SignedTransaction[], on: Draft): Group => ({
    signed,
    applied: applyGroup(on, signed, { network, round: nextRound() }),
  });
  const add = (timestamp: number, groups: readonly Group[]): void => {
    const transactions = groups.flatMap(({ applied }) => applied);
    const counter = state.counter();
    blocks.push(nextBlock(network, newest(), { timestamp, transactions, counter }));
    pool = [];
    draft = state.nested();
    for (const wake of waiters) wake();
  };
  const closeNext = async (seconds = 0): Promise<void> => {
    const now = Math.floor(clock.now() / microsPerSecond);
    const timestamp = Math.max(now, newest().timestamp + seconds);
    const groups = pool.map(({ signed }) => signed.map(encodedText));
    // In the file before anyone sees it.
    await journal.append({ timestamp, groups });
    draft.commit();
    add(timestamp, pool);
  };

  for (const { groups, timestamp } of entries) {
    const taken = groups.map((group) => take(group.flatMap(readText), state));
    state.commit();
    add(timestamp, taken);
  }
  if (blocks.length === 1) {
    pool = [take(firstGroup(), draft)];
    await closeNext();
  }

  let last: Promise<unknown> = Promise.resolve();
  /** What changes the pool waits until a block that is being written is there. */
  const inTurn = <Done>(work: () => Done | Promise<Done>): Promise<Done> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const remember = (group: readonly SignedTransaction[]): void => {
    checkFeePerByte(group, feePerByte);
    const within = draft.nested();
    const taken = take(group, within);
    if (toSwallow > 0) {
      toSwallow -= 1;
      return;
    }
    within.commit();
    pool = [...pool, taken];
  };
  return {
    network,
    newest,
    at: (round) => (round < oldest ? null : (blocks[Number(round)] ?? null)),
    state: () => state,
    find: (txid) => {
      const round = state.rounds.get(txid);
      if (round !== null) {
        const block = present(blocks[Number(round)], "the block of a transaction");
        const applied = block.transactions.find(({ txn }) => transactionId(txn) === txid);
        const isRecent = round + rules.lifeMax >= newest().round;
        return applied !== undefined && isRecent ? { kind: "confirmed", block, applied } : null;
      }
      const signed = pool
        .flatMap((group) => group.signed)
        .find(({ txn }) => transactionId(txn) === txid);
      if (signed !== undefined) return { kind: "pool", signed, poolError: "" };
      const lost = evicted.get(txid);
      return lost === undefined ? null : { kind: "pool", signed: lost, poolError: evictedError };
    },
    waiting: () => pool.flatMap((group) => group.signed),
    feePerByte: () => feePerByte,
    submit: (group) =>
      inTurn(() => {
        verifyGroup(group, network);
        try {
          remember(group);
        } catch (error) {
          if (error instanceof Refusal) refuse(`TransactionPool.Remember: ${error.message}`);
          throw error;
        }
      }),
    close: (count, seconds) =>
      inTurn(async () => {
        for (let closed = 0; closed < count; closed += 1) await closeNext(seconds);
        return newest();
      }),
    waitFor: (round, signal) =>
      new Promise((resolve) => {
        const finish = (): void => {
          waiters.delete(wake);
          signal.removeEventListener("abort", finish);
          resolve();
        };
        const wake = (): void => {
          if (newest().round >= round) finish();
        };
        waiters.add(wake);
        signal.addEventListener("abort", finish);
        if (signal.aborted) finish();
        wake();
      }),
    setFeePerByte: (microAlgos) => {
      feePerByte = microAlgos;
    },
    evict: () =>
      inTurn(() => {
        for (const signed of pool.flatMap((group) => group.signed))
          evicted.set(transactionId(signed.txn), signed);
        pool = [];
        draft = state.nested();
      }),
    swallow: (count) => {
      toSwallow = count;
    },
    forget: (before) => {
      oldest = before;
    },
  };
}

function checkFeePerByte(group: readonly SignedTransaction[], perByte: bigint): void {
  for (const signed of group) {
    const { length } = encodeSigned(signed);
    const { fee = 0n } = signed.txn;
    const threshold = perByte * BigInt(length);
    if (fee < threshold)
      refuse(`fee ${fee} below threshold ${threshold} (${perByte} per byte * ${length} bytes)`);
  }
}

function encodedText(signed: SignedTransaction): string {
  return Buffer.from(encodeSigned(signed)).toString("base64");
}

function readText(text: string): readonly SignedTransaction[] {
  return readSignedTransactions(Uint8Array.from(Buffer.from(text, "base64")));
}
