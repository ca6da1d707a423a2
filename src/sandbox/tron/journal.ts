import { openLineFile } from "../line-file.ts";
import type { Executed } from "./block.ts";
import { parseJsonText, printJson } from "./json.ts";
import type { ContractResult, TransactionInfo } from "./messages.ts";
import type { Settings } from "./parameters.ts";
import type { Changes } from "./state.ts";
import { transactionOf } from "./transaction.ts";

/** The events of a ledger in order; replaying them restores it. */
export type Entry =
  | {
      readonly kind: "block";
      readonly timestamp: number;
      readonly witness: number;
      readonly transactions: readonly Executed[];
      /** Null if the block changed nothing. */
      readonly changes: Changes | null;
    }
  | { readonly kind: "drop"; readonly depth: number }
  | { readonly kind: "settings"; readonly settings: Settings }
  /** How far the chain's clock is ahead. */
  | { readonly kind: "clock"; readonly aheadMs: number };

export type Journal = {
  /** Resolves when the operating system has the entry: a killed process loses nothing. */
  readonly append: (entry: Entry) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens the journal in a folder and returns what it contains. The rest of an entry that was cut off is removed. */
export async function openJournal(
  folder: string,
): Promise<{ readonly entries: readonly Entry[]; readonly journal: Journal }> {
  const { lines, append, close } = await openLineFile(folder, "ledger.jsonl");
  return {
    entries: lines.map(readEntry),
    journal: { append: (entry) => append([printEntry(entry)]), close },
  };
}

function printEntry(entry: Entry): string {
  if (entry.kind !== "block") return printJson(entry);
  const transactions = entry.transactions.map(({ transaction, result, info }) => ({
    raw: transaction.rawHex,
    signatures: transaction.signatures,
    result,
    info,
  }));
  return printJson({ ...entry, transactions });
}

type StoredBlock = {
  readonly timestamp: bigint;
  readonly witness: bigint;
  readonly changes: Changes | null;
  readonly transactions: readonly {
    readonly raw: string;
    readonly signatures: readonly string[];
    readonly result: ContractResult;
    readonly info: TransactionInfo;
  }[];
};

function readEntry(line: string): Entry {
  const stored = parseJsonText(line) as unknown as
    | ({ readonly kind: "block" } & StoredBlock)
    | { readonly kind: "drop"; readonly depth: bigint }
    | { readonly kind: "settings"; readonly settings: Settings }
    | { readonly kind: "clock"; readonly aheadMs: bigint };
  switch (stored.kind) {
    case "block":
      return {
        kind: "block",
        timestamp: Number(stored.timestamp),
        witness: Number(stored.witness),
        changes: stored.changes,
        transactions: stored.transactions.map(({ raw, signatures, result, info }) => ({
          transaction: transactionOf(raw, signatures),
          result,
          info,
        })),
      };
    case "drop":
      return { kind: "drop", depth: Number(stored.depth) };
    case "clock":
      return { kind: "clock", aheadMs: Number(stored.aheadMs) };
    case "settings":
      return stored;
  }
}
