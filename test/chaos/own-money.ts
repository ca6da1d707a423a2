import { familyOf } from "../../src/main/families/families.ts";
import { type Debit, spelling, type TruthBlock } from "./best-chain.ts";
import type { Evidence } from "./finding.ts";

/** Our own addresses on a chain, of deposits and the operator, in the truth readers' spelling. */
export async function ownAddresses(
  { sql }: Pick<Evidence, "sql">,
  chain: string,
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ address: string }>(
    `select address from address where keyspace = $1
     union select address from treasury_address where keyspace = $1`,
    [familyOf(chain).keyspace.name],
  );
  return new Set(rows.map(({ address }) => spelling(address)));
}

/** Everything that left our own addresses in the blocks of the best chains. */
export async function debitsOfOurs(evidence: Evidence): Promise<readonly Debit[]> {
  const found: Debit[] = [];
  for (const { actor } of evidence.chains) {
    const own = await ownAddresses(evidence, actor.chain);
    for (const { debits } of actor.best.blocks) {
      found.push(...debits.filter(({ address }) => own.has(address)));
    }
  }
  return found;
}

/** What our own addresses paid for receiving in the blocks of the best chains. */
export async function chargesOfOurs(evidence: Evidence): Promise<readonly Debit[]> {
  const found: Debit[] = [];
  for (const { actor } of evidence.chains) {
    const own = await ownAddresses(evidence, actor.chain);
    for (const { charges = [] } of actor.best.blocks)
      found.push(...charges.filter(({ address }) => own.has(address)));
  }
  return found;
}

/** The blocks of the best chains by transaction, except coinbase transactions. */
export function onChain({ chains }: Evidence): ReadonlyMap<string, TruthBlock> {
  const blocks = new Map<string, TruthBlock>();
  for (const block of chains.flatMap(({ actor }) => actor.best.blocks)) {
    for (const txid of block.burnt.keys()) blocks.set(txid, block);
  }
  return blocks;
}
