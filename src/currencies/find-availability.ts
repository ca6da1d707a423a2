import type { Executor } from "../platform/db/database.ts";
import { present } from "../platform/kernel/assert.ts";
import { availabilityFromRow } from "./availability-row.ts";
import type { Currency } from "./currency.ts";
import { readCurrencyStates } from "./currency-state.store.ts";
import type { Availability, ChainSwitches } from "./decide-availability.ts";

/** Availability of currencies for one account, in the given order. Uses one statement and no cache. */
export type FindAvailability = (
  db: Executor,
  accountId: string,
  currencies: readonly Currency[],
) => Promise<readonly Availability[]>;

export function createFindAvailability(chains: ChainSwitches): FindAvailability {
  return async (db, accountId, currencies) => {
    const ids = currencies.map((currency) => currency.id);
    const rows = await readCurrencyStates(db, accountId, ids);
    const byId = new Map(rows.map((row) => [row.currency, row]));
    return currencies.map((currency) => {
      const row = present(byId.get(currency.id), `state of currency ${currency.id}`);
      return availabilityFromRow(currency, chains, row);
    });
  };
}
