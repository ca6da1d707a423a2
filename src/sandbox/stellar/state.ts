import { Asset } from "@stellar/stellar-sdk/base";
import {
  type AccountEntry,
  type LedgerEntry,
  LedgerEntryChange,
  type LedgerKey,
  type OfferEntry,
  type PublicKey,
  type TrustLineEntry,
} from "@stellar/stellar-sdk/xdr";
import { accountKey, keyOf, nameOf, sponsoredBy, sponsorOf, trustLineKey } from "./entries.ts";

/** The entries of a ledger by their keys. */
export type State = ReadonlyMap<string, LedgerEntry>;

/** Changes on top of a state, which can be made part of it or thrown away. */
export type Draft = {
  readonly get: (key: LedgerKey) => LedgerEntry | null;
  readonly account: (accountId: PublicKey) => AccountEntry | null;
  readonly trustLine: (accountId: PublicKey, asset: Asset) => TrustLineEntry | null;
  readonly offers: () => Iterable<OfferEntry>;
  /** A number for a new offer; numbers are never used again. */
  readonly newId: () => bigint;
  /** The newest of those numbers. */
  readonly lastId: () => bigint;
  /** Who keeps an entry's reserve stays. */
  readonly put: (entry: LedgerEntry) => void;
  readonly remove: (key: LedgerKey) => void;
  /** A draft on top of this one. */
  readonly nested: () => Draft;
  /** Makes a nested draft's changes part of the one below it. */
  readonly commit: () => void;
  /** The changes as the metadata lists them: each entry's old state, then what became of it. */
  readonly changes: () => LedgerEntryChange[];
};

type Below = {
  readonly read: (name: string) => LedgerEntry | null;
  readonly write: (name: string, change: Change) => void;
  readonly offers: () => Iterable<readonly [name: string, offer: OfferEntry]>;
  readonly lastId: bigint;
  readonly useIds: (last: bigint) => void;
};
type Change = { readonly key: LedgerKey; readonly entry: LedgerEntry | null };

/** A draft on top of a state, which `commit` changes; `lastId` is the newest number of an offer. */
export function draftOn(state: Map<string, LedgerEntry>, lastId: bigint): Draft {
  return draftAbove({
    lastId,
    // The ledger's header keeps it.
    useIds: () => undefined,
    *offers() {
      for (const [name, { data }] of state) if (data.type === "offer") yield [name, data.offer];
    },
    read: (name) => state.get(name) ?? null,
    write: (name, { entry }) => {
      if (entry === null) state.delete(name);
      else state.set(name, entry);
    },
  });
}

function draftAbove(below: Below): Draft {
  const changed = new Map<string, Change>();
  let { lastId } = below;
  function* offers(): Iterable<readonly [string, OfferEntry]> {
    for (const [name, { entry }] of changed)
      if (entry?.data.type === "offer") yield [name, entry.data.offer];
    for (const [name, offer] of below.offers()) if (!changed.has(name)) yield [name, offer];
  }
  const read = (name: string): LedgerEntry | null => {
    const change = changed.get(name);
    return change === undefined ? below.read(name) : change.entry;
  };
  const get = (key: LedgerKey): LedgerEntry | null => read(nameOf(key));
  return {
    get,
    account: (accountId) => {
      const data = get(accountKey(accountId))?.data;
      return data?.type === "account" ? data.account : null;
    },
    trustLine: (accountId, asset) => {
      const data = get(trustLineKey(accountId, asset))?.data;
      return data?.type === "trustline" ? data.trustLine : null;
    },
    *offers() {
      for (const [, offer] of offers()) yield offer;
    },
    newId: () => {
      lastId += 1n;
      return lastId;
    },
    lastId: () => lastId,
    put: (entry) => {
      const key = keyOf(entry);
      const name = nameOf(key);
      const sponsor = sponsorOf(read(name) ?? entry);
      changed.set(name, { key, entry: sponsor === null ? entry : sponsoredBy(entry, sponsor) });
    },
    remove: (key) => {
      changed.set(nameOf(key), { key, entry: null });
    },
    nested: () =>
      draftAbove({
        read,
        write: (name, change) => changed.set(name, change),
        offers,
        lastId,
        useIds: (last) => {
          lastId = last;
        },
      }),
    commit: () => {
      below.useIds(lastId);
      for (const [name, change] of changed) below.write(name, change);
    },
    changes: () =>
      [...changed].flatMap(([name, { key, entry }]) => changesOf(below.read(name), key, entry)),
  };
}

function changesOf(
  before: LedgerEntry | null,
  key: LedgerKey,
  after: LedgerEntry | null,
): LedgerEntryChange[] {
  const old = before === null ? [] : [LedgerEntryChange.ledgerEntryState(before)];
  if (after === null)
    return before === null ? [] : [...old, LedgerEntryChange.ledgerEntryRemoved(key)];
  return [
    ...old,
    before === null
      ? LedgerEntryChange.ledgerEntryCreated(after)
      : LedgerEntryChange.ledgerEntryUpdated(after),
  ];
}

/** Repeats recorded changes. */
export function replay(
  state: Map<string, LedgerEntry>,
  changes: readonly LedgerEntryChange[],
): void {
  for (const change of changes) {
    if (change.type === "ledgerEntryRemoved") state.delete(nameOf(change.removed));
    if (change.type === "ledgerEntryCreated")
      state.set(nameOf(keyOf(change.created)), change.created);
    if (change.type === "ledgerEntryUpdated")
      state.set(nameOf(keyOf(change.updated)), change.updated);
  }
}
