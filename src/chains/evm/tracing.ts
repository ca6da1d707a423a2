import type { Logger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef } from "../port.ts";
import { AnswerTooLarge } from "../rpc/node-error.ts";
import type { EvmTransaction } from "./answer.ts";
import {
  type EvmNode,
  isTooMuch,
  isUnsupported,
  type Question,
  type Refusal,
  refused,
} from "./evm-node.ts";
import type { InternalTransfer } from "./internal-transfers.ts";
import { headerByNumber } from "./questions.ts";
import {
  type TraceAnswer,
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

export type Tracing = {
  /**
   * Ether moved by contracts, by transaction id. A missing transaction was not traced. Throws `Unavailable` when the node
   * supports tracing but did not answer.
   */
  readonly movesIn: (
    block: BlockRef,
    transactions: readonly EvmTransaction[],
    signal: AbortSignal,
  ) => Promise<Moves>;
  /** What is not seen without traces; null if nothing. */
  readonly limitation: (signal: AbortSignal) => Promise<string | null>;
};

/** A full node prunes the state of older blocks, without which it cannot trace their transactions. */
const forgottenState =
  /\b(?:state|trie|ancestors?|pruned|archive|too old|resource not found|required data|history)\b/i;

/**
 * Finds coins that contracts move, by whichever tracing method each node has; blocks read without traces are logged and counted.
 */
export function createTracing(node: EvmNode, mode: TracingMode, logger: Logger): Tracing {
  const ofNode = new Map<string, TraceMethod | "none">();
  const untraced = { count: 0, first: 0, last: 0 };

  const skipUntraced = (block: BlockRef, refusal: Refusal): Moves => {
    if (mode === "required") throw refused(node.chain, "traces", refusal);
    logger.error("block read without traces", { height: block.height, reason: refusal.message });
    if (untraced.count === 0) untraced.first = block.height;
    untraced.count += 1;
    untraced.last = block.height;
    return new Map();
  };

  const withoutTraces = (): Moves => {
    if (mode === "required") throw new Unavailable(node.chain, "the node offers no traces");
    const name = node.currentNode();
    if (ofNode.get(name) !== "none")
      logger.warn("the node offers no traces: ether sent by contracts is not seen", { node: name });
    ofNode.set(name, "none");
    return new Map();
  };

  /**
   * Traces each transaction separately where a whole block is too large: anyone can fill a block with millions of calls, which
   * must not keep it from being read. A transaction that is too large even alone stays untraced and is recorded.
   */
  const traceSingly = async (
    way: TraceMethod,
    block: BlockRef,
    transactions: readonly EvmTransaction[],
    signal: AbortSignal,
  ): Promise<Moves> => {
    logger.warn("traces of the block are too large, reading them one by one", {
      height: block.height,
      transactions: transactions.length,
    });
    const moves = new Map<string, readonly InternalTransfer[]>();
    let lost: Refusal | null = null;
    for (const { txid } of transactions) {
      const outcome = await askForTraces(node, traceOfTransaction(way, block, txid), signal);
      if (outcome.kind === "moves") {
        for (const [traced, found] of outcome.moves) moves.set(traced, found);
      } else if (isTooMuch(outcome.refusal)) {
        lost = outcome.refusal;
      } else {
        throw refused(node.chain, way, outcome.refusal);
      }
    }
    return lost === null ? moves : new Map([...skipUntraced(block, lost), ...moves]);
  };

  /** Tries each method until one is answered; from then on only the supported method is used. */
  const read = async (
    block: BlockRef,
    transactions: readonly EvmTransaction[],
    signal: AbortSignal,
  ): Promise<Moves> => {
    const known = ofNode.get(node.currentNode());
    if (known === "none") return withoutTraces();
    let lost: Refusal | null = null;
    for (const way of known === undefined
      ? traceMethods
      : [known, ...traceMethods.filter((method) => method !== known)]) {
      const outcome = await askForTraces(node, traceOfBlock(way, block, transactions), signal);
      if (outcome.kind === "moves") {
        ofNode.set(node.currentNode(), way);
        return outcome.moves;
      }
      const { refusal } = outcome;
      if (isUnsupported(refusal)) continue;
      if (isTooMuch(refusal)) return await traceSingly(way, block, transactions, signal);
      if (!forgottenState.test(refusal.message)) throw refused(node.chain, way, refusal);
      lost = refusal;
    }
    return lost === null ? withoutTraces() : skipUntraced(block, lost);
  };

  return {
    movesIn: async (block, transactions, signal) =>
      mode === "off" ? new Map() : await read(block, transactions, signal),
    limitation: async (signal) => {
      if (mode === "off") return "ether sent by contracts: tracing is switched off";
      if (!ofNode.has(node.currentNode())) await probe(node, signal, read);
      if (ofNode.get(node.currentNode()) === "none")
        return "ether sent by contracts: the node offers neither trace_block nor debug_traceBlockByHash";
      if (untraced.count === 0) return null;
      return `ether sent by contracts in ${untraced.count} blocks from ${untraced.first} to ${untraced.last}: the node no longer had their state, or their traces were too large`;
    },
  };
}

/** Traces the newest block, whose state every node still has, to detect what the node supports. */
async function probe(
  node: EvmNode,
  signal: AbortSignal,
  read: (block: BlockRef, none: readonly EvmTransaction[], signal: AbortSignal) => Promise<Moves>,
): Promise<void> {
  const latest = await node.ask(headerByNumber("latest"), signal);
  if (latest === null) throw new Unavailable(node.chain, "the node has no latest block");
  await read(latest, [], signal);
}

/** An error in any form: the node's, the tracer's inside its answer, or ours for an oversized answer. */
async function askForTraces(
  node: EvmNode,
  question: Question<TraceAnswer>,
  signal: AbortSignal,
): Promise<TraceAnswer> {
  try {
    const [outcome] = await node.askEach([question], signal);
    return "answer" in outcome ? outcome.answer : { kind: "refused", refusal: outcome.refusal };
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    return { kind: "refused", refusal: { code: 0, message: `too large: ${error.message}` } };
  }
}
