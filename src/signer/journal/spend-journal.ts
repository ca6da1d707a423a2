import { present } from "../../platform/kernel/assert.ts";
import type { PayoutIntent, SignedSpend, SpendIntent } from "../intent.ts";
import { neutralIntent } from "../neutral-intent.ts";
import { addedFee, type FeeFacts } from "./added-fee.ts";
import {
  JournalDamaged,
  keyedSeal,
  type LineFormat,
  type LineMirror,
  type LinePlace,
  openSealedLines,
  readSealedLines,
} from "./sealed-lines.ts";

/**
 * The signer's own record of every spend it signed, independent of the database: it prevents a second transaction for a payout
 * that could be mined beside the first one.
 */
export type SpendJournal = {
  /** The sequence number of the newest spend; 0 before the first. */
  readonly newest: () => number;
  /** The spend with that sequence number, from 1 to the newest. */
  readonly at: (sequence: number) => Promise<SignedSpend>;
  /**
   * All spends that must never be mined beside a spend of this intent: earlier attempts of the same spend, and those of its
   * payouts.
   */
  readonly rivals: (intent: SpendIntent) => Promise<readonly SignedSpend[]>;
  /** Resolves once the spend is on the disk. One call at a time. */
  readonly record: (spend: Omit<SignedSpend, "sequence">) => Promise<SignedSpend>;
  /** Spends of the chain after that sequence number, oldest first: a page of about a megabyte, empty only at the end. */
  readonly after: (chain: string, sequence: number) => Promise<readonly SignedSpend[]>;
  /** The spends in which the payout was signed. */
  readonly spendsOf: (payoutId: string) => Promise<readonly SignedSpend[]>;
  /** Those payouts of the intent for which nothing was ever signed. */
  readonly newPayoutsOf: (intent: SpendIntent) => readonly PayoutIntent[];
  readonly close: () => Promise<void>;
};

const pageBytes = 1024 * 1024;
const pageSpends = 500;

/** The journal's file. */
export const spendJournalFormat = (
  path: string,
  key: Uint8Array,
  copyPath: string | null = null,
  mirror: LineMirror | null = null,
): LineFormat => ({
  path,
  copyPath,
  mirror,
  header: JSON.stringify({ journal: "sluice signed spends", version: 1 }),
  seal: keyedSeal(key),
  stranger: "another keystore",
});

/** `firstPayouts`: payouts never signed before. `addedFee`: what the spend can burn beyond its earlier attempts (`addedFee`). */
export type OnSpend = (
  spend: SignedSpend,
  firstPayouts: readonly PayoutIntent[],
  addedFee: bigint,
) => void;

/**
 * Opens the journal, or creates it: sealed lines under the signer's `key`, one spend each. `onSpend` gets every spend,
 * beginning with the stored ones. Rejects with `JournalDamaged` if the file was altered. Memory holds only offsets: a spend is
 * read from the disk when needed.
 */
export async function openSpendJournal(
  path: string,
  key: Uint8Array,
  onSpend: OnSpend,
  copyPath: string | null = null,
  mirror: LineMirror | null = null,
): Promise<SpendJournal> {
  const index = createIndex();
  const newPayoutsOf = (intent: SpendIntent): readonly PayoutIntent[] =>
    intent.kind === "payout"
      ? intent.payouts.filter(({ payoutId }) => !index.byPayout.has(payoutId))
      : [];
  const addToIndex = (
    spend: SignedSpend,
    place: LinePlace,
    attempts: readonly FeeFacts[],
  ): void => {
    if (spend.sequence !== index.places.length + 1) {
      throw new JournalDamaged(`${path}: spend ${spend.sequence} is at another spend's position`);
    }
    onSpend(spend, newPayoutsOf(spend.intent), addedFee(attempts, spend));
    index.add(spend, place);
  };
  const earlier = new Map<string, FeeFacts[]>();
  const lines = await openSealedLines(
    spendJournalFormat(path, key, copyPath, mirror),
    (body, place) => {
      const spend = parseSpend(body);
      const name = nameOf(spend);
      const attempts = earlier.get(name) ?? [];
      addToIndex(spend, place, attempts);
      attempts.push(feeFactsOf(spend));
      earlier.set(name, attempts);
    },
  );
  // From here on a spend's own few attempts are read.
  earlier.clear();

  const read = async (sequence: number): Promise<SignedSpend> => {
    const place = present(index.places[sequence - 1], `spend ${sequence} of the journal`);
    const spend = parseSpend(await lines.read(place));
    // A valid line of ours at another line's position.
    if (spend.sequence !== sequence) throw new JournalDamaged(`${path} was altered`);
    return spend;
  };
  const readAll = (sequences: Iterable<number>): Promise<readonly SignedSpend[]> =>
    Promise.all([...sequences].map(read));

  return {
    newest: () => index.places.length,
    at: read,
    rivals: (intent) => readAll(index.rivals(intent)),
    record: async (spend) => {
      const attempts = await readAll(index.attempts(spend));
      const numbered = { ...spend, sequence: index.places.length + 1 };
      addToIndex(numbered, await lines.append(JSON.stringify(numbered)), attempts);
      return numbered;
    },
    after: (chain, sequence) => readAll(index.page(chain, sequence)),
    spendsOf: (payoutId) => readAll(index.byPayout.get(payoutId) ?? []),
    newPayoutsOf,
    close: () => lines.close(),
  };
}

function parseSpend(body: string): SignedSpend {
  const spend = JSON.parse(body) as SignedSpend;
  return { ...spend, intent: neutralIntent(spend.intent) };
}

/** Rejects with `JournalDamaged` unless the journal was written by the signer with this key. Changes nothing. */
export async function verifySpendJournal(path: string, key: Uint8Array): Promise<void> {
  await readSealedLines(spendJournalFormat(path, key), () => undefined);
}

/** The offsets of the spends. */
function createIndex() {
  const places: LinePlace[] = [];
  const byPayout = new Map<string, readonly number[]>();
  const bySpend = new Map<string, readonly number[]>();
  const byChain = new Map<string, number[]>();
  const addTo = (map: Map<string, readonly number[]>, name: string, sequence: number): void => {
    map.set(name, [...(map.get(name) ?? []), sequence]);
  };

  return {
    places,
    byPayout,
    add: (spend: SignedSpend, place: LinePlace): void => {
      places.push(place);
      const sequence = places.length;
      for (const id of spend.payoutIds) addTo(byPayout, id, sequence);
      addTo(bySpend, nameOf(spend), sequence);
      const chain = byChain.get(spend.chain);
      if (chain === undefined) byChain.set(spend.chain, [sequence]);
      else chain.push(sequence);
    },
    attempts: (spend: Pick<SignedSpend, "chain" | "kind" | "spendId">): readonly number[] =>
      bySpend.get(nameOf(spend)) ?? [],
    rivals: (intent: SpendIntent): ReadonlySet<number> =>
      new Set([
        ...(bySpend.get(nameOf(intent)) ?? []),
        ...payoutIdsOf(intent).flatMap((id) => byPayout.get(id) ?? []),
      ]),
    page: (chain: string, after: number): readonly number[] => {
      const sequences = byChain.get(chain) ?? [];
      const page: number[] = [];
      let bytes = 0;
      for (let at = firstAfter(sequences, after); at < sequences.length; at += 1) {
        const sequence = present(sequences[at], "an offset of the chain");
        bytes += present(places[sequence - 1], "an offset of the journal").length;
        if (page.length > 0 && (bytes > pageBytes || page.length === pageSpends)) break;
        page.push(sequence);
      }
      return page;
    },
  };
}

/** Spend ids are indexed by chain and kind; a payout's spends are also found by its payouts. */
function nameOf({ chain, kind, spendId }: Pick<SpendIntent, "chain" | "kind" | "spendId">): string {
  return `${chain}/${kind}/${spendId}`;
}

/** Without the rest of the spend, which is kept on the disk only. */
function feeFactsOf({ claims, decisive, feeUnits }: SignedSpend): FeeFacts {
  return { claims, feeUnits, ...(decisive === undefined ? {} : { decisive }) };
}

/** The payouts of an intent; none for other kinds. */
export function payoutIdsOf(intent: SpendIntent): readonly string[] {
  return intent.kind === "payout" ? intent.payouts.map(({ payoutId }) => payoutId) : [];
}

/** The index of the first number greater than `after` in an ascending list. */
function firstAfter(ascending: readonly number[], after: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (present(ascending[middle], "a number of the list") > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
