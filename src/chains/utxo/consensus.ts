import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { readFields, readInteger, readText } from "./answer.ts";

/** What a transaction of version 5 states about the rules that it follows. */
export type Consensus = {
  /** ZIP-200: eight hex digits, as nodes show them. A block under other rules never contains it. */
  readonly branchId: string;
  /** ZIP-203: the last block that may contain it. */
  readonly expiryHeight: number;
};

/** What a node says about the rules of its next block. */
type NextRules = {
  readonly tipHeight: number;
  readonly branchId: string;
  /** The first block of the next upgrade that the node knows; null if there is none. */
  readonly nextActivation: number | null;
};

/** A draft must be valid for as many blocks, see `Draft.validity`. */
const blocksMin = 10;

/**
 * The rules for a transaction that is drafted now and expires after that many blocks, or before the next upgrade, which would
 * invalidate its signatures. Throws `Unavailable` in the last blocks before an upgrade, when it could hardly be mined.
 */
export async function readConsensus(
  rpc: JsonRpc,
  expiryBlocks: number,
  signal: AbortSignal,
): Promise<Consensus> {
  const { branchId, nextActivation, tipHeight } = await readNextRules(rpc, signal);
  const wanted = tipHeight + expiryBlocks;
  if (nextActivation === null || wanted < nextActivation) return { branchId, expiryHeight: wanted };
  if (nextActivation - 1 < tipHeight + blocksMin)
    throw new Unavailable(
      "node",
      `transactions are drafted again once the upgrade at height ${nextActivation} is active`,
    );
  return { branchId, expiryHeight: nextActivation - 1 };
}

/** Whether no block after the node's tip can contain a transaction that states this. */
export async function isOutdated(
  rpc: JsonRpc,
  consensus: Consensus,
  signal: AbortSignal,
): Promise<boolean> {
  const { branchId, tipHeight } = await readNextRules(rpc, signal);
  return tipHeight >= consensus.expiryHeight || branchId !== consensus.branchId;
}

async function readNextRules(rpc: JsonRpc, signal: AbortSignal): Promise<NextRules> {
  const info = readFields(await rpc.call("getblockchaininfo", [], signal));
  const tipHeight = readInteger(info["blocks"]);
  const branchId = readText(readFields(info["consensus"])["nextblock"]);
  if (!/^[0-9a-f]{8}$/.test(branchId))
    throw new Unavailable("node", `answered something unexpected as a branch id: ${branchId}`);
  const activations = Object.values(readFields(info["upgrades"]))
    .map((upgrade) => readInteger(readFields(upgrade)["activationheight"]))
    // The rules of the next block are already its branch id's.
    .filter((height) => height > tipHeight + 1);
  return {
    tipHeight,
    branchId,
    nextActivation: activations.length === 0 ? null : Math.min(...activations),
  };
}
