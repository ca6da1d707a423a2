import type { Brand } from "./brand.ts";

/** A currency's id as on the wire: `"1002"` is ether, `"840"` the US dollar. */
export type CurrencyId = Brand<string, "CurrencyId">;

/** An amount in the currency's smallest unit (wei, satoshi, cent). */
export type Money = { readonly units: bigint; readonly currency: CurrencyId };

/** Creates an amount from smallest units. */
export function money(units: bigint, currency: CurrencyId): Money {
  return { units, currency };
}
