import type { CardanoLink } from "./cardano-node.ts";
import { checkpointAt } from "./chain-walk.ts";
import { type KupoMatch, outputsTo } from "./kupo-matches.ts";
import { isSamePoint, type Point, parsePoint } from "./point.ts";

const atOnce = 8;

/**
 * The coin that each address held right after the block with that hash, also where it lies with tokens; null if Kupo does not have the
 * block. Kupo keeps for days what was spent, so it knows what was unspent then.
 */
export async function readBalancesAt(
  link: CardanoLink,
  addresses: readonly string[],
  hash: string,
): Promise<readonly bigint[] | null> {
  const point = parsePoint(hash);
  if (point === null || !(await hasBlock(link, point))) return null;
  const balances: bigint[] = [];
  for (let from = 0; from < addresses.length; from += atOnce) {
    const part = addresses.slice(from, from + atOnce);
    const found = await Promise.all(part.map((address) => outputsTo(link, address)));
    balances.push(...found.map((outputs) => unspentAt(outputs, point.slot)));
  }
  // Asked before and after: what lies between was read from one branch.
  return (await hasBlock(link, point)) ? balances : null;
}

async function hasBlock(link: CardanoLink, point: Point): Promise<boolean> {
  const held = await checkpointAt(link, point.slot);
  return held !== null && isSamePoint(held, point);
}

function unspentAt(outputs: readonly KupoMatch[], slot: number): bigint {
  return outputs
    .filter(
      ({ created, spent }) => created.slot <= slot && (spent === null || spent.at.slot > slot),
    )
    .reduce((sum, { units }) => sum + units, 0n);
}
