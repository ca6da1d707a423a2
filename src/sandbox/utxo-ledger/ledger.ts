import { present } from "../../platform/kernel/assert.ts";
import { type Clock, microsPerSecond } from "../../platform/kernel/clock.ts";
import { type Chain, type ChangingChain, createChain } from "./chain.ts";
import type { Entry, Journal } from "./journal.ts";
import { type ChangingPool, createPool, type Pool } from "./pool.ts";
import { RpcFault, rpcCode } from "./rpc.ts";
import type { LedgerRules, LedgerTransaction } from "./rules.ts";

export type Reorg = {
  readonly depth: number;
  /** What becomes of the dropped blocks' transactions: they wait for a block again, or are gone. */
  readonly transactions: "return" | "drop";
  /** Raw transactions that come before those that wait, such as another spend of the same money. */
  readonly include: readonly string[];
};

export type Mining = {
  /** Output script of the miner. */
  readonly script: string;
  readonly count: number;
  /** Leaves pending transactions where they are. */
  readonly isEmpty: boolean;
  /** Takes only the pending transactions with these ids; absent: all. */
  readonly only?: readonly string[];
};

/** A private chain with its pending transactions. Commands wait for each other, and resolve once the disk has what they did. */
export type Ledger = {
  /** Takes a transaction into the pool. Rejects with `RpcFault`. */
  readonly send: (transaction: LedgerTransaction) => Promise<void>;
  /** Resolves with the new blocks' hashes. */
  readonly mine: (mining: Mining) => Promise<readonly string[]>;
  /** Rejects with `RpcFault` for block 0 and unknown blocks. */
  readonly invalidate: (hash: string) => Promise<void>;
  readonly reconsider: (hash: string) => Promise<void>;
  /** Drops the newest blocks. */
  readonly reorg: (reorg: Reorg) => Promise<void>;
  /** Gives out the faucet's next address; resolves with its number. */
  readonly nextAddress: () => Promise<number>;
  readonly addressCount: () => number;
  /** The faucet's secret, 32 bytes in hex. */
  readonly seed: string;
  /** Resolves when the tip changes or `signal` aborts. */
  readonly tipChange: (signal: AbortSignal) => Promise<void>;
};

/** Continues the ledger of a journal, or begins one. */
export async function openLedger(
  rules: LedgerRules,
  { entries, journal }: { readonly entries: readonly Entry[]; readonly journal: Journal },
  { clock, newSeed }: { readonly clock: Clock; readonly newSeed: () => string },
): Promise<{ readonly ledger: Ledger; readonly chain: Chain; readonly pool: Pool }> {
  const chain = createChain(rules);
  const pool = createPool(rules, chain);
  let addresses = 0;
  const apply = (entry: Entry): void => {
    if (entry.kind === "address") addresses += 1;
    else applyToChain(rules, chain, pool, entry);
  };
  for (const entry of entries) apply(entry);
  const first = entries[0] ?? { kind: "seed", seed: newSeed() };
  if (first.kind !== "seed") throw new Error("the journal does not begin with the faucet's seed");
  if (entries.length === 0) await journal.append([first]);

  const nowSeconds = (): number => Math.floor(clock.now() / microsPerSecond);
  const watchers = new Set<() => void>();
  const record = async (entry: Entry): Promise<void> => {
    await journal.append([entry]);
    const before = chain.tip();
    apply(entry);
    if (chain.tip() !== before) for (const notify of [...watchers]) notify();
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  const drop = async (hash: string, more: Omit<Reorg, "depth">): Promise<void> => {
    const block = chain.find(hash);
    if (block === null) throw new RpcFault(rpcCode.invalidAddressOrKey, "Block not found");
    if (block.height === 0) throw new RpcFault(rpcCode.misc, "block 0 is always valid");
    await record({ kind: "invalidate", hash, ...more, time: nowSeconds() });
  };

  const ledger: Ledger = {
    send: (transaction) =>
      inTurn(async () => {
        pool.check(transaction);
        await record({ kind: "pending", raw: transaction.raw, time: nowSeconds() });
      }),
    mine: (mining) =>
      inTurn(async () => {
        const hashes: string[] = [];
        for (let made = 0; made < mining.count; made += 1) {
          await record(nextBlock(rules, chain, pool, mining, nowSeconds()));
          hashes.push(chain.tip().hash);
        }
        return hashes;
      }),
    invalidate: (hash) => inTurn(() => drop(hash, { transactions: "return", include: [] })),
    reconsider: (hash) =>
      inTurn(async () => {
        if (chain.find(hash) === null)
          throw new RpcFault(rpcCode.invalidAddressOrKey, "Block not found");
        await record({ kind: "reconsider", hash, time: nowSeconds() });
      }),
    reorg: ({ depth, ...more }) =>
      inTurn(() => drop(chain.blockAt(chain.tip().height - depth + 1)?.hash ?? "", more)),
    nextAddress: () =>
      inTurn(async () => {
        await record({ kind: "address" });
        return addresses;
      }),
    addressCount: () => addresses,
    seed: first.seed,
    tipChange: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          watchers.delete(done);
          resolve();
        };
        watchers.add(done);
        signal.addEventListener("abort", done, { once: true });
        if (signal.aborted) done();
      }),
  };
  return { ledger, chain, pool };
}

function applyToChain(
  rules: LedgerRules,
  chain: ChangingChain,
  pool: ChangingPool,
  entry: Exclude<Entry, { readonly kind: "address" }>,
): void {
  switch (entry.kind) {
    case "seed":
      return;
    case "block":
      chain.push(entry.header, entry.transactions);
      pool.settle([], 0);
      return;
    case "pending":
      pool.add(present(rules.readTransaction(entry.raw), "a transaction"), entry.time);
      return;
    case "invalidate": {
      const dropped = chain.invalidate(entry.hash);
      const included = entry.include.map((raw) =>
        present(rules.readTransaction(raw), "a transaction"),
      );
      const returned = entry.transactions === "return" ? dropped : [];
      pool.settle([...included, ...returned], entry.time);
      return;
    }
    case "reconsider":
      pool.settle(chain.reconsider(entry.hash), entry.time);
      return;
  }
}

function nextBlock(
  rules: LedgerRules,
  chain: Chain,
  pool: Pool,
  { isEmpty, only, script }: Mining,
  nowSeconds: number,
): Entry {
  const parent = chain.tip();
  const { height, medianTimeAt } = chain.next();
  const waiting = isEmpty ? [] : pool.entries();
  const pending = waiting.filter(({ transaction }) => only?.includes(transaction.txid) ?? true);
  const fees = pending.reduce((sum, { feeUnits }) => sum + feeUnits, 0n);
  const coinbase = rules.makeCoinbase({
    height,
    units: rules.subsidy(height) + fees,
    script,
    distinct: chain.blockCount(),
  });
  const transactions = [
    present(rules.readTransaction(coinbase), "a coinbase"),
    ...rules.order(pending.map(({ transaction }) => transaction)),
  ];
  const time = Math.max(medianTimeAt(parent.height) + 1, nowSeconds);
  const header = rules.makeHeader({ parent, height, time, transactions });
  return { kind: "block", header, transactions: transactions.map(({ raw }) => raw) };
}
