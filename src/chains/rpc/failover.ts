import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { withEitherSignal } from "../../platform/kernel/with-either-signal.ts";
import { ImpossibleAnswer } from "../port.ts";
import { NoAnswerInTime, NodeError, NodeFault } from "./node-error.ts";

/** A node as the failover knows it; names are distinct. */
type NamedNode = { readonly name: string; readonly close: () => Promise<void> };

/** The equal nodes of a chain, whatever they are asked and in which dialect. */
export type NodeClient = {
  /** The node in use; another one after it fails. */
  readonly currentNode: () => string;
  readonly nodes: readonly string[];
  /** The nodes that may be used now, the one in use first; refused ones wait for their retry time. */
  readonly available: () => readonly string[];
  /** Stops using the node for a growing time, after an answer that no honest node gives. */
  readonly setAside: (node: string, error: Error) => void;
  /** Uses this node from now on, until it fails. */
  readonly prefer: (node: string) => void;
  readonly close: () => Promise<void>;
};

export type Failover<Node extends NamedNode> = NodeClient & {
  /**
   * Asks one node after the other until one answers. Throws the node's error (`NodeError`), a verification's refusal when that
   * excludes every node, `NoAnswerInTime` when all that were asked stayed silent, else `Unavailable`.
   */
  readonly run: <Answer>(
    ask: (node: Node, signal: AbortSignal) => Promise<Answer>,
    how: {
      readonly signal: AbortSignal;
      readonly node: string | undefined;
      readonly attempts: number;
    },
  ) => Promise<Answer>;
};

type NodeState<Node extends NamedNode = NamedNode> = {
  readonly node: Node;
  readonly name: string;
  verification: Promise<void> | null;
  refusal: Error | null;
  failures: number;
  lastError: string | null;
  retryAt: Instant | null;
};

const firstDelayMs = 100;
const longestDelayMs = 2_000;
const firstCircuitSeconds = 0.5;
const longestCircuitSeconds = 30;

/** Equal nodes: the one in use stays in use until it fails, and a failed one is skipped for a growing time. */
export function createFailover<Node extends NamedNode>(
  nodes: readonly Node[],
  options: {
    readonly chain: string;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly random: Random;
    /** Must succeed before a node is used, and again after each of its failures; ends with `closing`. */
    readonly verify: ((node: Node, closing: AbortSignal) => Promise<void>) | null;
  },
): Failover<Node> {
  const { chain, clock, logger, random } = options;
  const closing = new AbortController();
  const states = nodes.map(createState);
  let current = states[0];

  /** Shared by all calls that wait for it, so it ends with the client, not with one call. */
  const verified = async (state: NodeState<Node>): Promise<void> => {
    if (options.verify === null) return;
    state.verification ??= options.verify(state.node, closing.signal);
    await state.verification;
  };

  const succeeded = (state: NodeState<Node>, isNamed: boolean): void => {
    // A call pinned to one node does not change which node serves the others.
    if (!isNamed) {
      if (state !== current)
        logger.warn("another node answers now", { from: current?.name, to: state.name });
      else if (state.failures > 0) logger.info("node answers again", { node: state.name });
      current = state;
    }
    Object.assign(state, { failures: 0, refusal: null, retryAt: null, lastError: null });
  };

  const failed = (state: NodeState, error: unknown): void => {
    state.verification = null;
    state.failures += 1;
    state.lastError = errorMessage(error);
    state.refusal = error instanceof Error && !isOutage(error) ? error : null;
    const seconds = Math.min(
      longestCircuitSeconds,
      firstCircuitSeconds * 2 ** (state.failures - 1),
    );
    state.retryAt = addSeconds(clock.now(), seconds * (0.5 + random.fraction() / 2));
    const fields = { node: state.name, failures: state.failures, error: state.lastError };
    if (state.refusal === null) logger.warn("node does not answer", fields);
    else logger.error("node refused", fields);
  };

  /** One call to one node; after `failed` and `silent` another attempt may succeed. */
  const attempt = async <Answer>(
    state: NodeState<Node>,
    ask: (node: Node, signal: AbortSignal) => Promise<Answer>,
    isNamed: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly answer: Answer } | "failed" | "silent"> => {
    let isVerified = false;
    try {
      await verified(state);
      isVerified = true;
      const answer = await ask(state.node, signal);
      succeeded(state, isNamed);
      return { answer };
    } catch (error) {
      if (signal.aborted) throw abortedError(chain);
      const isAnswer = isVerified && error instanceof NodeError;
      if (isAnswer) succeeded(state, isNamed);
      // Any other error of a verified node's call is its answer, or a bug in this code.
      if (isVerified && !(error instanceof NodeFault)) throw error;
      failed(state, error);
      return error instanceof NodeFault && error.kind === "timeout" ? "silent" : "failed";
    }
  };

  const askInTurn = async <Answer>(
    ask: (node: Node, signal: AbortSignal) => Promise<Answer>,
    how: { readonly node: string | undefined; readonly attempts: number },
    signal: AbortSignal,
  ): Promise<Answer> => {
    const candidates = states.filter((state) => how.node === undefined || state.name === how.node);
    const tries = new Map<NodeState<Node>, number>();
    let previous: NodeState<Node> | null = null;
    for (let count = 0; count < how.attempts; count += 1) {
      const state = choose(candidates, tries, current, clock.now());
      if (state === null) break;
      if (state === previous) await clock.sleep(backOffMs(count, random), signal);
      if (signal.aborted) throw abortedError(chain);
      const outcome = await attempt(state, ask, how.node !== undefined, signal);
      if (typeof outcome === "object") return outcome.answer;
      // A node that timed out is not tried again within the same call.
      tries.set(state, outcome === "silent" ? Infinity : (tries.get(state) ?? 0) + 1);
      previous = state;
    }
    const isSilent = tries.size > 0 && [...tries.values()].every((count) => count === Infinity);
    throw refusalOrUnavailable(chain, candidates, isSilent);
  };

  return {
    run: (ask, how) =>
      withEitherSignal(how.signal, closing.signal, (signal) => askInTurn(ask, how, signal)),
    currentNode: () => current?.name ?? "",
    nodes: states.map((state) => state.name),
    available: () => byRank(states, noTries, current, clock.now()).map(({ name }) => name),
    setAside: (node, error) => {
      const state = states.find(({ name }) => name === node);
      if (state !== undefined) failed(state, error);
    },
    prefer: (node) => {
      current = states.find(({ name }) => name === node) ?? current;
    },
    close: async () => {
      closing.abort();
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

function createState<Node extends NamedNode>(node: Node): NodeState<Node> {
  return {
    node,
    name: node.name,
    verification: null,
    refusal: null,
    failures: 0,
    lastError: null,
    retryAt: null,
  };
}

const noTries: ReadonlyMap<unknown, number> = new Map();

/** The first by `byRank`; null when all are excluded or did not answer. */
function choose<State extends NodeState>(
  candidates: readonly State[],
  tries: ReadonlyMap<unknown, number>,
  current: State | undefined,
  now: Instant,
): State | null {
  return byRank(candidates, tries, current, now)[0] ?? null;
}

/**
 * Closed circuits first, the node in use before its equals, and among open circuits the least tried in this call; without refused
 * and silent nodes.
 */
function byRank<State extends NodeState>(
  candidates: readonly State[],
  tries: ReadonlyMap<unknown, number>,
  current: State | undefined,
  now: Instant,
): readonly State[] {
  const isOpen = (state: NodeState): boolean => state.retryAt !== null && state.retryAt > now;
  const triesOf = (state: NodeState): number => tries.get(state) ?? 0;
  const rank = (state: NodeState): number => {
    if (isOpen(state)) return 1 + triesOf(state);
    return state === current ? -1 : 0;
  };
  const able = candidates.filter(
    (state) => triesOf(state) !== Infinity && !(state.refusal !== null && isOpen(state)),
  );
  return able.toSorted((a, b) =>
    rank(a) === rank(b) ? (a.retryAt ?? 0) - (b.retryAt ?? 0) : rank(a) - rank(b),
  );
}

/** A verification that could not run proves nothing about the network; any other error is a refusal. */
function isOutage(error: Error): boolean {
  if (error instanceof ImpossibleAnswer) return false;
  return error instanceof NodeFault || error instanceof NodeError || error instanceof Unavailable;
}

function abortedError(chain: string): Unavailable {
  return new Unavailable(chain, "stopped while asking a node");
}

/** Doubling delays, each between half and all of its value, so that many callers do not return at once. */
function backOffMs(count: number, random: Random): number {
  const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (count - 1));
  return delayMs * (0.5 + random.fraction() / 2);
}

/** The refusal itself where it excludes every node: a wrong network is not an outage. */
function refusalOrUnavailable(
  chain: string,
  candidates: readonly NodeState[],
  isSilent: boolean,
): Error {
  const refusals = candidates.flatMap((state) => (state.refusal === null ? [] : [state.refusal]));
  const [refusal] = refusals;
  if (refusal !== undefined && refusals.length === candidates.length) return refusal;
  const reasons = candidates.map((state) => `${state.name}: ${state.lastError ?? "not asked"}`);
  const message = `no node answers (${reasons.join("; ")})`;
  return isSilent ? new NoAnswerInTime(chain, message) : new Unavailable(chain, message);
}
