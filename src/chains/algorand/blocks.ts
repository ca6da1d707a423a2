import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { NodeFault } from "../rpc/node-error.ts";
import type { AskAlgod } from "./algod-node.ts";
import type { AlgorandBlock } from "./block.ts";
import { blockAt, newestRound } from "./questions.ts";

/** The blocks of one network, by round and by hash; the newest ones read are kept in memory, because they never change. */
export type Blocks = {
  /** Null above the newest one. Rejects with `NodeFault` for a block that the node has no more. */
  readonly at: (ask: AskAlgod, round: number) => Promise<AlgorandBlock | null>;
  /** Null if no block that the node has has that hash. */
  readonly withHash: (ask: AskAlgod, hash: string) => Promise<AlgorandBlock | null>;
  /** The blocks from one round to another; null if the node does not have all of them. */
  readonly between: (
    ask: AskAlgod,
    from: number,
    to: number,
  ) => Promise<readonly AlgorandBlock[] | null>;
};

/** Block 0 only says what the network began with. */
const firstRound = 1;
const keptMax = 32;
const namesMax = 20_000;
/** algod finds no block by its hash, so the newest ones are searched: about five minutes' worth. */
const searchedMax = 100;
const atOnce = 8;

export function createBlocks(chain: string): Blocks {
  const kept = new Map<number, AlgorandBlock>();
  const rounds = new Map<string, number>();

  const at = async (ask: AskAlgod, round: number): Promise<AlgorandBlock | null> => {
    const known = kept.get(round);
    if (known !== undefined) return known;
    if (round < firstRound) return null;
    const block = await ask(blockAt(round));
    if (block !== null) {
      if (block.header.height !== round)
        throw new NodeFault("garbage", `answered block ${block.header.height} as block ${round}`);
      kept.set(round, block);
      rounds.set(block.header.hash, round);
      dropOldest(kept, keptMax);
      dropOldest(rounds, namesMax);
      return block;
    }
    const newest = await ask(newestRound);
    if (round > newest) return null;
    // Nodes that are not archival keep the newest thousand or so.
    throw new NodeFault("denied", `has no block ${round}, its newest is ${newest}`);
  };

  const between: Blocks["between"] = async (ask, from, to) => {
    const blocks: AlgorandBlock[] = [];
    while (from + blocks.length <= to) {
      const next = from + blocks.length;
      const count = Math.min(atOnce, to - next + 1);
      const found = await Promise.all(
        Array.from({ length: count }, (_, place) => at(ask, next + place)),
      );
      const present = found.filter((block) => block !== null);
      if (present.length < count) return null;
      blocks.push(...present);
    }
    return blocks;
  };

  return {
    at,
    between,
    withHash: async (ask, hash) => {
      const known = rounds.get(hash);
      if (known !== undefined) {
        const block = await at(ask, known);
        return block?.header.hash === hash ? block : null;
      }
      const newest = await ask(newestRound);
      for (let round = newest; round >= firstRound && round > newest - searchedMax; round -= 1) {
        const block = await at(ask, round);
        if (block?.header.hash === hash) return block;
      }
      // An older block may have it: its absence is not proven.
      if (newest >= searchedMax)
        throw new Unavailable(chain, `block ${hash} is not among the newest ${searchedMax}`);
      return null;
    },
  };
}

function dropOldest(map: Map<unknown, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
