import type { Executor } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import {
  findUsedCurrencies,
  type KnownCurrency,
  readKnownCurrencies,
  saveKnownCurrencies,
} from "./known-currency.store.ts";
import type { CurrencyRegistry } from "./registry.ts";

/** The configuration lacks or changes a currency that this database uses. */
export class CurrencyChanged extends Error {
  override readonly name = "CurrencyLost";
}

/**
 * Compares the configured currencies with those that the database has used, then records them. Rejects with
 * `CurrencyChanged` if a currency in use is missing or has other decimals or another chain: amounts are stored in
 * smallest units, so they would change their meaning. Currencies not in use may change.
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
  if (configured === null) return `${name} is in use but missing from the configuration`;
  if (configured.exp !== known.exp)
    return `${name} has ${configured.exp} decimals in the configuration, but its stored amounts have ${known.exp}`;
  if (configured.chain !== known.chain)
    return `${name} is on ${configured.chain ?? "no chain"} in the configuration, but in use on ${known.chain ?? "none"}`;
  return null;
}
