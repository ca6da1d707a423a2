import { present } from "../../platform/kernel/assert.ts";
import { type Clock, microsPerSecond } from "../../platform/kernel/clock.ts";
import { type Applied, applyInner, applyTransaction, type OpenLedger } from "./apply.ts";
import {
  type ClosedLedger,
  closeLedger,
  closeTimeResolution,
  type Executed,
} from "./closed-ledger.ts";
import { genesisChanges, totalDrops } from "./genesis.ts";
import type { Entry, Journal } from "./journal.ts";
import type { Result } from "./results.ts";
import type { Settings } from "./settings.ts";
import { createHistory, type Draft, draftOn, merge, type View } from "./state.ts";
import { readTransaction, type Transaction } from "./transaction.ts";
import { dropsIn, numberIn } from "./transactor.ts";

/** What becomes of a submitted transaction. */
export type Submitted = {
  readonly result: Result;
  /** It is in the open ledger. */
  readonly applied: boolean;
  /** It waits for a lower fee. */
  readonly queued: boolean;
  /** The node tries it again later. */
  readonly kept: boolean;
};

export type Found =
  | { readonly kind: "closed"; readonly ledger: ClosedLedger; readonly executed: Executed }
  | { readonly kind: "waiting"; readonly transaction: Transaction };

/** A simulated XRP Ledger. Commands wait for each other; every closed ledger is validated at once. */
export type Ledger = {
  readonly newest: () => ClosedLedger;
  /** The open ledger with what waits in it. */
  readonly open: () => OpenLedger & { readonly transactions: readonly Executed[] };
  readonly at: (index: number) => ClosedLedger | null;
  readonly withHash: (hash: string) => ClosedLedger | null;
  readonly viewAt: (index: number) => View;
  readonly find: (txid: string) => Found | null;
  readonly settings: () => Settings;
  /** Offers a transaction, whose signature is valid, to the open ledger. */
  readonly submit: (transaction: Transaction) => Promise<Submitted>;
  /** Closes so many ledgers, each at least a second after the one before; resolves with the newest. */
  readonly close: (count: number) => Promise<ClosedLedger>;
  readonly change: (change: Partial<Settings>) => Promise<void>;
  /** Empties the open ledger, as if no other server had received what is in it. */
  readonly drop: () => Promise<void>;
  /** Answers so many submissions with success, and forgets them. */
  readonly swallow: (count: number) => void;
  /** Called after each ledger; the result ends that. */
  readonly onClose: (listener: (ledger: ClosedLedger) => void) => () => void;
};

/** Seconds from 1970 to 2000, where the ledger's time begins. */
const epochSeconds = 946_684_800;

/** Continues the ledger of a journal, or begins one. */
export async function openLedger(
  { entries, journal }: { readonly entries: readonly Entry[]; readonly journal: Journal },
  clock: Clock,
  first: Settings,
): Promise<Ledger> {
  const chain = createChain(first);
  if (entries.length === 0) {
    const begin: readonly Entry[] = [
      { kind: "settings", settings: first },
      { kind: "ledger", closeTime: roundedTime(clock), transactions: [] },
    ];
    for (const entry of begin) await journal.append(entry);
    for (const entry of begin) chain.replay(entry);
  } else for (const entry of entries) chain.replay(entry);

  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Done>(work: () => Promise<Done>): Promise<Done> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const listeners = new Set<(ledger: ClosedLedger) => void>();
  let swallowed = 0;
  return {
    ...chain,
    submit: (transaction) =>
      inTurn(async () => {
        if (swallowed === 0) return Promise.resolve(chain.submit(transaction));
        swallowed -= 1;
        return { result: "tesSUCCESS", applied: true, queued: false, kept: true };
      }),
    close: (count) =>
      inTurn(async () => {
        for (let closed = 0; closed < count; closed += 1) {
          chain.retryWaiting();
          const closeTime = Math.max(roundedTime(clock), chain.newest().closeTime + 1);
          // A batch's inner transactions follow from it.
          const transactions = chain
            .open()
            .transactions.filter(({ metadata }) => metadata.ParentBatchID === undefined)
            .map(({ transaction }) => transaction.blob);
          await journal.append({ kind: "ledger", closeTime, transactions });
          chain.close(closeTime);
          for (const listener of listeners) listener(chain.newest());
        }
        return chain.newest();
      }),
    change: (change) =>
      inTurn(async () => {
        const settings = { ...chain.settings(), ...change };
        await journal.append({ kind: "settings", settings });
        chain.replay({ kind: "settings", settings });
      }),
    drop: () =>
      inTurn(() => {
        chain.drop();
        return Promise.resolve();
      }),
    swallow: (count) => {
      swallowed = count;
    },
    onClose: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The clock's time as validators round it. */
function roundedTime(clock: Clock): number {
  const seconds = Math.floor(clock.now() / microsPerSecond) - epochSeconds;
  return Math.round(seconds / closeTimeResolution) * closeTimeResolution;
}

type Chain = Omit<Ledger, "submit" | "close" | "change" | "drop" | "swallow" | "onClose"> & {
  readonly drop: () => void;
  readonly submit: (transaction: Transaction) => Submitted;
  /** Takes what waited into the open ledger, as far as it can be. */
  readonly retryWaiting: () => void;
  readonly close: (closeTime: number) => void;
  readonly replay: (entry: Entry) => void;
};

/** The ledgers in memory. */
function createChain(first: Settings): Chain {
  const ledgers: ClosedLedger[] = [];
  const byHash = new Map<string, ClosedLedger>();
  const places = new Map<string, { readonly index: number; readonly place: number }>();
  const history = createHistory();
  const waiting = new Map<string, Transaction>();
  let settings = first;
  let draft: Draft = draftOn(history.at(0));
  let executed: Executed[] = [];

  const newest = (): ClosedLedger => present(ledgers.at(-1), "a validated ledger");
  const open = (): OpenLedger & { readonly transactions: readonly Executed[] } => ({
    view: draft,
    index: ledgers.length + 1,
    parentCloseTime: ledgers.at(-1)?.closeTime ?? 0,
    count: executed.length,
    settings,
    transactions: executed,
  });

  const take = (transaction: Transaction, effect: NonNullable<Applied["effect"]>): void => {
    merge(draft, effect.changes);
    executed.push({ transaction, metadata: effect.metadata });
    if (effect.metadata.TransactionResult !== "tesSUCCESS") return;
    for (const inner of applyInner(transaction, open())) {
      merge(draft, inner.effect.changes);
      executed.push({ transaction: inner.transaction, metadata: inner.effect.metadata });
    }
  };
  const enter = (transaction: Transaction): Submitted => {
    const { json, txid } = transaction;
    if (executed.some((one) => one.transaction.txid === txid)) return refused("tefALREADY");
    const { effect, result } = applyTransaction(transaction, open());
    const fee = dropsIn(json, "Fee") ?? 0n;
    if (effect === null) {
      if (result !== "terPRE_SEQ") return refused(result);
      waiting.set(txid, transaction);
      return { result, applied: false, queued: false, kept: true };
    }
    if (fee < settings.openLedgerFee) {
      waiting.set(txid, transaction);
      return { result: "terQUEUED", applied: false, queued: true, kept: true };
    }
    waiting.delete(txid);
    take(transaction, effect);
    return { result, applied: true, queued: false, kept: true };
  };
  const retryWaiting = (): void => {
    const inOrder = [...waiting.values()].toSorted((a, b) => a.json.Sequence - b.json.Sequence);
    for (const transaction of inOrder) {
      const last = numberIn(transaction.json, "LastLedgerSequence");
      const isDead = last !== null && last < open().index;
      if (isDead || !enter(transaction).kept) waiting.delete(transaction.txid);
    }
  };
  const close = (closeTime: number): void => {
    const isFirst = ledgers.length === 0;
    const changes = isFirst ? genesisChanges() : draft.changes();
    const burned = executed.reduce(
      (sum, { transaction }) => sum + (dropsIn(transaction.json, "Fee") ?? 0n),
      0n,
    );
    const totalCoins = (isFirst ? totalDrops : newest().totalCoins) - burned;
    const parent = ledgers.at(-1) ?? null;
    const ledger = closeLedger(parent, { closeTime, transactions: executed, changes, totalCoins });
    history.write(ledger.index, changes);
    ledgers.push(ledger);
    byHash.set(ledger.hash, ledger);
    for (const [place, { transaction }] of executed.entries())
      places.set(transaction.txid, { index: ledger.index, place });
    executed = [];
    draft = draftOn(history.at(ledger.index));
  };

  return {
    newest,
    open,
    at: (index) => ledgers[index - 1] ?? null,
    withHash: (hash) => byHash.get(hash.toUpperCase()) ?? null,
    viewAt: history.at,
    settings: () => settings,
    find: (txid) => {
      const place = places.get(txid);
      const ledger = place === undefined ? undefined : ledgers[place.index - 1];
      const found = ledger?.transactions[place?.place ?? -1];
      if (ledger !== undefined && found !== undefined)
        return { kind: "closed", ledger, executed: found };
      const pending = executed.find(({ transaction }) => transaction.txid === txid)?.transaction;
      const transaction = pending ?? waiting.get(txid);
      return transaction === undefined ? null : { kind: "waiting", transaction };
    },
    submit: (transaction) => {
      const submitted = enter(transaction);
      if (submitted.applied && waiting.size > 0) retryWaiting();
      return submitted;
    },
    retryWaiting,
    drop: () => {
      waiting.clear();
      executed = [];
      draft = draftOn(history.at(ledgers.length));
    },
    close,
    replay: (entry) => {
      if (entry.kind === "settings") {
        settings = entry.settings;
        return;
      }
      for (const blob of entry.transactions) {
        const transaction = readTransaction(blob);
        const { effect } = applyTransaction(transaction, open());
        take(transaction, present(effect, "a transaction that a ledger contained"));
      }
      close(entry.closeTime);
    },
  };
}

function refused(result: Result): Submitted {
  return { result, applied: false, queued: false, kept: false };
}
