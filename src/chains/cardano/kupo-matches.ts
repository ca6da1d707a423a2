import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import { readHash, readNumber, readUnits } from "./answer.ts";
import type { CardanoLink } from "./cardano-node.ts";
import type { Point } from "./point.ts";

/** An output that Kupo has seen on its chain. */
export type KupoMatch = {
  readonly outpoint: string;
  readonly address: string;
  readonly units: bigint;
  readonly created: Point;
  readonly spent: { readonly at: Point; readonly by: string | null } | null;
};

/** All outputs of the transaction that Kupo knows; none if it is in no block of its chain. */
export async function outputsOf(link: CardanoLink, txid: string): Promise<readonly KupoMatch[]> {
  return await matches(link, `*@${txid}`);
}

/** The output `txid:index`; null if no block of its chain has it. */
export async function outputAt(link: CardanoLink, outpoint: string): Promise<KupoMatch | null> {
  const [txid = "", index = ""] = outpoint.split(":");
  return (await matches(link, `${index}@${txid}`))[0] ?? null;
}

/** Every output that ever paid the address, also spent ones, unless Kupo removes them after some days (`--prune-utxo`). */
export async function outputsTo(link: CardanoLink, address: string): Promise<readonly KupoMatch[]> {
  return await matches(link, address);
}

/** Throws `Unavailable` while Kupo has not read the node's chain up to that slot: its answers would leave out what it has not read. */
export async function requireIndexed(link: CardanoLink, slot: number): Promise<void> {
  const indexed = await link.kupo("/health", (document) => {
    const newest = readFields(document)["most_recent_checkpoint"];
    return newest === null ? -1 : readNumber(newest);
  });
  if (indexed < slot)
    throw new Unavailable("kupo", `has read the chain up to slot ${indexed}, not to ${slot}`);
}

async function matches(link: CardanoLink, pattern: string): Promise<readonly KupoMatch[]> {
  return await link.kupo(`/matches/${pattern}`, (document) => readList(document).map(readMatch));
}

function readMatch(value: unknown): KupoMatch {
  const match = readFields(value);
  const spent = match["spent_at"];
  return {
    outpoint: `${readHash(match["transaction_id"])}:${readNumber(match["output_index"])}`,
    address: readText(match["address"]),
    units: readUnits(readFields(match["value"])["coins"]),
    created: readPlace(match["created_at"]),
    spent: spent === null ? null : { at: readPlace(spent), by: spenderIn(spent) },
  };
}

function readPlace(value: unknown): Point {
  const place = readFields(value);
  return { slot: readNumber(place["slot_no"]), id: readHash(place["header_hash"]) };
}

function spenderIn(value: unknown): string | null {
  const by = readFields(value)["transaction_id"];
  if (by === undefined)
    throw new Malformed("no transaction that spent the output: Kupo 2.9 or later is needed");
  return by === null ? null : readHash(by);
}
