import { assert, present } from "../platform/kernel/assert.ts";
import type { ChainId, Currency } from "./currency.ts";

/** The deployment's currencies: the built-in ones and the tokens that its configuration adds. */
export type CurrencyRegistry = {
  readonly all: readonly Currency[];
  /** By wire id; null if unknown. */
  readonly find: (id: string) => Currency | null;
  /** By a wire id from our own rows, which must be known. */
  readonly get: (id: string) => Currency;
  readonly byAlpha: (alpha: string) => Currency | null;
  readonly onChain: (chain: ChainId) => readonly Currency[];
};

/** Throws if two records share an id or an alpha code. */
export function createRegistry(records: readonly Currency[]): CurrencyRegistry {
  const byId = new Map<string, Currency>(records.map((record) => [record.id, record]));
  const byAlpha = new Map(records.map((record) => [record.alpha, record]));
  assert(byId.size === records.length, "two currencies share an id");
  assert(byAlpha.size === records.length, "two currencies share an alpha code");
  return {
    all: records,
    find: (id) => byId.get(id) ?? null,
    get: (id) => present(byId.get(id), `currency ${id}`),
    byAlpha: (alpha) => byAlpha.get(alpha) ?? null,
    onChain: (chain) => records.filter((record) => record.chain === chain),
  };
}
