import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { NodeClient } from "./failover.ts";
import type { HttpNodes, NodeLink, RunOptions } from "./http-nodes.ts";
import { NodeError } from "./node-error.ts";

/**
 * The nodes of one chain, asked in the dialect of their interface. `Ask` puts one question to one node; it rejects with `NodeFault`
 * or, when the node answers with an error, with `NodeError`. Every method rejects with `Unavailable` when no node answers.
 */
export type DialectNodes<Ask> = NodeClient & {
  readonly chain: string;
  /** One or several questions to one node; if it fails, all of them go to the next one. */
  readonly consult: <Answer>(
    work: (ask: Ask) => Promise<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** Commands, sent to one node once. After `Unavailable`, the node may or may not have executed them. */
  readonly command: <Answer>(
    work: (ask: Ask) => Promise<Answer>,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** The same client, restricted to that node. Closing it closes nothing. */
  readonly only: (node: string) => DialectNodes<Ask>;
};

/** Equal nodes behind HTTP. `askOver` returns the dialect's questions to the node behind a link. */
export function createDialectNodes<Ask>(
  chain: string,
  nodes: HttpNodes,
  askOver: (link: NodeLink) => Ask,
): DialectNodes<Ask> {
  const { run: runOn, only, ...client } = nodes;
  const run = async <Answer>(
    work: (ask: Ask) => Promise<Answer>,
    signal: AbortSignal,
    options: RunOptions,
  ): Promise<Answer> => {
    try {
      return await runOn((link) => work(askOver(link)), signal, options);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw new Unavailable(chain, error.message, error);
    }
  };
  return {
    ...client,
    chain,
    consult: (work, signal) => run(work, signal, {}),
    command: (work, signal) => run(work, signal, { attempts: 1 }),
    only: (node) => createDialectNodes(chain, only(node), askOver),
  };
}
