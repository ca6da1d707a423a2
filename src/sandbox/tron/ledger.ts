import { type Clock, microsPerSecond } from "../../platform/kernel/clock.ts";
import { type Block, blockIntervalMs, type Executed, witnessAt } from "./block.ts";
import { type Chain, createChain } from "./chain.ts";
import { checkSignature } from "./check-signature.ts";
import type { Evm } from "./evm.ts";
import { makeGenesis } from "./genesis.ts";
import type { Entry, Journal } from "./journal.ts";
import type { Settings } from "./parameters.ts";
import { processTransaction, refuseExpired } from "./process.ts";
import type { Context } from "./resources.ts";
import type { Run } from "./run-code.ts";
import { callConstant } from "./smart.ts";
import { changesBetween, draftOf, type State } from "./state.ts";
import { Refusal, refuseContract, type Transaction } from "./transaction.ts";

/** Which part of the chain an answer is from: all of it, or what no fork can undo. */
export type View = "head" | "solid";

export type Reorg = {
  readonly depth: number;
  /** What becomes of the dropped blocks' transactions: they wait for a block again, or are gone. */
  readonly transactions: "return" | "drop";
  /** Transactions that come before those that wait, such as another spend of the same money. */
  readonly include: readonly Transaction[];
};

/** A simulated TRON chain with its pool of pending transactions. Commands wait for each other. */
export type Ledger = Pick<Chain, "head" | "solid" | "state" | "settings" | "blockAt" | "find"> & {
  /** The node's clock in milliseconds, with what `advance` added. */
  readonly nowMs: () => number;
  /** Takes a transaction into the pool. Rejects with `Refusal`. */
  readonly broadcast: (transaction: Transaction) => Promise<void>;
  /** Executed on top of the head and of each other, in the order of their arrival. */
  readonly pending: () => readonly Executed[];
  /** What a transaction of the next block executes against. */
  readonly context: (view: View) => Context;
  /** A call that changes nothing. Rejects with `Refusal`. */
  readonly call: (view: View, call: Parameters<typeof callConstant>[1]) => Promise<Run>;
  /** Makes blocks on demand, each at least so much later than the one before; resolves with the newest. */
  readonly mine: (count: number, spacingMs: number) => Promise<Block>;
  /** Makes the block whose time has come. */
  readonly mineOnTime: () => Promise<Block>;
  /** Moves the chain's clock ahead, so that the next block is at least so much later than the head. */
  readonly advance: (seconds: number) => Promise<void>;
  /** Drops the newest blocks, down to the solid one at most. */
  readonly reorg: (reorg: Reorg) => Promise<Block>;
  readonly change: (change: (settings: Settings, now: number) => Settings) => Promise<void>;
  /** Accepts this many broadcasts without keeping them. */
  readonly swallow: (count: number) => void;
};

/** Blocks of a new ledger, so that it has a solid block at once. */
const firstBlocks = 20;
/** While mined blocks are ahead of the clock, a block on time comes this much after the one before. */
const catchUpMs = 1000;

/** Continues the ledger of a journal, or begins one. */
export async function openLedger(
  { entries, journal }: { readonly entries: readonly Entry[]; readonly journal: Journal },
  evm: Evm,
  clock: Clock,
): Promise<Ledger> {
  const chain = createChain();
  for (const entry of entries) chain.apply(entry);
  const record = async (entry: Entry): Promise<void> => {
    await journal.append(entry);
    chain.apply(entry);
  };
  const nowMs = (): number => Math.floor((clock.now() / microsPerSecond) * 1000) + chain.aheadMs();
  const slotMs = (): number => nowMs() - (nowMs() % blockIntervalMs);
  if (entries.length === 0) await begin(record, slotMs(), evm);

  const pool = createPool(chain, evm);
  const make = async (timestamp: number): Promise<Block> => {
    const { executed, state } = await pool.execute(timestamp);
    const before = chain.state("head");
    await record({
      kind: "block",
      timestamp,
      witness: witnessAt(timestamp, chain.forks()),
      transactions: executed,
      changes: state === before ? null : changesBetween(before, state),
    });
    await pool.rebuild();
    return chain.head();
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  let swallowed = 0;

  return {
    ...chain,
    nowMs,
    pending: pool.pending,
    broadcast: (transaction) =>
      inTurn(async () => {
        checkBroadcast(transaction, chain.head());
        if (swallowed > 0) swallowed -= 1;
        else await pool.add(transaction);
      }),
    context: (view) => contextOf(chain, view),
    call: (view, call) => callConstant(chain.state(view), call, evm, contextOf(chain, view)),
    mine: (count, spacingMs) =>
      inTurn(async () => {
        for (let made = 0; made < count; made += 1)
          await make(Math.max(chain.head().timestamp + spacingMs, slotMs()));
        return chain.head();
      }),
    mineOnTime: () => inTurn(() => make(Math.max(chain.head().timestamp + catchUpMs, slotMs()))),
    advance: (seconds) =>
      inTurn(() => {
        const target =
          Math.max(chain.head().timestamp, slotMs() + blockIntervalMs) + seconds * 1000;
        return record({ kind: "clock", aheadMs: chain.aheadMs() + target - nowMs() });
      }),
    reorg: ({ depth, transactions, include }) =>
      inTurn(async () => {
        const dropped = droppedBy(chain, depth);
        await record({ kind: "drop", depth });
        await pool.rebuild([...include, ...(transactions === "return" ? dropped : [])]);
        return chain.head();
      }),
    change: (change) =>
      inTurn(() => record({ kind: "settings", settings: change(chain.settings(), nowMs()) })),
    swallow: (count) => {
      swallowed = count;
    },
  };
}

async function begin(
  record: (entry: Entry) => Promise<void>,
  now: number,
  evm: Evm,
): Promise<void> {
  const timestamp = now - firstBlocks * blockIntervalMs;
  const changes = await makeGenesis(timestamp, evm);
  await record({ kind: "block", timestamp, witness: 0, transactions: [], changes });
  for (let number = 1; number <= firstBlocks; number += 1) {
    const at = timestamp + number * blockIntervalMs;
    const witness = witnessAt(at, 0);
    await record({ kind: "block", timestamp: at, witness, transactions: [], changes: null });
  }
}

function contextOf(chain: Chain, view: View): Context {
  const block = view === "head" ? chain.head() : chain.solid();
  return {
    settings: chain.settings(),
    number: block.number + 1,
    timestamp: block.timestamp + blockIntervalMs,
    headTimestamp: block.timestamp,
  };
}

/** What java-tron checks before it takes a transaction for execution. */
function checkBroadcast(transaction: Transaction, head: Block): void {
  if ((transaction.raw.contract ?? []).length === 0) refuseContract("No contract!");
  if ((transaction.raw.expiration ?? 0n) < BigInt(head.timestamp + blockIntervalMs))
    refuseExpired();
  checkSignature(transaction);
}

function droppedBy(chain: Chain, depth: number): readonly Transaction[] {
  const { number } = chain.head();
  return Array.from({ length: depth }, (_, place) => number - depth + 1 + place).flatMap(
    (at) => chain.blockAt(at)?.transactions.map(({ transaction }) => transaction) ?? [],
  );
}

type Pool = {
  readonly pending: () => readonly Executed[];
  readonly add: (transaction: Transaction) => Promise<void>;
  /** Executes what waits in a block of that time on top of the head. */
  readonly execute: (timestamp: number) => Promise<Executions>;
  /** After the head changed: executes what still waits again, `first` before the others, and forgets what fails. */
  readonly rebuild: (first?: readonly Transaction[]) => Promise<void>;
};

/** Transactions executed in one block of that time, under those settings. */
type Executions = {
  readonly executed: readonly Executed[];
  readonly state: State;
  readonly timestamp: number;
  readonly settings: Settings;
};

function createPool(chain: Chain, evm: Evm): Pool {
  const begin = (timestamp: number): Executions => ({
    executed: [],
    state: chain.state("head"),
    timestamp,
    settings: chain.settings(),
  });
  const nextTimestamp = (): number => chain.head().timestamp + blockIntervalMs;
  let waiting = begin(nextTimestamp());

  const process = async (before: Executions, transaction: Transaction): Promise<Executions> => {
    const draft = draftOf(before.state);
    const { timestamp, settings } = before;
    const context = { ...contextOf(chain, "head"), timestamp, settings };
    const { isIncluded, referenceHash } = chain.past;
    const isKnown = (txid: string): boolean =>
      isIncluded(txid) || before.executed.some((other) => other.transaction.txid === txid);
    const past = { referenceHash, isIncluded: isKnown };
    const done = await processTransaction(transaction, draft, past, evm, context);
    return { ...before, executed: [...before.executed, done], state: draft };
  };
  const processAll = async (
    transactions: readonly Transaction[],
    timestamp: number,
  ): Promise<Executions> => {
    let done = begin(timestamp);
    for (const transaction of transactions)
      try {
        done = await process(done, transaction);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    return done;
  };
  const transactions = (): readonly Transaction[] =>
    waiting.executed.map(({ transaction }) => transaction);
  /** What waits, executed as in a block of that time; as a rule it was executed so when it arrived. */
  const executedAt = async (timestamp: number): Promise<Executions> =>
    waiting.timestamp === timestamp && waiting.settings === chain.settings()
      ? waiting
      : await processAll(transactions(), timestamp);
  return {
    pending: () => waiting.executed,
    add: async (transaction) => {
      waiting = await process(await executedAt(nextTimestamp()), transaction);
    },
    execute: executedAt,
    rebuild: async (first = []) => {
      waiting = await processAll([...first, ...transactions()], nextTimestamp());
    },
  };
}
