import type { HexAddress } from "./address.ts";
import type { Resource, SmartContract } from "./messages.ts";

/** Use of a resource, as it was when it was last counted; it decays to zero within a day. */
export type Usage = { readonly used: bigint; readonly slot: bigint };

/** Amounts in sun. Times in milliseconds. */
export type Account = {
  readonly type: "Normal" | "Contract";
  readonly balance: bigint;
  readonly createdAt: bigint;
  readonly usedAt: bigint;
  readonly freeNet: Usage;
  readonly net: Usage;
  readonly energy: Usage;
  /** Staked for its own use. */
  readonly staked: Readonly<Record<Resource, bigint>>;
  /** Staked, and delegated to others. */
  readonly lent: Readonly<Record<Resource, bigint>>;
  /** Delegated to it by others. */
  readonly borrowed: Readonly<Record<Resource, bigint>>;
  /** Stakes that were withdrawn and are returned later. */
  readonly unstaking: readonly {
    readonly resource: Resource;
    readonly amount: bigint;
    readonly until: bigint;
  }[];
  /** TRC-10 tokens by id. */
  readonly assets: Readonly<Record<string, bigint>>;
};

export type StoredContract = {
  /** Null for a contract that another contract made. */
  readonly definition: SmartContract | null;
  /** What runs, in hexadecimal. */
  readonly code: string;
};

export type Delegation = {
  readonly from: HexAddress;
  readonly to: HexAddress;
  readonly isLocked: boolean;
  readonly balances: Readonly<Record<Resource, bigint>>;
  /** Until when it is locked; 0 if it is not. */
  readonly until: Readonly<Record<Resource, bigint>>;
};

type Storage = ReadonlyMap<string, string>;

/** Everything that transactions change. A state is immutable: a block makes the next one. */
export type State = {
  readonly accounts: ReadonlyMap<HexAddress, Account>;
  readonly contracts: ReadonlyMap<HexAddress, StoredContract>;
  /** Words of the contracts' storage by slot, both of 64 hexadecimal digits; zero words are left out. */
  readonly storage: ReadonlyMap<HexAddress, Storage>;
  readonly delegations: ReadonlyMap<string, Delegation>;
  /** All stakes together, in TRX. */
  readonly weights: Readonly<Record<Resource, bigint>>;
};

/** A state in the making. */
export type Draft = {
  accounts: Map<HexAddress, Account>;
  contracts: Map<HexAddress, StoredContract>;
  storage: Map<HexAddress, Storage>;
  delegations: Map<string, Delegation>;
  weights: Readonly<Record<Resource, bigint>>;
};

export function draftOf(state: State): Draft {
  return {
    accounts: new Map(state.accounts),
    contracts: new Map(state.contracts),
    storage: new Map(state.storage),
    delegations: new Map(state.delegations),
    weights: state.weights,
  };
}

export const emptyState: State = {
  accounts: new Map(),
  contracts: new Map(),
  storage: new Map(),
  delegations: new Map(),
  weights: { BANDWIDTH: 0n, ENERGY: 0n },
};

const none = { BANDWIDTH: 0n, ENERGY: 0n };
const unused: Usage = { used: 0n, slot: 0n };

export function newAccount(type: Account["type"], createdAt: bigint): Account {
  return {
    type,
    balance: 0n,
    createdAt,
    usedAt: 0n,
    freeNet: unused,
    net: unused,
    energy: unused,
    staked: none,
    lent: none,
    borrowed: none,
    unstaking: [],
    assets: {},
  };
}

/** What differs between two states. `null` stands for what the later one does not have. */
export type Changes = {
  readonly accounts: readonly (readonly [HexAddress, Account | null])[];
  readonly contracts: readonly (readonly [HexAddress, StoredContract | null])[];
  /** Address, slot and word; a null word was cleared. */
  readonly storage: readonly (readonly [HexAddress, string, string | null])[];
  readonly delegations: readonly (readonly [string, Delegation | null])[];
  readonly weights: Readonly<Record<Resource, bigint>>;
};

/** Compares by identity: unwritten values are the same objects in both. */
export function changesBetween(earlier: State, later: State): Changes {
  const storage: [HexAddress, string, string | null][] = [];
  for (const [address, words] of changed(earlier.storage, later.storage)) {
    const before = earlier.storage.get(address) ?? new Map<string, string>();
    for (const [slot, word] of changed(before, words ?? new Map<string, string>()))
      storage.push([address, slot, word]);
  }
  return {
    accounts: changed(earlier.accounts, later.accounts),
    contracts: changed(earlier.contracts, later.contracts),
    storage,
    delegations: changed(earlier.delegations, later.delegations),
    weights: later.weights,
  };
}

function changed<Key, Value>(
  earlier: ReadonlyMap<Key, Value>,
  later: ReadonlyMap<Key, Value>,
): readonly (readonly [Key, Value | null])[] {
  if (earlier === later) return [];
  const found: [Key, Value | null][] = [];
  for (const [key, value] of later) if (earlier.get(key) !== value) found.push([key, value]);
  for (const key of earlier.keys()) if (!later.has(key)) found.push([key, null]);
  return found;
}

export function applyChanges(state: State, changes: Changes): State {
  const draft = draftOf(state);
  setAll(draft.accounts, changes.accounts);
  setAll(draft.contracts, changes.contracts);
  setAll(draft.delegations, changes.delegations);
  writeStorage(draft, changes.storage);
  draft.weights = changes.weights;
  return draft;
}

/** Writes storage words; a null or zero word clears its slot. */
export function writeStorage(draft: Draft, writes: Changes["storage"]): void {
  const written = new Map<HexAddress, Map<string, string>>();
  for (const [address, slot, word] of writes) {
    const words = written.get(address) ?? new Map(draft.storage.get(address));
    written.set(address, words);
    if (word === null || /^0+$/.test(word)) words.delete(slot);
    else words.set(slot, word);
  }
  for (const [address, words] of written) draft.storage.set(address, words);
}

function setAll<Key, Value>(
  map: Map<Key, Value>,
  changes: readonly (readonly [Key, Value | null])[],
): void {
  for (const [key, value] of changes)
    if (value === null) map.delete(key);
    else map.set(key, value);
}
