import { assert, present } from "../platform/kernel/assert.ts";
import type { ChainId, Currency } from "./currency.ts";

/** The currencies of a deployment: the program's records, and the tokens that its configuration adds. */
export type CurrencyRegistry = {
  readonly all: readonly Currency[];
  /** By wire id; null for an id that names none. */
  readonly find: (id: string) => Currency | null;
  /** By wire id that is known to be one, as read from our own rows. */
  readonly get: (id: string) => Currency;
  readonly byAlpha: (alpha: string) => Currency | null;
  readonly onChain: (chain: ChainId) => readonly Currency[];
};

/** Two records of one id or one alpha code are refused: the configuration is wrong. */
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
