import { assert } from "../../platform/kernel/assert.ts";
import {
  type Clock,
  type Instant,
  instantFromSeconds,
  microsPerSecond,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import type { BlockContent } from "./block.ts";
import { CborError } from "./cbor.ts";
import { type Chain, type ChangingChain, createChain } from "./chain.ts";
import { explain } from "./explain.ts";
import { firstTransaction, genesisOutputs } from "./genesis.ts";
import { hex, unhex } from "./hash.ts";
import type { Entry, Journal } from "./journal.ts";
import { parameters } from "./parameters.ts";
import { createPool, type Pool, referencesOf } from "./pool.ts";
import { code, Refusal } from "./refusal.ts";
import { loadRules, type Rules } from "./rules.ts";
import { readTransaction, type Transaction } from "./transaction.ts";

export type MineOptions = {
  readonly blocks: number;
  /** How many slots each block comes after the one before it, at least. */
  readonly slots: number;
  /** Whether the pool's transactions wait on. */
  readonly isEmpty: boolean;
};

export type ReorgOptions = {
  readonly depth: number;
  /** How many blocks replace the dropped ones. */
  readonly blocks: number;
  /** Whether the dropped transactions wait for a block again, are in the new blocks, or are gone. */
  readonly transactions: "wait" | "include" | "drop";
};

/** A Cardano network of one node. Commands wait for each other. */
export type Ledger = Chain & {
  /** The time of slot 0. */
  readonly startTime: Instant;
  readonly rules: Rules;
  readonly pool: Pick<Pool, "transactions" | "find">;
  /** The slot that the pool is checked for: the one after the tip's, as a node does it. */
  readonly poolSlot: () => number;
  /** Resolves with the transaction's id. Rejects with `Refusal`. */
  readonly submit: (raw: Uint8Array) => Promise<string>;
  readonly mine: (options: MineOptions) => Promise<void>;
  readonly reorg: (options: ReorgOptions) => Promise<void>;
  /** Empties the pool. */
  readonly evict: () => Promise<void>;
  /** Answers so many transactions with success, and forgets them. */
  readonly swallow: (count: number) => void;
  /** Calls back after each change of the chain or the pool, until the returned function is called. */
  readonly onChange: (listener: () => void) => () => void;
};

type Opened = { readonly entries: readonly Entry[]; readonly journal: Journal };
type LedgerWorld = { readonly clock: Clock; readonly random: Random };

const saltBytes = 8;
/** What the header and the lists of a block take of the space for its body. */
const blockOverhead = 1_000;

/** Continues the blocks of a journal, or begins a chain. */
export async function openLedger(opened: Opened, world: LedgerWorld): Promise<Ledger> {
  const { journal } = opened;
  const { clock, random } = world;
  const { chain, startTime } = restore(opened, world);
  const rules = await loadRules(startTime);
  const pool = createPool(chain);
  const listeners = new Set<() => void>();
  let toSwallow = 0;
  const inTurn = createTurns();

  const tipSlot = (): number => chain.tip()?.slot ?? -1;
  const clockSlot = (): number => Math.floor(secondsBetween(startTime, clock.now()));
  const poolSlot = (): number => tipSlot() + 1;

  /** The caller writes the entry to the journal before anybody can see the block. */
  const push = (content: BlockContent): Entry => {
    chain.push(content);
    const { salt, slot, transactions } = content;
    return { kind: "block", slot, salt, transactions: transactions.map(({ raw }) => hex(raw)) };
  };
  const nextBlock = (slot: number, isEmpty: boolean): Entry => {
    // Drops what is over by then, together with what builds on it.
    pool.rebuild([], slot);
    const transactions = isEmpty ? [] : fitting(pool.transactions());
    const entry = push({ slot, salt: hex(random.bytes(saltBytes)), transactions });
    const taken = new Set(transactions.map(({ id }) => id));
    const waiting = pool.transactions().filter(({ id }) => !taken.has(id));
    pool.clear();
    pool.rebuild(waiting, poolSlot());
    return entry;
  };
  const announce = (): void => {
    for (const listener of listeners) listener();
  };

  const check = (transaction: Transaction): void => {
    const { find } = pool;
    // What a node's pool checks first (ConwayMempoolFailure): a transaction that it has already fails here.
    if (transaction.inputs.length > 0 && transaction.inputs.every((input) => find(input) === null))
      throw new Refusal(code.unexpectedMempoolError, "The mempool does not take the transaction.", {
        error: "All inputs are spent. Transaction has probably already been included",
      });
    if (transaction.unsupported.length > 0)
      throw new Refusal(code.unexpectedMempoolError, "The mempool does not take the transaction.", {
        error: `This simulated ledger has no ${transaction.unsupported.join(", no ")}`,
      });
    const resolved = referencesOf(transaction).flatMap((reference) => {
      const output = find(reference);
      return output === null ? [] : [[reference, output] as const];
    });
    const slot = poolSlot();
    const fault = rules.faultOf(transaction, resolved, slot);
    if (fault !== null) throw explain({ transaction, find, slot }, fault);
  };

  return {
    ...chain,
    startTime,
    rules,
    poolSlot,
    pool,
    submit: (raw) =>
      inTurn(() => {
        const transaction = readSubmitted(raw);
        if (toSwallow > 0) toSwallow -= 1;
        else {
          check(transaction);
          pool.add(transaction);
          announce();
        }
        return transaction.id;
      }),
    mine: ({ blocks, isEmpty, slots }) =>
      inTurn(() => {
        const entries: Entry[] = [];
        for (let count = 0; count < blocks; count += 1) {
          const slot = Math.max(clockSlot(), tipSlot() + slots);
          entries.push(nextBlock(slot, isEmpty));
        }
        journal.append(entries);
        announce();
      }),
    reorg: ({ blocks, depth, transactions }) =>
      inTurn(() => {
        const dropped = Array.from({ length: depth }, () => chain.pop()).toReversed();
        const returning = dropped.flatMap((block) => block.transactions);
        pool.rebuild(transactions === "drop" ? [] : returning, poolSlot());
        const entries: Entry[] = [{ kind: "rollback", depth }];
        for (let count = 0; count < blocks; count += 1)
          entries.push(nextBlock(tipSlot() + 1, transactions !== "include"));
        journal.append(entries);
        announce();
      }),
    evict: () =>
      inTurn(() => {
        pool.clear();
        announce();
      }),
    swallow: (count) => {
      toSwallow = count;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** The chain of a journal; a new one has one block, which spreads the test money. */
function restore(
  { entries, journal }: Opened,
  { clock, random }: LedgerWorld,
): { readonly chain: ChangingChain; readonly startTime: Instant } {
  const chain = createChain(genesisOutputs);
  const [start, ...events] = entries;
  if (start === undefined) {
    const startTime = Math.floor(clock.now() / microsPerSecond);
    const salt = hex(random.bytes(saltBytes));
    const first = firstTransaction();
    journal.append([
      { kind: "start", startTime },
      { kind: "block", slot: 0, salt, transactions: [hex(first.raw)] },
    ]);
    chain.push({ slot: 0, salt, transactions: [first] });
    return { chain, startTime: instantFromSeconds(startTime) };
  }
  assert(start.kind === "start", "the beginning of the journal");
  for (const event of events) {
    if (event.kind === "block") {
      const transactions = event.transactions.map((text) => readTransaction(unhex(text)));
      chain.push({ slot: event.slot, salt: event.salt, transactions });
    } else if (event.kind === "rollback")
      for (let count = 0; count < event.depth; count += 1) chain.pop();
  }
  return { chain, startTime: instantFromSeconds(start.startTime) };
}

/** The first transactions that fit into a block. */
function fitting(waiting: readonly Transaction[]): readonly Transaction[] {
  let size = blockOverhead;
  const taken: Transaction[] = [];
  for (const transaction of waiting) {
    size += transaction.raw.length;
    if (size > parameters.maxBlockBodySize) break;
    taken.push(transaction);
  }
  return taken;
}

function readSubmitted(raw: Uint8Array): Transaction {
  try {
    return readTransaction(raw);
  } catch (error) {
    if (error instanceof CborError)
      throw new Refusal(code.invalidParams, "The transaction cannot be decoded.", {
        conway: error.message,
      });
    throw error;
  }
}

/** Runs commands one after the other. */
function createTurns(): <Result>(command: () => Result | Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (command) => {
    const result = last.then(command);
    last = result.catch(() => undefined);
    return result;
  };
}
