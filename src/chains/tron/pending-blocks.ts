import { NodeFault } from "../rpc/node-error.ts";
import { newestHeader } from "./questions.ts";
import { type ExecutedBlock, readExecutedBlock } from "./read-block.ts";
import type { AskTron, TronNode } from "./tron-node.ts";

/** Reads the blocks above the solid one. */
export type PendingBlocks = (signal: AbortSignal) => Promise<readonly ExecutedBlock[]>;

/** About 19 blocks are not solid yet; far more only while most witnesses are silent. */
const blocksMax = 1_000;

/**
 * The blocks above the solid one, newest first; all from one node, each the parent of the one before. Blocks of the previous call
 * are not read again.
 */
export function createPendingBlocks(node: TronNode): PendingBlocks {
  let known: ReadonlyMap<string, ExecutedBlock> = new Map();
  return async (signal) => {
    const blocks = await node.consult((ask) => readDownToSolid(node.chain, ask, known), signal);
    known = new Map(blocks.map((block) => [block.header.hash, block]));
    return blocks;
  };
}

/** Rejects with `NodeFault` if the node's answers are inconsistent, for example because its chain changed in between. */
async function readDownToSolid(
  chain: string,
  ask: AskTron,
  known: ReadonlyMap<string, ExecutedBlock>,
): Promise<readonly ExecutedBlock[]> {
  const solid = await ask(newestHeader("walletsolidity"));
  const head = await ask(newestHeader("wallet"));
  if (solid === null || head === null) throw new NodeFault("garbage", "has no blocks");
  if (head.height - solid.height > blocksMax)
    throw new NodeFault("garbage", `has no solid block among its newest ${blocksMax}`);
  const blocks: ExecutedBlock[] = [];
  let next = head;
  while (next.height > solid.height) {
    const { height, hash } = next;
    const block =
      known.get(hash) ?? (await readExecutedBlock(chain, ask, "wallet", { height, hash }));
    if (block === null) throw new NodeFault("garbage", `replaced block ${hash} while it was read`);
    blocks.push(block);
    next = { ...next, height: height - 1, hash: block.header.parentHash };
  }
  if (next.hash !== solid.hash)
    throw new NodeFault("garbage", "has newest blocks that do not follow its solid block");
  return blocks;
}
