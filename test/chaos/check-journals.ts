import type { Evidence, Finding } from "./finding.ts";
import { onChain } from "./own-money.ts";
import type { Journals, SignedLine } from "./record-journals.ts";

/** What the signers recorded: at the end, and ever, with what they cut off again. */
export type SignedRecord = { readonly present: Journals; readonly ever: Journals };

/**
 * Compares what the signers recorded with each other, with the database and with the nodes. Their journals are one history, so each signature was
 * made with all earlier ones in sight; and of what was ever signed for a payout, at most one transaction is mined.
 */
export async function checkJournals(
  evidence: Evidence,
  { present, ever }: SignedRecord,
): Promise<Finding> {
  const attempts = await evidence.sql<{ txid: string }>(
    "select txid from spend_attempt where txid is not null",
  );
  const known = new Set(attempts.map(({ txid }) => txid));
  const mined = onChain(evidence);
  const all = Object.values(ever).flat();
  return {
    invariant: "what any signer signed is one history, which pays each payout once",
    checked: all.length,
    faults: [
      ...differences(Object.entries(present)),
      ...unrecorded(present, known),
      ...takenBack(present, ever, (txid) => known.has(txid) || mined.has(txid)),
      ...minedTwice(all, (txid) => mined.has(txid)),
    ],
  };
}

/** The other one may lack the newest line: it is written here first. */
function differences(journals: readonly (readonly [string, readonly SignedLine[]])[]): string[] {
  const faults: string[] = [];
  for (const [name, lines] of journals) {
    const at = lines.findIndex(({ sequence }, index) => sequence !== index + 1);
    if (at !== -1) faults.push(`line ${at + 1} of ${name} has number ${lines[at]?.sequence}`);
  }
  const [first, second] = journals;
  if (first === undefined || second === undefined) return faults;
  const [[nameA, a], [nameB, b]] = [first, second];
  const common = Math.min(a.length, b.length);
  const at = a.slice(0, common).findIndex(({ seal }, index) => seal !== b[index]?.seal);
  if (at !== -1)
    faults.push(`${nameA} signed ${a[at]?.txid} as number ${at + 1}, ${nameB} ${b[at]?.txid}`);
  else if (Math.abs(a.length - b.length) > 1)
    faults.push(`${nameA} has ${a.length} signatures, ${nameB} ${b.length}`);
  return faults;
}

/** What the service has of a signer is in the journals of both. */
function unrecorded(present: Journals, known: ReadonlySet<string>): string[] {
  return Object.entries(present).flatMap(([name, lines]) => {
    const recorded = new Set(lines.map(({ txid }) => txid));
    return [...known]
      .filter((txid) => !recorded.has(txid))
      .map((txid) => `${txid} left a signer, and ${name} does not have it`);
  });
}

/** A line that was cut off never left its signer, unless it was signed again. */
function takenBack(
  present: Journals,
  ever: Journals,
  hasLeft: (txid: string) => boolean,
): string[] {
  const kept = new Set(Object.values(present).flatMap((lines) => lines.map(({ txid }) => txid)));
  return Object.entries(ever).flatMap(([name, lines]) =>
    lines
      .filter(({ txid }) => !kept.has(txid) && hasLeft(txid))
      .map(({ txid }) => `${name} cut off ${txid}, which had left it`),
  );
}

function minedTwice(lines: readonly SignedLine[], isMined: (txid: string) => boolean): string[] {
  const byPayout = new Map<string, Set<string>>();
  for (const { payoutIds, txid } of lines) {
    if (!isMined(txid)) continue;
    for (const id of payoutIds) byPayout.set(id, (byPayout.get(id) ?? new Set()).add(txid));
  }
  return [...byPayout]
    .filter(([, txids]) => txids.size > 1)
    .map(([id, txids]) => `payout ${id} was mined in ${[...txids].join(" and ")}`);
}
