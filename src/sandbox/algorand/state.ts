import type { AssetParams } from "./transaction.ts";

export type Holding = { readonly amount: bigint; readonly isFrozen: boolean };

/** An account: what it has, by asset, and what it created. */
export type Account = {
  readonly microAlgos: bigint;
  /** The address whose key signs for the account, where that is not its own. */
  readonly authAddress: string | null;
  readonly holdings: ReadonlyMap<bigint, Holding>;
  readonly createdAssets: readonly bigint[];
  readonly createdApplications: readonly bigint[];
};

export type Asset = { readonly creator: string; readonly params: AssetParams };

export type Application = {
  readonly creator: string;
  readonly approval: Uint8Array;
  readonly clear: Uint8Array;
};

const nobody: Account = {
  microAlgos: 0n,
  authAddress: null,
  holdings: new Map(),
  createdAssets: [],
  createdApplications: [],
};

const minBalanceUnit = 100_000n;

/** What an account must keep: for itself, and as much for each holding and each application. */
export function minBalanceOf({ createdApplications, holdings }: Account): bigint {
  return minBalanceUnit * BigInt(1 + holdings.size + createdApplications.length);
}

/** Whether nothing is left of the account. */
function isEmpty(account: Account): boolean {
  return (
    account.microAlgos === 0n &&
    account.authAddress === null &&
    account.holdings.size === 0 &&
    account.createdApplications.length === 0
  );
}

/** Values by key, on top of others; null is a value that is gone. */
type Table<Key, Entry> = {
  readonly get: (key: Key) => Entry | null;
  readonly put: (key: Key, entry: Entry | null) => void;
  /** The keys that were changed here. */
  readonly changed: () => readonly Key[];
  readonly above: () => Table<Key, Entry>;
  /** Writes the changes to the table below. */
  readonly commit: () => void;
};

function tableOn<Key, Entry>(below: {
  readonly get: (key: Key) => Entry | null;
  readonly put: (key: Key, entry: Entry | null) => void;
}): Table<Key, Entry> {
  const own = new Map<Key, Entry | null>();
  const get = (key: Key): Entry | null => {
    const entry = own.get(key);
    return entry === undefined ? below.get(key) : entry;
  };
  const put = (key: Key, entry: Entry | null): void => {
    own.set(key, entry);
  };
  return {
    get,
    put,
    changed: () => [...own.keys()],
    above: () => tableOn({ get, put }),
    commit: () => {
      for (const [key, entry] of own) below.put(key, entry);
      own.clear();
    },
  };
}

function emptyTable<Key, Entry extends object | bigint>(): Table<Key, Entry> {
  const entries = new Map<Key, Entry>();
  return tableOn<Key, Entry>({
    get: (key) => entries.get(key) ?? null,
    put: (key, entry) => {
      if (entry === null) entries.delete(key);
      else entries.set(key, entry);
    },
  });
}

type Tables = {
  readonly accounts: Table<string, Account>;
  readonly assets: Table<bigint, Asset>;
  readonly applications: Table<bigint, Application>;
  /** The rounds of the transactions by id. */
  readonly rounds: Table<string, bigint>;
  /** The last rounds of leases by sender and lease. */
  readonly leases: Table<string, bigint>;
  readonly counters: Table<"transactions", bigint>;
};

/** The state of a ledger, with changes that become part of what is below by `commit`, or are thrown away. */
export type Draft = Omit<Tables, "accounts" | "counters"> & {
  /** One that nobody paid to is empty. */
  readonly account: (address: string) => Account;
  readonly putAccount: (address: string, account: Account) => void;
  /** The addresses whose accounts were changed here. */
  readonly changed: () => readonly string[];
  /** The number of transactions: the next one's asset or application has the id after that. */
  readonly counter: () => bigint;
  readonly setCounter: (count: bigint) => void;
  readonly nested: () => Draft;
  readonly commit: () => void;
};

/** An empty state in memory. */
export function createState(): Draft {
  return draftOf({
    accounts: emptyTable(),
    assets: emptyTable(),
    applications: emptyTable(),
    rounds: emptyTable(),
    leases: emptyTable(),
    counters: emptyTable(),
  });
}

function draftOf(tables: Tables): Draft {
  const { accounts, applications, assets, counters, leases, rounds } = tables;
  return {
    applications,
    assets,
    leases,
    rounds,
    account: (address) => accounts.get(address) ?? nobody,
    putAccount: (address, account) => {
      accounts.put(address, isEmpty(account) ? null : account);
    },
    changed: accounts.changed,
    counter: () => counters.get("transactions") ?? 0n,
    setCounter: (count) => {
      counters.put("transactions", count);
    },
    nested: () =>
      draftOf({
        accounts: accounts.above(),
        assets: assets.above(),
        applications: applications.above(),
        rounds: rounds.above(),
        leases: leases.above(),
        counters: counters.above(),
      }),
    commit: () => {
      for (const table of [accounts, assets, applications, rounds, leases, counters])
        table.commit();
    },
  };
}
