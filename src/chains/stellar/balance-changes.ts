import type { LedgerEntry, LedgerEntryChange, LedgerKey } from "@stellar/stellar-sdk/xdr";
import { assetName, native } from "./asset.ts";
import { addressOfKey } from "./payee-addressing.ts";

/** A balance that a list of changes altered. */
export type BalanceChange = {
  readonly account: string;
  /** See `assetName`. */
  readonly asset: string;
  readonly before: bigint;
  readonly after: bigint;
};

/**
 * The balances that the changes of one step altered. The metadata lists an entry's old state before each change. Nodes list the entries
 * in an order of their own, so the result is sorted.
 */
export function balanceChangesIn(changes: readonly LedgerEntryChange[]): readonly BalanceChange[] {
  const altered = new Map<string, { before: bigint; after: bigint; known: Balance }>();
  for (const change of changes) {
    const entry = entryOf(change);
    if (entry === null) continue;
    const name = `${entry.account}/${entry.asset}`;
    const known = altered.get(name);
    // Without an old state, the entry is new.
    const before = change.type === "ledgerEntryState" ? entry.units : 0n;
    if (known === undefined) altered.set(name, { before, after: entry.units, known: entry });
    else known.after = entry.units;
  }
  return [...altered]
    .filter(([, { before, after }]) => before !== after)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([
        ,
        {
          before,
          after,
          known: { account, asset },
        },
      ]) => ({ account, asset, before, after }),
    );
}

type Balance = { readonly account: string; readonly asset: string; readonly units: bigint };

function entryOf(change: LedgerEntryChange): Balance | null {
  switch (change.type) {
    case "ledgerEntryState":
      return balanceOf(change.state);
    case "ledgerEntryCreated":
      return balanceOf(change.created);
    case "ledgerEntryUpdated":
      return balanceOf(change.updated);
    case "ledgerEntryRestored":
      return balanceOf(change.restored);
    case "ledgerEntryRemoved":
      return removedBalance(change.removed);
  }
}

function balanceOf({ data }: LedgerEntry): Balance | null {
  if (data.type === "account") {
    const { accountId, balance } = data.account;
    return { account: addressOfKey(accountId.ed25519.value), asset: native, units: balance };
  }
  if (data.type !== "trustline") return null;
  const { accountId, asset, balance } = data.trustLine;
  const name = assetName(asset);
  return name === null
    ? null
    : { account: addressOfKey(accountId.ed25519.value), asset: name, units: balance };
}

function removedBalance(key: LedgerKey): Balance | null {
  if (key.type === "account")
    return { account: addressOfKey(key.account.accountId.ed25519.value), asset: native, units: 0n };
  if (key.type !== "trustline") return null;
  const name = assetName(key.trustLine.asset);
  return name === null
    ? null
    : { account: addressOfKey(key.trustLine.accountId.ed25519.value), asset: name, units: 0n };
}
