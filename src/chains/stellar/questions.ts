import { LedgerCloseMeta, LedgerEntryData, LedgerKey } from "@stellar/stellar-sdk/xdr";
import { Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import { readHeight, readXdr } from "./answer.ts";
import { type ExecutedLedger, readLedger } from "./executed-ledger.ts";
import type { StellarQuestion } from "./stellar-node.ts";

/** The ledgers that a node has. */
export type KeptLedgers = { readonly oldest: number; readonly newest: number };

/** Which ledgers the node has; a node that lags behind the network rejects with `NodeFault`. */
export const keptLedgers: StellarQuestion<KeptLedgers> = {
  method: "getHealth",
  read: (result) => {
    const { latestLedger, oldestLedger } = readFields(result);
    return { oldest: readHeight(oldestLedger), newest: readHeight(latestLedger) };
  },
};

/** The passphrase of the node's network. */
export const networkPassphrase: StellarQuestion<string> = {
  method: "getNetwork",
  read: (result) => readText(readFields(result)["passphrase"]),
};

/** stellar-rpc's code for ledgers outside of those that it has. */
const outOfRange = -32_600;

/** Up to `limit` ledgers in order, the first at that height; null if the node does not have that one. */
export function ledgersFrom(
  height: number,
  limit: number,
  networkId: Uint8Array,
): StellarQuestion<readonly ExecutedLedger[] | null> {
  return {
    method: "getLedgers",
    params: { startLedger: height, pagination: { limit }, xdrFormat: "base64" },
    read: (result) => {
      const ledgers = readList(readFields(result)["ledgers"]).map((value) =>
        readLedger(
          readXdr(
            (text) => LedgerCloseMeta.fromXdr(text, "base64"),
            readFields(value)["metadataXdr"],
          ),
          networkId,
        ),
      );
      if (ledgers.length > limit || ledgers.some(({ header }, at) => header.height !== height + at))
        throw new Malformed("other ledgers than those asked for");
      return ledgers.length === 0 ? null : ledgers;
    },
    onError: { [outOfRange]: () => null },
  };
}

/** Where a transaction was searched. */
export type SearchedTransaction = {
  /** The ledger that contains it; null if none does that the node has. */
  readonly height: number | null;
  /** When the oldest ledger closed that the node has, in seconds since 1970. */
  readonly since: bigint;
};

/** Finds a transaction by its hash; fee-bump transactions by either of theirs. */
export function transactionWithId(txid: string): StellarQuestion<SearchedTransaction> {
  return {
    method: "getTransaction",
    params: { hash: txid, xdrFormat: "base64" },
    read: (result) => {
      const { status, ledger, oldestLedgerCloseTime } = readFields(result);
      const since = readText(oldestLedgerCloseTime);
      if (!/^\d{1,12}$/.test(since)) throw new Malformed("no time");
      if (status === "NOT_FOUND") return { height: null, since: BigInt(since) };
      if (status !== "SUCCESS" && status !== "FAILED") throw new Malformed("an unknown status");
      return { height: readHeight(ledger), since: BigInt(since) };
    },
  };
}

/** Entries of the newest ledger, in the order of the keys; null for those that do not exist. */
export type FoundEntries = {
  readonly height: number;
  readonly entries: readonly (LedgerEntryData | null)[];
};

/** stellar-rpc looks up at most 200 keys at once. */
export const entriesMax = 200;

/** Keys may be repeated. The node is asked for each once: stellar-core's query server refuses a request that repeats one. */
export function entriesOf(keys: readonly LedgerKey[]): StellarQuestion<FoundEntries> {
  const names = keys.map((key) => key.toXdr("base64"));
  const distinct = new Set(names);
  return {
    method: "getLedgerEntries",
    params: { keys: [...distinct], xdrFormat: "base64" },
    read: (result) => {
      const { entries, latestLedger } = readFields(result);
      const found = new Map(
        // A node leaves out the member when it found nothing.
        readList(entries ?? []).map((value) => {
          const { key, xdr } = readFields(value);
          const name = readXdr((text) => LedgerKey.fromXdr(text, "base64"), key).toXdr("base64");
          return [name, readXdr((text) => LedgerEntryData.fromXdr(text, "base64"), xdr)] as const;
        }),
      );
      if ([...found.keys()].some((name) => !distinct.has(name)))
        throw new Malformed("an entry that was not asked for");
      return {
        height: readHeight(latestLedger),
        entries: names.map((name) => found.get(name) ?? null),
      };
    },
  };
}
