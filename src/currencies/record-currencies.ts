import type { Executor } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import {
  findUsedCurrencies,
  type KnownCurrency,
  readKnownCurrencies,
  saveKnownCurrencies,
} from "./known-currency.store.ts";
import type { CurrencyRegistry } from "./registry.ts";

/** The configuration lacks or changes a currency in which this database keeps money. */
export class CurrencyChanged extends Error {
  override readonly name = "CurrencyLost";
}

/**
 * Compares the currencies of a configuration with those that the database has been used with, and records them. Rejects
 * with `CurrencyLost` where one that something is stored in is gone, has other digits or another chain: amounts are stored
 * in smallest units, and would come out a thousand times what they are. One that nobody has used yet may change.
 */
export async function recordCurrencies(
  { db, clock }: { readonly db: Executor; readonly clock: Clock },
  currencies: CurrencyRegistry,
): Promise<void> {
  const changed = (await readKnownCurrencies(db)).flatMap((known) => {
    const fault = conflictOf(known, currencies);
    return fault === null ? [] : [{ id: known.currency, fault }];
  });
  if (changed.length > 0) {
    const used = await findUsedCurrencies(
      db,
      changed.map(({ id }) => id),
    );
    const lost = changed.filter(({ id }) => used.has(id));
    if (lost.length > 0) throw new CurrencyChanged(lost.map(({ fault }) => fault).join("; "));
  }
  await saveKnownCurrencies(db, currencies.all, clock.now());
}

function conflictOf(known: KnownCurrency, currencies: CurrencyRegistry): string | null {
  const name = `currency ${known.currency} (${known.alpha})`;
  const configured = currencies.find(known.currency);
  if (configured === null) return `${name} is missing in the configuration and in use`;
  if (configured.exp !== known.exp)
    return `${name} has ${configured.exp} digits in the configuration, and amounts stored with ${known.exp}`;
  if (configured.chain !== known.chain)
    return `${name} is on ${configured.chain ?? "no chain"} in the configuration, and in use on ${known.chain ?? "none"}`;
  return null;
}
