import { LedgerCloseMeta } from "@stellar/stellar-sdk/xdr";
import { assert } from "../../platform/kernel/assert.ts";
import { openLineFile } from "../line-file.ts";

export type ClosedLedger = {
  readonly sequence: number;
  readonly closeTime: bigint;
  readonly meta: Extract<LedgerCloseMeta, { readonly type: "v2" }>;
};

export type Journal = {
  /** Resolves when the operating system has the ledger: a killed process loses nothing. */
  readonly append: (ledger: ClosedLedger) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens the file of closed ledgers in a folder, one a line in base64. The rest of a line that was cut off is removed. */
export async function openJournal(
  folder: string,
): Promise<{ readonly ledgers: readonly ClosedLedger[]; readonly journal: Journal }> {
  const { lines, append, close } = await openLineFile(folder, "ledgers.txt");
  return {
    ledgers: lines.map(readLine),
    journal: { append: ({ meta }) => append([meta.toXdr("base64")]), close },
  };
}

function readLine(line: string): ClosedLedger {
  const meta = LedgerCloseMeta.fromXdr(line, "base64");
  assert(meta.type === "v2", "this program writes one form of metadata");
  const { header } = meta.v2.ledgerHeader;
  return { sequence: header.ledgerSeq, closeTime: header.scpValue.closeTime, meta };
}
