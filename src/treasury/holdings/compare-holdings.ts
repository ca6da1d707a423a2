import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { ChainReader } from "../../chains/port.ts";
import { upsertReconciliation } from "../../ledger/reconcile.store.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { type FollowedTreasury, holdsCoins, sharesAccount } from "./block-facts.ts";
import {
  type Books,
  type ComparedAddress,
  type ComparedCoin,
  readBooks,
  readFoundAddresses,
  readFoundUnits,
  readHeldAddresses,
  readMissingCoins,
  readSample,
  readUnspentCoins,
  recordSample,
  type SampleOutcome,
  takeSnapshot,
} from "./comparison.store.ts";
import { restoreHoldings } from "./holding.store.ts";

export type ComparedChain = FollowedTreasury &
  Pick<ChainAdapter, "reader" | "writer" | "activator">;

export type ComparingContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chain: ComparedChain;
  /** How many issued addresses without holdings one comparison samples; 0 for none. */
  readonly sampleMax: number;
  /** A surplus of at most so much is a gain of the operator. Absent: 0. */
  readonly gainMost?: bigint;
};

/** The result of comparing the books with the chain. */
export type Compared = {
  readonly currency: CurrencyId;
  readonly height: number;
  readonly ledgerUnits: bigint;
  readonly chainUnits: bigint;
  /** More is missing than our own open transactions take, or more was found than pending payments bring. */
  readonly exceedsFlight: boolean;
  /** More was found, at most `gainMost`. */
  readonly isGain: boolean;
  readonly hasSampled: boolean;
};

type Counted = {
  readonly units: bigint;
  readonly sample: SampleOutcome;
  /** Found at addresses of deposits that are empty according to the books. */
  readonly overlooked: ReadonlyMap<string, bigint>;
};

/** Addresses per request to the adapter. */
const questionMax = 5_000;
/** Outputs per request (`ChainReader.unspentOutputs`). */
const coinsMax = 98;
/** Attempts per request, since the tip may move during each. */
const triesMax = 5;

/**
 * Compares what the ledger says our addresses hold of a currency (`chain/C`) with the chain, as of the newest booked block, and
 * records the result. Later blocks do not disturb it. Returns null and records nothing if no block is booked, the node does
 * not know that block (any more), or the books were adjusted since: the comparison began without that posting.
 *
 * It reads every address that holds something according to the books and a sample of the others. So missing money shows in the
 * next comparison, and unbooked money when the sample reaches its address. Money at an address that the books consider empty is entered
 * there again, so that it is swept.
 */
export async function compareHoldings(
  context: ComparingContext,
  currency: CurrencyId,
  signal: AbortSignal,
): Promise<Compared | null> {
  const { db, clock, logger, chain, gainMost = 0n } = context;
  const taken = await db.transaction(async (tx) => {
    await takeSnapshot(tx);
    const books = await readBooks(tx, chain.chain, currency);
    if (books === null) return null;
    return holdsCoins(chain)
      ? {
          books,
          coins: await readUnspentCoins(tx, chain.chain),
          foundUnits: await readFoundUnits(tx, chain.chain, currency),
        }
      : { books, held: await readHeldAddresses(tx, chain, currency, false) };
  });
  if (taken === null) return null;
  const { books } = taken;
  const counted =
    taken.held === undefined
      ? await countCoins(context, currency, taken, signal)
      : await countAccounts(context, currency, { books, held: taken.held }, signal);
  if (counted === null) return null;
  const { height, ledgerUnits, leavingUnits, arrivingUnits } = books;
  const found = { chain: chain.chain, currency, height, ledgerUnits, chainUnits: counted.units };
  const now = clock.now();
  const recorded = await db.transaction(async (tx) => {
    const outcome = await upsertReconciliation(tx, found, books.last, now);
    if (outcome === "outdated") return outcome;
    await recordSample(tx, chain.chain, currency, counted.sample, now);
    await restoreHoldings(tx, chain.chain, currency, height, counted.overlooked);
    return outcome;
  });
  if (recorded === "outdated") return null;
  if (recorded === "differs") {
    logger.error("the ledger and the chain differ", {
      chain: chain.chain,
      currency,
      height,
      ledgerUnits: ledgerUnits.toString(),
      chainUnits: counted.units.toString(),
    });
  }
  const missing = ledgerUnits - counted.units;
  const isSmall = missing < 0n && -missing <= gainMost;
  return {
    ...found,
    exceedsFlight: missing > leavingUnits || (-missing > arrivingUnits && !isSmall),
    isGain: isSmall,
    hasSampled: counted.sample.sampledAfter !== null,
  };
}

async function countAccounts(
  context: ComparingContext,
  currency: CurrencyId,
  { books, held }: { readonly books: Books; readonly held: readonly ComparedAddress[] },
  signal: AbortSignal,
): Promise<Counted | null> {
  const { db, chain } = context;
  // The addresses of deposits that share the hot account are that account, which is read anyway.
  const sampleMax = sharesAccount(chain) ? 0 : context.sampleMax;
  const { addresses, sampledAfter } = await nextSample(db, chain, books, sampleMax);
  const known = new Set(held.map(({ watchKey }) => watchKey));
  const others = addresses.filter(({ watchKey }) => !known.has(watchKey));
  const read = (requested: readonly ComparedAddress[]) =>
    readBalances(chain.reader, requested, currency, books.hash, signal);
  const balances = await read([...held, ...others]);
  if (balances === null) return null;
  const foundAt = (addresses: readonly ComparedAddress[]): Map<string, bigint> =>
    new Map(
      addresses.flatMap(({ watchKey }) => {
        const units = present(balances.get(watchKey), "the balance of a read address");
        return units > 0n ? [[watchKey, units] as const] : [];
      }),
    );
  let looked = others;
  let overlooked = new Map<string, bigint>();
  // Money seems to be missing: also read the addresses that are empty according to the books.
  if (sumOf(balances) < books.ledgerUnits) {
    const wide = await readHeldAddresses(db, chain, currency, true);
    const beyond = wide.filter(({ watchKey }) => !balances.has(watchKey));
    const more = await read(beyond);
    if (more === null) return null;
    for (const [watchKey, units] of more) balances.set(watchKey, units);
    looked = [...others, ...beyond];
    if (!keepsCoin(chain, currency)) overlooked = foundAt(beyond);
  }
  return {
    units: sumOf(balances),
    overlooked,
    sample: {
      // A held address that is empty now was moved or spent, so an earlier find there is forgotten.
      looked: [...balances.keys()].filter(
        (watchKey) => !known.has(watchKey) || balances.get(watchKey) === 0n,
      ),
      found: foundAt(looked),
      sampledAfter,
    },
  };
}

/** Whether every activated address keeps some of the currency, which no sweep takes. */
function keepsCoin({ activator, writer }: ComparedChain, currency: CurrencyId): boolean {
  return (activator ?? null) !== null && writer?.coin === currency;
}

async function nextSample(
  db: Executor,
  { keyspace }: Pick<ComparedChain, "keyspace">,
  { sampledAfter }: Books,
  limit: number,
): Promise<{
  readonly addresses: readonly ComparedAddress[];
  readonly sampledAfter: string | null;
}> {
  if (limit === 0) return { addresses: [], sampledAfter: null };
  const addresses = await readSample(db, keyspace, sampledAfter, limit);
  // After the last address the sample starts over.
  const last = addresses.length < limit ? "" : (addresses.at(-1)?.watchKey ?? "");
  return { addresses, sampledAfter: last };
}

/** Null if the node does not know the block. */
async function readBalances(
  { balancesAt }: ChainReader,
  requested: readonly ComparedAddress[],
  currency: CurrencyId,
  hash: string,
  signal: AbortSignal,
): Promise<Map<string, bigint> | null> {
  const balances = new Map<string, bigint>();
  for (let from = 0; from < requested.length; from += questionMax) {
    const part = requested.slice(from, from + questionMax);
    const units = await balancesAt(
      part.map(({ address }) => address),
      currency,
      hash,
      signal,
    );
    if (units === null) return null;
    for (const [place, { watchKey }] of part.entries())
      balances.set(watchKey, present(units[place], "a balance per address"));
  }
  return balances;
}

/**
 * Asks the node about each of our coins. The node answers as of its tip: an absent coin counts as missing only if the books
 * contain that tip as well and still have the coin.
 */
async function countCoins(
  context: ComparingContext,
  currency: CurrencyId,
  taken: {
    readonly books: Books;
    readonly coins: readonly ComparedCoin[];
    readonly foundUnits: bigint;
  },
  signal: AbortSignal,
): Promise<Counted | null> {
  const { db, chain } = context;
  const { coins } = taken;
  const vanished = await findGone(chain.reader, coins, signal);
  if (vanished === null) return null;
  const missing =
    vanished.outpoints.length === 0
      ? []
      : await readMissingCoins(db, chain.chain, vanished.outpoints, vanished.hashes);
  if (missing.some(({ isBooked }) => !isBooked)) return null;
  const sum = (of: readonly ComparedCoin[]): bigint =>
    of.reduce((total, { units }) => total + units, 0n);
  const sample = await sampleCoins(context, currency, taken, signal);
  const foundUnits = sample.sampledAfter === null ? taken.foundUnits : sample.foundUnits;
  const units = sum(coins) - sum(missing) + foundUnits;
  return { units, sample, overlooked: new Map() };
}

async function findGone(
  { unspentOutputs }: ChainReader,
  coins: readonly ComparedCoin[],
  signal: AbortSignal,
): Promise<{ readonly outpoints: readonly string[]; readonly hashes: readonly string[] } | null> {
  if (unspentOutputs === null) return null;
  const outpoints: string[] = [];
  const hashes = new Set<string>();
  for (let from = 0; from < coins.length; from += coinsMax) {
    const requested = coins.slice(from, from + coinsMax).map(({ outpoint }) => outpoint);
    let unspent: Awaited<ReturnType<typeof unspentOutputs>> = null;
    for (let tries = 0; tries < triesMax && unspent === null; tries += 1)
      unspent = await unspentOutputs(requested, signal);
    if (unspent === null) return null;
    const there = unspent.outpoints;
    const absent = requested.filter((outpoint) => !there.has(outpoint));
    if (absent.length > 0) hashes.add(unspent.atHash);
    outpoints.push(...absent);
  }
  return { outpoints, hashes: [...hashes] };
}

/** Samples addresses, provided that the tip is the booked block when the scan begins; otherwise the next comparison samples. */
async function sampleCoins(
  { db, chain, sampleMax }: ComparingContext,
  currency: CurrencyId,
  { books, coins }: { readonly books: Books; readonly coins: readonly ComparedCoin[] },
  signal: AbortSignal,
): Promise<SampleOutcome & { readonly foundUnits: bigint }> {
  const none = { looked: [], found: new Map<string, bigint>(), sampledAfter: null, foundUnits: 0n };
  const { addresses, sampledAfter } = await nextSample(db, chain, books, sampleMax);
  if (sampledAfter === null) return none;
  const known = new Set(coins.map(({ watchKey }) => watchKey));
  const finds = await readFoundAddresses(db, chain, currency);
  const all = new Map([...finds, ...addresses].map((address) => [address.watchKey, address]));
  const requested = [...all.values()].filter(({ watchKey }) => !known.has(watchKey));
  const balances = await readBalances(chain.reader, requested, currency, books.hash, signal);
  if (balances === null) return none;
  const found = new Map([...balances].filter(([, units]) => units > 0n));
  const looked = [...all.keys()];
  return { looked, found, sampledAfter, foundUnits: sumOf(found) };
}

function sumOf(balances: ReadonlyMap<string, bigint>): bigint {
  return [...balances.values()].reduce((total, units) => total + units, 0n);
}
