import { type AccountRoot, accountKey, type LedgerObject } from "./objects.ts";

/** The objects of one ledger by key. */
export type View = {
  readonly get: (key: string) => LedgerObject | null;
  readonly entries: () => Iterable<readonly [key: string, object: LedgerObject]>;
};

/** What happened to an object; `before` is null for a new one. */
export type Change =
  | { readonly kind: "written"; readonly before: LedgerObject | null; readonly after: LedgerObject }
  /** `last` is what it was when it was removed. */
  | { readonly kind: "removed"; readonly before: LedgerObject | null; readonly last: LedgerObject };

export type Changes = ReadonlyMap<string, Change>;

/** A view that can be changed; nothing below it changes. */
export type Draft = View & {
  readonly put: (key: string, object: LedgerObject) => void;
  /** Removes an object that exists. */
  readonly remove: (key: string) => void;
  /** What differs from the view below. */
  readonly changes: () => Changes;
};

type Written = { readonly object: LedgerObject; readonly isRemoved: boolean };

export function draftOn(below: View): Draft {
  const written = new Map<string, Written>();
  const get = (key: string): LedgerObject | null => {
    const own = written.get(key);
    if (own === undefined) return below.get(key);
    return own.isRemoved ? null : own.object;
  };
  return {
    get,
    *entries() {
      for (const [key, { isRemoved, object }] of written) if (!isRemoved) yield [key, object];
      for (const [key, object] of below.entries()) if (!written.has(key)) yield [key, object];
    },
    put: (key, object) => {
      written.set(key, { object, isRemoved: false });
    },
    remove: (key) => {
      const object = get(key);
      if (object !== null) written.set(key, { object, isRemoved: true });
    },
    changes: () =>
      new Map(
        [...written].map(([key, { object, isRemoved }]): [string, Change] => {
          const before = below.get(key);
          return isRemoved
            ? [key, { kind: "removed", before, last: object }]
            : [key, { kind: "written", before, after: object }];
        }),
      ),
  };
}

/** Applies the changes of a draft above this one. */
export function merge(draft: Draft, changes: Changes): void {
  for (const [key, change] of changes) {
    if (change.kind === "written") draft.put(key, change.after);
    else {
      draft.put(key, change.last);
      draft.remove(key);
    }
  }
}

/** The state after each ledger. */
export type History = {
  /** As of the ledger at that height. */
  readonly at: (height: number) => View;
  readonly write: (height: number, changes: Changes) => void;
};

type Version = { readonly height: number; readonly object: LedgerObject | null };

export function createHistory(): History {
  const versions = new Map<string, Version[]>();
  const asOf = (all: readonly Version[] | undefined, height: number): LedgerObject | null =>
    all?.findLast((version) => version.height <= height)?.object ?? null;
  return {
    at: (height) => ({
      get: (key) => asOf(versions.get(key), height),
      *entries() {
        for (const [key, all] of versions) {
          const object = asOf(all, height);
          if (object !== null) yield [key, object];
        }
      },
    }),
    write: (height, changes) => {
      for (const [key, change] of changes) {
        const object = change.kind === "written" ? change.after : null;
        const known = versions.get(key);
        if (known === undefined) versions.set(key, [{ height, object }]);
        else known.push({ height, object });
      }
    },
  };
}

export function accountIn(view: View, address: string): AccountRoot | null {
  const object = view.get(accountKey(address));
  return object?.LedgerEntryType === "AccountRoot" ? object : null;
}

export function putAccount(draft: Draft, account: AccountRoot): void {
  draft.put(accountKey(account.Account), account);
}

/** Adds drops to an account's balance, or takes them with a negative number. */
export function addDrops(draft: Draft, account: AccountRoot, drops: bigint): AccountRoot {
  const changed = { ...account, Balance: String(BigInt(account.Balance) + drops) };
  putAccount(draft, changed);
  return changed;
}
