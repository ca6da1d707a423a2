import { Address, type Cell, loadMessage, loadTransaction, type TupleItem } from "@ton/core";
import { present } from "../../platform/kernel/assert.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { type Clock, microsPerSecond } from "../../platform/kernel/clock.ts";
import { atEndOfTurn } from "../../platform/kernel/system-turn.ts";
import { type Block, type Chain, createChain, ltAfter, nextStart } from "./chain.ts";
import { firstAccounts } from "./genesis.ts";
import type { Entry, Journal } from "./journal.ts";
import { type Machine, type MethodResult, type Ran, readState, runnable } from "./machine.ts";
import { messagesIn, type Queued, queuedBy } from "./message-queue.ts";
import { masterchain, type Prices, type Shard, shardOf, shards } from "./network.ts";

/** An external message that the ledger takes, or why it does not. */
export type Submitted =
  | { readonly kind: "taken" }
  | { readonly kind: "no account" }
  | (Extract<Ran, { readonly kind: "refused" }> & { readonly account: string });

/** A simulated TON network. Commands wait for each other; a masterchain block is final. */
export type Ledger = Chain & {
  readonly config: () => string;
  readonly parameter: (id: number) => Cell | null;
  /** Offers an external message, which waits for a block if its receiver would accept it now. */
  readonly submit: (message: Cell) => Promise<Submitted>;
  /** Executes a message without any effect, as if every signature were valid if `ignoresSignatures`. */
  readonly tryOut: (message: Cell, ignoresSignatures: boolean) => Promise<Ran>;
  readonly call: (
    address: Address,
    mcSeqno: number,
    method: string | number,
    stack: readonly TupleItem[],
  ) => Promise<MethodResult>;
  /** Makes so many masterchain blocks; resolves with the newest. */
  readonly mine: (count: number) => Promise<Block>;
  /** Moves the ledger's time ahead of the clock by so many seconds more. */
  readonly skip: (seconds: number) => void;
  /** Changes the prices of gas and of messages, from the next block on. */
  readonly setPrices: (prices: Prices) => Promise<void>;
  /** Loses the external messages that wait for a block. */
  readonly dropWaiting: () => void;
  /** Answers so many external messages as if they were taken, and forgets them. */
  readonly swallow: (count: number) => void;
  /** Ends the work: resolves when the block in work is written, and no other one follows. */
  readonly stop: () => Promise<void>;
};

/** Blocks are full with so many transactions; other messages wait for later blocks. */
const transactionsMax = 150;
/** Every so many masterchain blocks, each shard has had two blocks. */
const doubleEvery = 3;

/** Continues the blocks of a journal, or begins a chain. */
export async function openLedger(
  { entries, journal }: { readonly entries: readonly Entry[]; readonly journal: Journal },
  clock: Clock,
  machine: Machine,
): Promise<Ledger> {
  const clockSeconds = (): number => Math.floor(clock.now() / microsPerSecond);
  const zero = entries[0] ?? beginning(clockSeconds());
  const chain = createChain(zero);
  if (entries.length === 0) await journal.append(zero);
  for (const entry of entries.slice(1)) chain.append(entry);

  let prices = entries.findLast((entry) => entry.prices !== undefined)?.prices;
  if (prices !== undefined) machine.setPrices(prices);
  /** Whether no block says so yet. */
  let hasNewPrices = false;
  let ahead = chain.ahead();
  let swallowed = 0;
  let isStopped = false;
  /** External messages by hash, in the order of their arrival. */
  const waiting = new Map<string, { readonly cell: Cell; readonly account: string }>();
  const inTurn = createTurns();
  const now = (): number => Math.max(clockSeconds() + ahead, chain.newest().now);
  const execute = async (message: Cell, ignoresSignatures: boolean): Promise<Ran | null> => {
    const account = receiverOf(message);
    const state = chain.stateAt(account, chain.newest().id.seqno);
    if (state === null || readState(state).account == null) return null;
    const lt = nextStart(chain.newest().endLt) + 1n;
    return await machine.run(message, state, { now: now(), lt, ignoresSignatures });
  };

  const mineOne = async (): Promise<void> => {
    const seqno = chain.newest().id.seqno + 1;
    const at = now();
    const work = createWork(chain, machine, at);
    const rounds: string[][][] = [];
    let end = chain.newest().endLt;
    for (let round = 0; round < (seqno % doubleEvery === 0 ? 2 : 1); round += 1) {
      const start = nextStart(end);
      const ready = work.ready();
      const blocks: string[][] = [];
      for (const shard of shards) {
        const { bocs, endLt } = await work.collate(shard, start, ready, waiting);
        blocks.push(bocs);
        end = maxBigInt(end, endLt);
      }
      rounds.push(blocks);
    }
    const own = await work.collate(masterchain, nextStart(end), work.ready(), waiting);
    const states = work.states();
    const entry = { seqno, now: at, ahead, rounds, masterchain: own.bocs, states };
    const changed = hasNewPrices && prices !== undefined ? { prices } : {};
    await journal.append({ ...entry, ...changed });
    hasNewPrices = false;
    chain.append(entry);
  };

  return {
    ...chain,
    config: machine.config,
    parameter: machine.parameter,
    submit: (message) =>
      inTurn(async () => {
        if (swallowed > 0) {
          swallowed -= 1;
          return { kind: "taken" };
        }
        const ran = await execute(message, false);
        if (ran === null) return { kind: "no account" };
        const account = receiverOf(message);
        if (ran.kind === "refused") return { ...ran, account };
        waiting.set(message.hash().toString("hex"), { cell: message, account });
        return { kind: "taken" };
      }),
    tryOut: (message, ignoresSignatures) =>
      inTurn(
        async () => (await execute(message, ignoresSignatures)) ?? { kind: "refused", exit: null },
      ),
    call: (address, mcSeqno, method, stack) =>
      inTurn(async () => {
        const state = runnable(chain.stateAt(address.toRawString(), mcSeqno), address);
        const at = present(chain.masterBlock(mcSeqno), "a block").now;
        return await machine.call({ address, state: readState(state) }, method, stack, at);
      }),
    mine: async (count) => {
      for (let mined = 0; mined < count && !isStopped; mined += 1) await inTurn(mineOne);
      return chain.newest();
    },
    skip: (seconds) => {
      ahead += seconds;
    },
    setPrices: (next) =>
      inTurn(() => {
        prices = next;
        hasNewPrices = true;
        machine.setPrices(next);
        return Promise.resolve();
      }),
    dropWaiting: () => {
      waiting.clear();
    },
    swallow: (count) => {
      swallowed = count;
    },
    stop: () => {
      isStopped = true;
      return inTurn(() => Promise.resolve());
    },
  };
}

function beginning(now: number): Entry {
  const states = Object.fromEntries(
    firstAccounts(now).map(({ account, state }) => [account, state]),
  );
  return { seqno: 0, now, ahead: 0, rounds: [], masterchain: [], states };
}

/** The raw address to which an external message goes. */
function receiverOf(message: Cell): string {
  const { info } = loadMessage(message.beginParse());
  return info.type === "external-in" ? info.dest.toRawString() : "";
}

type Waiting = Map<string, { readonly cell: Cell; readonly account: string }>;

/** What the blocks of one masterchain block do, before anyone else sees it. */
function createWork(
  chain: Chain,
  machine: Machine,
  now: number,
): {
  /** The messages that were sent so far, in the order in which they are delivered. */
  readonly ready: () => readonly Queued[];
  /** Makes a shard's next block: delivers messages that are ready, then external ones, which leave the list. */
  readonly collate: (
    shard: Shard,
    startLt: bigint,
    ready: readonly Queued[],
    waiting: Waiting,
  ) => Promise<{ readonly bocs: string[]; readonly endLt: bigint }>;
  readonly states: () => Readonly<Record<string, string>>;
} {
  const queue = new Map(chain.queue());
  const states = new Map<string, string>();
  const stateOf = (account: string): string => {
    const state = states.get(account) ?? chain.stateAt(account, chain.newest().id.seqno);
    return runnable(state, Address.parseRaw(account));
  };
  return {
    ready: () =>
      [...queue.values()].sort((one, other) => (one.createdLt < other.createdLt ? -1 : 1)),
    collate: async (shard, startLt, ready, waiting) => {
      const bocs: string[] = [];
      let lt = startLt + 1n;
      const deliver = async (cell: Cell, account: string): Promise<void> => {
        const ran = await machine.run(cell, stateOf(account), { now, lt });
        await turn();
        if (ran.kind === "refused") return;
        bocs.push(ran.transaction.toBoc().toString("base64"));
        states.set(account, ran.state);
        const { outMessages } = messagesIn(ran.transaction);
        // Traces are found when the block is appended to the chain.
        for (const queued of queuedBy(outMessages, "")) queue.set(queued.hash, queued);
        lt = maxBigInt(lt, ltAfter(loadTransaction(ran.transaction.beginParse())));
      };
      const isHere = ({ account }: { readonly account: string }): boolean =>
        shardOf(account) === shard;
      for (const { account, cell, hash } of ready.filter(isHere)) {
        if (bocs.length === transactionsMax) break;
        queue.delete(hash);
        await deliver(cell, account);
      }
      for (const [hash, { account, cell }] of [...waiting].filter(([, one]) => isHere(one))) {
        if (bocs.length === transactionsMax) break;
        waiting.delete(hash);
        await deliver(cell, account);
      }
      return { bocs, endLt: lt };
    },
    states: () => Object.fromEntries(states),
  };
}

/** Lets requests be answered while a block is made. */
async function turn(): Promise<void> {
  await new Promise<void>((resolve) => {
    atEndOfTurn(resolve);
  });
}

function createTurns(): <Done>(work: () => Promise<Done>) => Promise<Done> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
