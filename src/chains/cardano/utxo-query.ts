import { readList } from "../rpc/answer.ts";
import { type CardanoOutput, readOutpoint, readOutput } from "./block.ts";
import type { CardanoLink } from "./cardano-node.ts";
import { readPoint, spellPoint } from "./point.ts";

/** Outputs in one question; the node looks each up in its ledger. */
const askedMax = 1_000;

/** Those of the outputs `txid:index` that are unspent on the node's chain, by outpoint. */
export async function readUnspent(
  link: CardanoLink,
  outpoints: readonly string[],
): Promise<ReadonlyMap<string, CardanoOutput>> {
  const found = new Map<string, CardanoOutput>();
  for (let from = 0; from < outpoints.length; from += askedMax) {
    const outputReferences = outpoints.slice(from, from + askedMax).map((outpoint) => {
      const [id = "", index = ""] = outpoint.split(":");
      return { transaction: { id }, index: Number(index) };
    });
    const entries = await link.ogmios("queryLedgerState/utxo", { outputReferences }, (result) =>
      readList(result).map((value) => {
        const outpoint = readOutpoint(value);
        return [outpoint, readOutput(value, Number(outpoint.split(":")[1]))] as const;
      }),
    );
    for (const [outpoint, output] of entries) found.set(outpoint, output);
  }
  return found;
}

/** The point of the node's newest block, spelled. */
export async function newestPoint(link: CardanoLink): Promise<string> {
  return await link.ogmios("queryNetwork/tip", {}, (result) => spellPoint(readPoint(result)));
}

/** The slot of the node's newest block. */
export async function newestSlot(link: CardanoLink): Promise<number> {
  return await link.ogmios("queryNetwork/tip", {}, (result) => readPoint(result).slot);
}
