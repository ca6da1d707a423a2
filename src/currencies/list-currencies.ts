import type { Executor } from "../platform/db/database.ts";
import { present } from "../platform/kernel/assert.ts";
import { listInMemory, type MemoryList } from "../platform/kernel/list-in-memory.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import { containedText, exactText, wholeNumber, yesOrNo } from "../platform/resources/filters.ts";
import { findChain } from "./chains.ts";
import type { Currency } from "./currency.ts";
import type { FindAvailability } from "./find-availability.ts";
import type { CurrencyRegistry } from "./registry.ts";

/** A currency and whether the account may use it. */
type ListedCurrency = { readonly currency: Currency; readonly isAvailable: boolean };

/** All currencies of the deployment. The filter `is_available` keeps those that the account may use now. */
export type CurrencyList = {
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<Currency>>;
  /** Looks up ids, in the given order; skips unknown ids. */
  readonly find: (ids: readonly string[]) => readonly Currency[];
};

export function createCurrencyList(
  db: Executor,
  registry: CurrencyRegistry,
  findAvailability: FindAvailability,
): CurrencyList {
  const listFor = async (accountId: string): Promise<readonly ListedCurrency[]> => {
    const currencies = registry.all;
    const found = await findAvailability(db, accountId, currencies);
    return currencies.map((currency, index) => ({
      currency,
      isAvailable: present(found[index], "one answer per currency") === "available",
    }));
  };
  return {
    list: async (accountId, query) =>
      mapPage(
        listInMemory(await listFor(accountId), currencyList, query),
        ({ currency }) => currency,
      ),
    find: (ids) => ids.flatMap((id) => registry.find(id) ?? []),
  };
}

/** The filters of the list, as the API describes them. */
export const currencyFilters = {
  id: wholeNumber(8),
  iso: wholeNumber(8),
  alpha: exactText(32),
  alias: exactText(32),
  name: containedText(64),
  chain: exactText(32),
  blockchain_name: containedText(64),
  parent: wholeNumber(8),
  tag: exactText(32),
  // Whether this account can use it now: the deployment follows its chain, and no operator has disabled it.
  is_available: yesOrNo,
};

const currencyList: MemoryList<ListedCurrency, keyof typeof currencyFilters> = {
  id: ({ currency }) => currency.id,
  filters: {
    id: ({ currency }, text) => currency.id === text,
    iso: ({ currency }, text) => currency.id === text,
    alpha: ({ currency }, text) => currency.alpha === text,
    alias: ({ currency }, text) => currency.alias === text,
    name: ({ currency }, text) => contains(currency.name, text),
    chain: ({ currency }, text) => currency.chain === text,
    blockchain_name: ({ currency }, text) => contains(chainName(currency), text),
    parent: ({ currency }, text) => currency.parent === text,
    tag: ({ currency }, text) => currency.tags.includes(text),
    is_available: ({ isAvailable }, text) => isAvailable === /^(true|1)$/i.test(text),
  },
  sort: {
    iso: ({ currency }) => Number(currency.id),
    alpha: ({ currency }) => currency.alpha,
    name: ({ currency }) => currency.name,
  },
};

function chainName(currency: Currency): string {
  return currency.chain === null ? "" : (findChain(currency.chain)?.name ?? "");
}

function contains(whole: string, part: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
}
