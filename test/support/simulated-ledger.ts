import { createHash } from "node:crypto";
import type { BlockRef, Destination } from "../../src/chains/port.ts";
import type { Clock, Instant } from "../../src/platform/kernel/clock.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";

/* SIMULATED blocks and mempool: only what all chains share. See `simulated-chain.ts`. */

export type SimulatedOutput = {
  readonly to: Destination;
  readonly units: bigint;
  /** Default: the chain's first currency. `{ locator }` is an unlisted token. */
  readonly asset?: CurrencyId | { readonly locator: string };
};

export type SimulatedTransaction = {
  readonly txid: string;
  readonly from: readonly string[];
  readonly spends: readonly string[];
  readonly outputs: readonly SimulatedOutput[];
  /** Is included and delivers nothing. */
  readonly fails: boolean;
};

export type SimulatedBlock = {
  readonly ref: BlockRef;
  readonly transactions: readonly SimulatedTransaction[];
};

export type ReorgPlan = {
  /** Blocks of the new branch; default one more than replaced, as a heavier branch has. */
  readonly length?: number;
  /** False: the new branch leaves the old one's transactions in the mempool. Default true. */
  readonly mineAgain?: boolean;
  /** Transactions that the new branch's node has dropped. */
  readonly dropped?: readonly string[];
};

export type SimulatedLedger = {
  /** Broadcasts a payment; replaces pending transactions that spend the same. Returns the transaction id. */
  readonly submit: (
    outputs: readonly SimulatedOutput[],
    options?: {
      readonly from?: readonly string[];
      readonly spends?: readonly string[];
      readonly fails?: boolean;
    },
  ) => string;
  /** The node forgets a pending transaction. */
  readonly evict: (txid: string) => void;
  /** Mines all pending transactions (or none) into the first of `count` blocks. */
  readonly mine: (count?: number, options?: { readonly empty?: boolean }) => BlockRef;
  readonly reorg: (depth: number, plan?: ReorgPlan) => void;
  /** Removes the newest blocks without a new branch: the tip goes back. */
  readonly rollback: (depth: number) => void;
  /** The best chain, from block 0. */
  readonly blocks: () => readonly SimulatedBlock[];
  readonly tip: () => BlockRef;
  readonly waiting: () => readonly SimulatedTransaction[];
};

/**
 * Starts with block 0 mined. Hashes follow from `network` and the history; `onChange` is called on every change. With accounts,
 * what others pay with is the sequence number of an account instead of a coin.
 */
export function createSimulatedLedger(
  network: string,
  clock: Clock,
  onChange: () => void,
  hasAccounts = false,
): SimulatedLedger {
  const mempool = new Map<string, SimulatedTransaction>();
  let serial = 0;
  let blocks: SimulatedBlock[] = [];
  const newest = (): SimulatedBlock => lastOf(blocks);

  const push = (transactions: readonly SimulatedTransaction[]): void => {
    serial += 1;
    const parent = blocks.at(-1)?.ref ?? null;
    const height = (parent?.height ?? -1) + 1;
    const ref: BlockRef = {
      height,
      hash: digest(`${network} block ${height} ${parent?.hash ?? ""} ${serial}`),
      parentHash: parent?.hash ?? "0".repeat(64),
      time: Math.max(clock.now(), (parent?.time ?? 0) + 1) as Instant,
    };
    blocks.push({ ref, transactions });
  };

  /** The pending transactions that fit the best chain; those that can never fit again are forgotten. */
  const takeWaiting = (): SimulatedTransaction[] => {
    const used = new Set(
      blocks.flatMap((block) => block.transactions.flatMap((transaction) => transaction.spends)),
    );
    const taken = [...mempool.values()].filter(
      (transaction) => !transaction.spends.some((spend) => used.has(spend)),
    );
    mempool.clear();
    return taken;
  };

  const putBack = (removed: readonly SimulatedBlock[], dropped: readonly string[]): void => {
    const before = [...mempool.values()];
    mempool.clear();
    const returned = removed.flatMap((block) => block.transactions);
    for (const transaction of [...returned, ...before]) {
      const taken = [...mempool.values()].flatMap((other) => other.spends);
      const isBeaten = transaction.spends.some((spend) => taken.includes(spend));
      if (!isBeaten && !dropped.includes(transaction.txid))
        mempool.set(transaction.txid, transaction);
    }
  };

  const takeBack = (depth: number, dropped: readonly string[]): void => {
    if (depth < 1 || depth >= blocks.length) throw new Error(`cannot take back ${depth} blocks`);
    putBack(blocks.slice(-depth), dropped);
    blocks = blocks.slice(0, -depth);
  };

  push([]);
  return {
    submit: (outputs, given = {}) => {
      serial += 1;
      const txid = digest(`${network} transaction ${serial}`);
      const source = digest(`${network} coin ${serial}`);
      const spends = given.spends ?? [hasAccounts ? `${source}#0` : `${source}:0`];
      for (const other of mempool.values()) {
        if (other.spends.some((spend) => spends.includes(spend))) mempool.delete(other.txid);
      }
      mempool.set(txid, {
        txid,
        from: given.from ?? [`${network}-payer-${serial}`],
        spends,
        outputs,
        fails: given.fails ?? false,
      });
      onChange();
      return txid;
    },
    evict: (txid) => {
      mempool.delete(txid);
      onChange();
    },
    mine: (count = 1, { empty = false } = {}) => {
      for (let mined = 0; mined < count; mined += 1)
        push(mined === 0 && !empty ? takeWaiting() : []);
      onChange();
      return newest().ref;
    },
    rollback: (depth) => {
      takeBack(depth, []);
      onChange();
    },
    reorg: (depth, plan = {}) => {
      takeBack(depth, plan.dropped ?? []);
      const length = plan.length ?? depth + 1;
      for (let mined = 0; mined < length; mined += 1) {
        push(mined === 0 && plan.mineAgain !== false ? takeWaiting() : []);
      }
      onChange();
    },
    blocks: () => blocks,
    tip: () => newest().ref,
    waiting: () => [...mempool.values()],
  };
}

export function lastOf(blocks: readonly SimulatedBlock[]): SimulatedBlock {
  const last = blocks.at(-1);
  if (last === undefined) throw new Error("a chain has at least its first block");
  return last;
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
