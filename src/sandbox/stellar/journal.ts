import { mkdir, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { LedgerCloseMeta } from "@stellar/stellar-sdk/xdr";
import { assert } from "../../platform/kernel/assert.ts";

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
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "ledgers.txt");
  const file = await open(path, "a", 0o600);
  const text = await readFile(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  const lines = whole.split("\n").filter((line) => line !== "");
  return {
    ledgers: lines.map(readLine),
    journal: {
      append: async ({ meta }) => {
        await file.appendFile(`${meta.toXdr("base64")}\n`);
      },
      close: () => file.close(),
    },
  };
}

function readLine(line: string): ClosedLedger {
  const meta = LedgerCloseMeta.fromXdr(line, "base64");
  assert(meta.type === "v2", "this program writes one form of metadata");
  const { header } = meta.v2.ledgerHeader;
  return { sequence: header.ledgerSeq, closeTime: header.scpValue.closeTime, meta };
}
