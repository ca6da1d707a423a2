import type { Brand } from "./brand.ts";

/** A currency's id as it stands on the wire: `"1002"` is ether, `"840"` the US dollar. */
export type CurrencyId = Brand<string, "CurrencyId">;

/** An amount in integer units of the currency's smallest part (wei, satoshi, cent). */
export type Money = { readonly units: bigint; readonly currency: CurrencyId };

/** An amount in whole units of the currency. */
export function money(units: bigint, currency: CurrencyId): Money {
  return { units, currency };
}
