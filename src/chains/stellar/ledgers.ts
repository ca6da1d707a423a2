import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { NodeFault } from "../rpc/node-error.ts";
import type { ExecutedLedger } from "./executed-ledger.ts";
import type { StellarHistory } from "./history.ts";
import { keptLedgers, ledgersFrom } from "./questions.ts";
import type { AskStellar } from "./stellar-node.ts";

/** The closed ledgers of one network, by number and by hash; the newest ones read are kept in memory, because they never change. */
export type Ledgers = {
  /** Null above the newest one. Rejects with `NodeFault` for a ledger that neither the node nor the history has. */
  readonly at: (ask: AskStellar, height: number) => Promise<ExecutedLedger | null>;
  /** Null if no ledger that the node has has that hash. */
  readonly withHash: (ask: AskStellar, hash: string) => Promise<ExecutedLedger | null>;
  /** The ledgers from one number to another; null if the node does not have all of them. */
  readonly between: (
    ask: AskStellar,
    from: number,
    to: number,
  ) => Promise<readonly ExecutedLedger[] | null>;
  /** The newest ledger for which `isWanted` returns true, among the newest `searchedMax` that the node has. */
  readonly search: (
    ask: AskStellar,
    isWanted: (ledger: ExecutedLedger) => boolean,
  ) => Promise<ExecutedLedger | null>;
};

const keptMax = 16;
const namesMax = 20_000;
const pageLedgers = 10;
/** stellar-rpc finds no ledger by its hash, so the newest ones are searched: about an hour's. */
const searchedMax = 720;

/** `history` has the ledgers that nodes no longer keep; null if there is none. */
export function createLedgers(
  chain: string,
  networkId: Uint8Array,
  history: StellarHistory | null = null,
): Ledgers {
  const kept = new Map<number, ExecutedLedger>();
  const heights = new Map<string, number>();

  const keep = (ledger: ExecutedLedger): void => {
    const { height, hash } = ledger.header;
    kept.delete(height);
    kept.set(height, ledger);
    heights.set(hash, height);
    dropOldest(kept, keptMax);
    dropOldest(heights, namesMax);
  };

  const page = async (
    ask: AskStellar,
    height: number,
    limit: number,
  ): Promise<readonly ExecutedLedger[] | null> => {
    const ledgers = await ask(ledgersFrom(height, limit, networkId));
    for (const ledger of ledgers ?? []) keep(ledger);
    return ledgers;
  };

  const at = async (ask: AskStellar, height: number): Promise<ExecutedLedger | null> => {
    const known = kept.get(height);
    if (known !== undefined) return known;
    const [ledger] = (await page(ask, height, 1)) ?? [];
    if (ledger !== undefined) return ledger;
    const { oldest, newest } = await ask(keptLedgers);
    // The first ledger is number 1.
    if (height < 1 || height > newest) return null;
    const missing = `has no ledger ${height}: it has ${oldest} to ${newest}`;
    if (history === null) throw new NodeFault("denied", missing);
    const archived = await history(height);
    if (archived === null)
      throw new NodeFault("denied", `${missing}, and the history does not have it either`);
    keep(archived);
    return archived;
  };

  const between = async (
    ask: AskStellar,
    from: number,
    to: number,
  ): Promise<readonly ExecutedLedger[] | null> => {
    const ledgers: ExecutedLedger[] = [];
    while (from + ledgers.length <= to) {
      const next = from + ledgers.length;
      const found = await page(ask, next, Math.min(pageLedgers, to - next + 1));
      if (found === null) return null;
      ledgers.push(...found);
    }
    return ledgers;
  };

  const search: Ledgers["search"] = async (ask, isWanted) => {
    const { oldest, newest } = await ask(keptLedgers);
    const lowest = Math.max(oldest, newest - searchedMax + 1);
    for (let to = newest; to >= lowest; to -= pageLedgers) {
      const ledgers = await between(ask, Math.max(lowest, to - pageLedgers + 1), to);
      const found = ledgers?.findLast(isWanted);
      if (found !== undefined) return found;
    }
    return null;
  };

  return {
    at,
    between,
    search,
    withHash: async (ask, hash) => {
      const height = heights.get(hash);
      if (height !== undefined) {
        const ledger = await at(ask, height);
        return ledger?.header.hash === hash ? ledger : null;
      }
      const found = await search(ask, ({ header }) => header.hash === hash);
      if (found !== null) return found;
      const { oldest, newest } = await ask(keptLedgers);
      // An older ledger may have it: its absence is not proven.
      if (newest - oldest >= searchedMax)
        throw new Unavailable(chain, `ledger ${hash} is not among the newest ${searchedMax}`);
      return null;
    },
  };
}

function dropOldest(map: Map<unknown, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
