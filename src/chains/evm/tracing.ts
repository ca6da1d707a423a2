import { present } from "../../platform/kernel/assert.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef } from "../port.ts";
import type { EvmTransaction } from "./answer.ts";
import { askForTraces } from "./ask-for-traces.ts";
import { type EvmNode, type Refusal, refused } from "./evm-node.ts";
import { createHeavyBlocks, type HeavyBlock, lateMax } from "./heavy-blocks.ts";
import type { InternalTransfer } from "./internal-transfers.ts";
import { headerByNumber } from "./questions.ts";
import {
  type TraceMethod,
  traceMethods,
  traceOfBlock,
  traceOfTransaction,
} from "./trace-questions.ts";

/**
 * `auto`: with traces where the node has them, without where it does not (reported in the blind spots); `required`: a block that
 * cannot be traced is not read; `off`: never requested.
 */
export type TracingMode = "auto" | "required" | "off";

type Moves = ReadonlyMap<string, readonly InternalTransfer[]>;

/** `lost`: why moves of other transactions are not known, although the node traces; null if none are missing. */
type Traced = { readonly moves: Moves; readonly lost: string | null };

export type Tracing = {
  /**
   * Ether moved by contracts, by transaction id; a missing transaction was not traced. `all`: the ids of all of the block's transactions, in
   * order. Throws `Unavailable` when the node supports tracing but did not answer.
   */
  readonly movesIn: (
    block: BlockRef,
    transactions: readonly EvmTransaction[],
    all: readonly string[],
    signal: AbortSignal,
  ) => Promise<Traced>;
  /** What is not seen without traces; null if nothing. */
  readonly limitation: (signal: AbortSignal) => Promise<string | null>;
};

/** How a node traces; `way` is null if it does not, found out or asked last at `refusedAt`. */
type Known = { readonly way: TraceMethod | null; readonly refusedAt: Instant | null };

/** A node that traced may refuse to for so long, while its host restarts it; one that offers no traces is asked again after so long. */
const patienceSeconds = 600;

const nothing: Traced = { moves: new Map(), lost: null };

/**
 * Finds coins that contracts move, by whichever tracing method each node has; blocks read without traces are logged and counted.
 */
export function createTracing(
  node: EvmNode,
  mode: TracingMode,
  clock: Clock,
  logger: Logger,
): Tracing {
  const ofNode = new Map<string, Known>();
  const heavy = createHeavyBlocks();
  const untraced = { count: 0, first: 0, last: 0 };

  const skipUntraced = (block: BlockRef, moves: Moves, refusal: Refusal): Traced => {
    if (mode === "required") {
      heavy.forget(block);
      throw refused(node.chain, "traces", refusal);
    }
    const { height } = block;
    const reason = refusal.message;
    logger.warn("the node could not trace the block", { height, node: node.currentNode(), reason });
    if (untraced.count === 0) untraced.first = height;
    untraced.count += 1;
    untraced.last = height;
    return { moves, lost: `ether sent by contracts: ${reason}` };
  };

  /** The node refuses every method. */
  const withoutTraces = (refusal: Refusal): Traced => {
    if (mode === "required") throw new Unavailable(node.chain, "the node offers no traces");
    const name = node.currentNode();
    const { way, refusedAt } = ofNode.get(name) ?? { way: undefined, refusedAt: null };
    const now = clock.now();
    if (typeof way === "string") {
      const since = refusedAt ?? now;
      ofNode.set(name, { way, refusedAt: since });
      if (secondsBetween(since, now) < patienceSeconds) throw refused(node.chain, way, refusal);
    }
    if (way !== null)
      logger.warn("the node offers no traces: ether sent by contracts is not seen", { node: name });
    ofNode.set(name, { way: null, refusedAt: now });
    return nothing;
  };

  const isKnownWithout = (): boolean => {
    const { way, refusedAt } = ofNode.get(node.currentNode()) ?? {};
    if (mode === "required" || way !== null || refusedAt == null) return false;
    return secondsBetween(refusedAt, clock.now()) < patienceSeconds;
  };

  /**
   * Traces each transaction separately where a whole block is too much: anyone can fill a block with millions of calls, which must not keep it
   * from being read. A transaction that is too much even alone stays untraced and is recorded.
   */
  const traceSingly = async (
    block: BlockRef,
    transactions: readonly EvmTransaction[],
    { way, moves, counts }: HeavyBlock,
    signal: AbortSignal,
  ): Promise<Traced> => {
    logger.warn("traces of the block are too much at once, reading them one by one", {
      height: block.height,
      transactions: transactions.length,
    });
    let lost: Refusal | null = null;
    for (const { txid } of transactions) {
      const lateBefore = counts.get(txid) ?? 0;
      if (lateBefore >= lateMax) lost = { code: 0, message: `the traces of ${txid} take too long` };
      if (lateBefore >= lateMax || moves.has(txid)) continue;
      const outcome = await askForTraces(node, traceOfTransaction(way, block, txid), signal);
      if (outcome.kind === "moves") {
        ofNode.set(node.currentNode(), { way, refusedAt: null });
        for (const [traced, found] of outcome.moves) moves.set(traced, found);
        continue;
      }
      const { kind, refusal } = outcome;
      if (kind === "late") counts.set(txid, lateBefore + 1);
      if (kind === "late" && lateBefore + 1 < lateMax) throw refused(node.chain, way, refusal);
      if (kind === "other") {
        heavy.forget(block);
        throw refused(node.chain, way, refusal);
      }
      lost = refusal;
      // Such a node traces whole blocks only.
      if (kind === "unsupported") break;
    }
    return lost === null ? { moves, lost } : skipUntraced(block, moves, lost);
  };

  /** Tries each method until one is answered; from then on only the supported method is used. */
  const traceBlock = async (
    block: BlockRef,
    transactions: readonly EvmTransaction[],
    all: readonly string[] | null,
    signal: AbortSignal,
  ): Promise<Traced> => {
    if (isKnownWithout()) return nothing;
    const known = ofNode.get(node.currentNode())?.way ?? null;
    let forgotten: Refusal | null = null;
    let unsupported: Refusal | null = null;
    for (const way of known === null
      ? traceMethods
      : [known, ...traceMethods.filter((method) => method !== known)]) {
      const before = heavy.find(block, way);
      if (before !== null) return await traceSingly(block, transactions, before, signal);
      const outcome = await askForTraces(node, traceOfBlock(way, block, transactions, all), signal);
      if (outcome.kind === "moves") {
        ofNode.set(node.currentNode(), { way, refusedAt: null });
        return { moves: outcome.moves, lost: null };
      }
      const { kind, refusal } = outcome;
      if (kind === "tooMuch" || kind === "late") {
        const noted = heavy.note(block, way, kind === "late" ? 1 : lateMax);
        if (noted.count >= lateMax) return await traceSingly(block, transactions, noted, signal);
      }
      if (kind === "unsupported") unsupported = refusal;
      else if (kind === "forgotten") forgotten = refusal;
      else throw refused(node.chain, way, refusal);
    }
    return forgotten === null
      ? withoutTraces(present(unsupported, "a refusal"))
      : skipUntraced(block, nothing.moves, forgotten);
  };

  const read: typeof traceBlock = async (block, ...rest) => {
    const traced = await traceBlock(block, ...rest);
    heavy.forget(block);
    return traced;
  };

  return {
    movesIn: async (...block) => (mode === "off" ? nothing : await read(...block)),
    limitation: async (signal) => {
      if (mode === "off") return "ether sent by contracts: tracing is switched off";
      if (!ofNode.has(node.currentNode())) await probe(node, signal, read);
      if (ofNode.get(node.currentNode())?.way === null)
        return "ether sent by contracts: the node offers neither trace_block nor debug_traceBlockByHash";
      if (untraced.count === 0) return null;
      return `ether sent by contracts in ${untraced.count} blocks from ${untraced.first} to ${untraced.last}: the node no longer had their state, or their traces were too large or took too long`;
    },
  };
}

/** Traces the newest block, whose state every node still has, to detect what the node supports. */
async function probe(
  node: EvmNode,
  signal: AbortSignal,
  read: (
    block: BlockRef,
    none: readonly EvmTransaction[],
    all: null,
    signal: AbortSignal,
  ) => Promise<Traced>,
): Promise<void> {
  const latest = await node.ask(headerByNumber("latest"), signal);
  if (latest === null) throw new Unavailable(node.chain, "the node has no latest block");
  await read(latest, [], null, signal);
}
