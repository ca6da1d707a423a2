import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { exactText } from "../../platform/resources/filters.ts";
import type { Currency } from "../currency.ts";
import type { CurrencyRegistry } from "../registry.ts";
import type { MarginOf } from "./margin.ts";
import { type PairRate, type RateBook, readRateBook } from "./rate-book.ts";

/** A rate resource: `left` and `right` are alpha codes; the id consists of the two currency ids. */
export type RateResource = {
  readonly type: "rate";
  readonly id: string;
  readonly attributes: {
    readonly left: string;
    readonly right: string;
    readonly bid: string;
    readonly ask: string;
    readonly exp: number;
    readonly created_at: string;
    readonly expired_at: string;
  };
};

/** Current rates of every ordered pair of different currencies. */
export type RateList = {
  /** Returns rendered items; omits pairs without a current price. */
  readonly list: (query: ListQuery) => Promise<Page<RateResource>>;
  /** Finds a pair by id, such as `1000-840` for bitcoin in dollars; null for an unknown pair or one without a current price. */
  readonly find: (id: string) => Promise<RateResource | null>;
};

type Pair = { readonly id: string; readonly left: Currency; readonly right: Currency };

/** Lists rates computed from the dollar prices of both currencies. */
export function createRateList(
  db: Executor,
  registry: CurrencyRegistry,
  clock: Clock,
  marginOf: MarginOf,
): RateList {
  const pairs = pairsOf(registry.all);
  const byId = new Map(pairs.map((pair) => [pair.id, pair]));
  return {
    list: async (query) => {
      const book = await readRateBook(db, clock, marginOf);
      const priced = new Set(registry.all.filter(book.isPriced));
      const current = pairs.filter(({ left, right }) => priced.has(left) && priced.has(right));
      const page = listInMemory(current, pairList, query);
      return { ...page, items: page.items.flatMap((pair) => renderPair(pair, book) ?? []) };
    },
    find: async (id) => {
      const pair = byId.get(id);
      return pair === undefined ? null : renderPair(pair, await readRateBook(db, clock, marginOf));
    },
  };
}

/** Builds the pairs in the default sort order, so sorting a few thousand of them takes one pass. */
function pairsOf(currencies: readonly Currency[]): readonly Pair[] {
  const ordered = currencies.toSorted((a, b) => Number(a.id) - Number(b.id));
  return ordered.flatMap((left) =>
    ordered
      .filter((right) => right !== left)
      .map((right) => ({ id: `${left.id}-${right.id}`, left, right })),
  );
}

const idLength = 8;

/** The filters of the list, as the API describes them. */
export const rateFilters = {
  left: exactText(256),
  right: exactText(256),
};

const pairList: MemoryList<Pair, keyof typeof rateFilters> = {
  id: ({ id }) => id,
  filters: {
    left: ({ left }, text) => matchesFilter(left, text),
    right: ({ right }, text) => matchesFilter(right, text),
  },
  sort: {
    id: ({ left, right }) => left.id.padStart(idLength, "0") + right.id.padStart(idLength, "0"),
    left: ({ left }) => left.alpha,
    right: ({ right }) => right.alpha,
  },
};

/** The filter lists alpha codes or ids, separated by commas. */
function matchesFilter(currency: Currency, text: string): boolean {
  return text.split(",").some((name) => name === currency.alpha || name === currency.id);
}

function renderPair(pair: Pair, book: RateBook): RateResource | null {
  const rate = book.pair(pair.left, pair.right);
  return rate === null ? null : rateResource(pair, rate);
}

function rateResource({ id, left, right }: Pair, rate: PairRate): RateResource {
  return {
    type: "rate",
    id,
    attributes: {
      left: left.alpha,
      right: right.alpha,
      bid: formatDecimal(rate.bid, rate.exp),
      ask: formatDecimal(rate.ask, rate.exp),
      exp: rate.exp,
      created_at: formatTimestamp(rate.createdAt),
      expired_at: formatTimestamp(rate.expiredAt),
    },
  };
}
