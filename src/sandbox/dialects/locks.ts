import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import type { UtxoNode } from "../utxo-node.ts";

export type LockedBlock = { readonly height: number; readonly hash: string };

type Stored = {
  /** The newest locked block, while new blocks are not locked by themselves. */
  readonly block: LockedBlock | null;
  readonly isEveryBlockLocked: boolean;
  readonly txids: readonly string[];
};

/** What a network of masternodes would have locked. Nobody signs: the sandbox says what is locked. Nothing is ever unlocked. */
export type Locks = {
  /** The newest locked block, with which those below it are locked; null before the first lock. */
  readonly newest: () => Promise<LockedBlock | null>;
  readonly isTransactionLocked: (txid: string) => boolean;
  readonly lockTip: () => Promise<void>;
  readonly lockTransaction: (txid: string) => Promise<void>;
  /** From now on each new block is locked at once, or none unless `lockTip` is called. */
  readonly lockEveryBlock: (isEvery: boolean) => Promise<void>;
};

/** Reads the locks of that folder, which are kept there. */
export async function openLocks(folder: string, node: Pick<UtxoNode, "command">): Promise<Locks> {
  const file = join(folder, "locks.json");
  let stored = await readStored(file);
  const store = async (changed: Partial<Stored>): Promise<void> => {
    stored = { ...stored, ...changed };
    await writeAtomically(file, JSON.stringify(stored));
  };
  const tip = async (): Promise<LockedBlock> => {
    const hash = await node.command<string>("getbestblockhash");
    const { height } = await node.command<{ height: number }>("getblockheader", [hash, true]);
    return { height, hash };
  };
  return {
    newest: async () => (stored.isEveryBlockLocked ? await tip() : stored.block),
    isTransactionLocked: (txid) => stored.txids.includes(txid),
    lockTip: async () => store({ block: await tip() }),
    lockTransaction: (txid) => store({ txids: [...new Set([...stored.txids, txid])] }),
    lockEveryBlock: async (isEvery) => store({ block: await tip(), isEveryBlockLocked: isEvery }),
  };
}

async function readStored(file: string): Promise<Stored> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Stored;
  } catch {
    return { block: null, isEveryBlockLocked: false, txids: [] };
  }
}
