import { excludeBehind } from "../rpc/exclude-behind.ts";
import type { AlgodNode, AskAlgod } from "./algod-node.ts";
import { newestRound } from "./questions.ts";

/** Nodes for questions whose answers depend on our own transactions. */
export type UpToDateNode = {
  readonly node: AlgodNode;
  /** See `ChainWriter.account.excludeBehind`. */
  readonly excludeBehind: (round: number) => void;
};

/** The same nodes, of which those are consulted that have reached the highest round that was excluded; at first all of them. */
export function createUpToDateNode(node: AlgodNode): UpToDateNode {
  const { consult, excludeBehind: exclude } = excludeBehind<AskAlgod>(
    (work, signal) => node.consult(work, signal),
    (ask) => ask(newestRound),
  );
  return { node: { ...node, consult }, excludeBehind: exclude };
}
