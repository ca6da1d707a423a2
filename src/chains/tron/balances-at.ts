import { type Currency, contractAmong } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef } from "../port.ts";
import { accountAt, tokenBalanceAt } from "./account.ts";
import { movesOf } from "./moves.ts";
import { blockWithId, newestHeader } from "./questions.ts";
import { type ExecutedBlock, readExecutedBlock } from "./read-block.ts";
import type { AskTron, TronNode } from "./tron-node.ts";

type BalanceRequest = {
  readonly addresses: readonly string[];
  readonly currency: CurrencyId;
  readonly hash: string;
};

/** Few enough to be read between two blocks, which are three seconds apart, even from a distant node. */
const balancesAtOnce = 50;
const attempts = 4;
/** Limits how many blocks are fetched and undone. */
const blocksBackMax = 20;

/**
 * Each address's balance of the currency right after the solid block with that hash; null if the node lacks that block or is
 * already too far past it. Coin includes what the account has staked or lent as energy.
 *
 * A node answers only for its newest solid block, and a new one comes every three seconds. So balances are read in parts, each as
 * of the solid block before and after the part, and the moves of the blocks since `hash` are undone.
 */
export async function readBalancesAt(
  node: TronNode,
  currencies: readonly Currency[],
  { addresses, currency, hash }: BalanceRequest,
  signal: AbortSignal,
): Promise<readonly bigint[] | null> {
  const contract = contractAmong(currencies, currency);
  if (addresses.length === 0) return [];
  return node.consult(async (ask) => {
    const block = (await ask(blockWithId("walletsolidity", hash)))?.header ?? null;
    if (block === null) return null;
    const read = new Map<string, ExecutedBlock>();
    const balances: bigint[] = [];
    for (let from = 0; from < addresses.length; from += balancesAtOnce) {
      const part = addresses.slice(from, from + balancesAtOnce);
      const { at, units } = await readTogether(node.chain, ask, contract, part);
      if (at.height - block.height > blocksBackMax) return null;
      const moved = await readBetween(node.chain, ask, { block, at, read });
      if (moved === null) return null;
      const changes = changesIn(moved, contract);
      balances.push(
        ...part.map((address, place) => {
          const now = present(units[place], "a balance");
          return now - (changes.get(address) ?? 0n);
        }),
      );
    }
    return balances;
  }, signal);
}

/** Balances that all belong to one solid block. */
async function readTogether(
  chain: string,
  ask: AskTron,
  contract: string | null,
  addresses: readonly string[],
): Promise<{ readonly at: BlockRef; readonly units: readonly bigint[] }> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const before = await ask(newestHeader("walletsolidity"));
    const units = await Promise.all(addresses.map((address) => balanceOf(ask, contract, address)));
    const after = await ask(newestHeader("walletsolidity"));
    if (before !== null && before.hash === after?.hash) return { at: before, units };
  }
  throw new Unavailable(chain, "the node's solid block moves faster than balances can be read");
}

async function balanceOf(ask: AskTron, contract: string | null, address: string): Promise<bigint> {
  if (contract !== null) return ask(tokenBalanceAt("walletsolidity", contract, address));
  const account = await ask(accountAt("walletsolidity", address));
  return account === null ? 0n : account.spendable + account.staked;
}

/** The blocks after `block` up to `at`; null if they do not lead back to it. `read` caches blocks across calls. */
async function readBetween(
  chain: string,
  ask: AskTron,
  {
    block,
    at,
    read,
  }: {
    readonly block: BlockRef;
    readonly at: BlockRef;
    readonly read: Map<string, ExecutedBlock>;
  },
): Promise<readonly ExecutedBlock[] | null> {
  const blocks: ExecutedBlock[] = [];
  let { height, hash } = at;
  while (height > block.height) {
    const one =
      read.get(hash) ?? (await readExecutedBlock(chain, ask, "walletsolidity", { height, hash }));
    if (one === null) return null;
    read.set(hash, one);
    blocks.push(one);
    height -= 1;
    hash = one.header.parentHash;
  }
  return hash === block.hash ? blocks : null;
}

/** What the blocks added to each address, negative if it lost. Fees are paid in coin, even by failed transactions. */
function changesIn(
  blocks: readonly ExecutedBlock[],
  contract: string | null,
): ReadonlyMap<string, bigint> {
  const changes = new Map<string, bigint>();
  const add = (address: string, units: bigint): void => {
    changes.set(address, (changes.get(address) ?? 0n) + units);
  };
  for (const executed of blocks.flatMap((block) => block.executed)) {
    const { owner } = executed.transaction;
    if (contract === null && owner !== null) add(owner, -executed.receipt.feeUnits);
    for (const move of movesOf(executed)) {
      if (move.contract !== contract) continue;
      add(move.from, -move.units);
      add(move.to, move.units);
    }
  }
  return changes;
}
