import type { LedgerEntryData } from "@stellar/stellar-sdk/xdr";
import { holdingKey } from "./entries.ts";
import type { Ledgers } from "./ledgers.ts";
import { entriesMax, entriesOf } from "./questions.ts";
import type { AskStellar } from "./stellar-node.ts";

/** Limits how many ledgers are read back. */
const ledgersBackMax = 100;

/**
 * What each account held of the asset right after the ledger with that hash, including what it reserves; null if the node does not have
 * that ledger, or is too far past it. A node answers only for its newest ledger, so later changes are taken back: the first one states
 * what was there before.
 */
export async function readBalancesAt(
  ask: AskStellar,
  ledgers: Ledgers,
  { addresses, asset, hash }: BalancesRequest,
): Promise<readonly bigint[] | null> {
  const ledger = await ledgers.withHash(ask, hash);
  if (ledger === null) return null;
  const { height } = ledger.header;
  const balances: bigint[] = [];
  for (let from = 0; from < addresses.length; from += entriesMax) {
    const part = addresses.slice(from, from + entriesMax);
    const found = await ask(entriesOf(part.map((address) => holdingKey(address, asset))));
    if (found.height < height || found.height - height > ledgersBackMax) return null;
    const later = await ledgers.between(ask, height + 1, found.height);
    if (later === null) return null;
    const changes = later.flatMap((one) => one.changes).filter((one) => one.asset === asset);
    for (const [place, address] of part.entries()) {
      const first = changes.find(({ account }) => account === address);
      balances.push(first?.before ?? unitsIn(found.entries[place] ?? null));
    }
  }
  return balances;
}

export type BalancesRequest = {
  readonly addresses: readonly string[];
  readonly asset: string;
  readonly hash: string;
};

/** The balance that an entry states; 0 without an entry. */
function unitsIn(entry: LedgerEntryData | null): bigint {
  if (entry?.type === "account") return entry.account.balance;
  return entry?.type === "trustline" ? entry.trustLine.balance : 0n;
}
