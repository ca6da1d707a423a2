import type { AskAlgod } from "./algod-node.ts";
import type { AlgorandBlock } from "./block.ts";
import type { Blocks } from "./blocks.ts";
import { accountAt, holdingAt } from "./questions.ts";

export type BalancesRequest = {
  readonly addresses: readonly string[];
  /** The asset's id; null for coin. */
  readonly asset: string | null;
  readonly hash: string;
};

/** Limits how many blocks are read back. */
const blocksBackMax = 100;
const atOnce = 8;

/**
 * What each address held right after the block with that hash, including what it must keep; null if the node lacks that block, or is too far
 * past it. A node answers only for its newest block and names it, so what the blocks since then moved is taken back.
 */
export async function readBalancesAt(
  ask: AskAlgod,
  blocks: Blocks,
  { addresses, asset, hash }: BalancesRequest,
): Promise<readonly bigint[] | null> {
  const block = await blocks.withHash(ask, hash);
  if (block === null) return null;
  const { height } = block.header;
  const balances: bigint[] = [];
  for (let from = 0; from < addresses.length; from += atOnce) {
    const part = addresses.slice(from, from + atOnce);
    const found = await Promise.all(part.map((address) => balanceOf(ask, address, asset)));
    const rounds = found.map(({ round }) => round);
    const newest = Math.max(...rounds);
    if (Math.min(...rounds) < height || newest - height > blocksBackMax) return null;
    const later = await blocks.between(ask, height + 1, newest);
    if (later === null) return null;
    for (const [place, { round, units }] of found.entries()) {
      const address = part[place] ?? "";
      const since = later.filter(({ header }) => header.height <= round);
      balances.push(since.reduce((sum, one) => sum - changeIn(one, address, asset), units));
    }
  }
  return balances;
}

async function balanceOf(
  ask: AskAlgod,
  address: string,
  asset: string | null,
): Promise<{ readonly round: number; readonly units: bigint }> {
  if (asset === null) return await ask(accountAt(address));
  const holding = await ask(holdingAt(address, asset));
  // Without the asset, the answer names no round.
  return holding ?? { round: (await ask(accountAt(address))).round, units: 0n };
}

/** What a block added to an address; negative if it lost. */
function changeIn({ transactions }: AlgorandBlock, address: string, asset: string | null): bigint {
  let change = 0n;
  for (const { sender, feeUnits, moves } of transactions) {
    if (asset === null && sender === address) change -= feeUnits;
    for (const move of moves) {
      if (move.asset !== asset) continue;
      if (move.from === address) change -= move.units;
      if (move.to === address) change += move.units;
    }
  }
  return change;
}
