import { CborError, type Encodable, hexOf, type Item, intOf, listOf, mapOf } from "./cbor.ts";
import { unhex } from "./hash.ts";

/** Quantities by policy and then by asset name, both in hex. */
export type Assets = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

export type Value = { readonly lovelace: bigint; readonly assets: Assets };

/** An integer, or one with a map of assets. */
export function readValue(item: Item): Value {
  if (item.kind === "int") return { lovelace: item.value, assets: new Map() };
  const [lovelace, assets] = listOf(item);
  if (lovelace === undefined || assets === undefined) throw new CborError("a value has two items");
  return { lovelace: intOf(lovelace), assets: readAssets(assets) };
}

export function readAssets(item: Item): Assets {
  return new Map(
    mapOf(item).map(([policy, names]) => {
      const quantities = mapOf(names).map(
        ([name, quantity]) => [hexOf(name), intOf(quantity)] as const,
      );
      return [hexOf(policy), new Map(quantities)];
    }),
  );
}

export function encodableValue({ assets, lovelace }: Value): Encodable {
  return assets.size === 0 ? lovelace : [lovelace, encodableAssets(assets)];
}

/** Policies and names in the order of canonical CBOR: the shorter first. */
export function encodableAssets(assets: Assets): Encodable {
  const canonical = <Entry>(
    [a]: readonly [string, Entry],
    [b]: readonly [string, Entry],
  ): number => (a.length === b.length ? (a < b ? -1 : 1) : a.length - b.length);
  return new Map(
    [...assets].toSorted(canonical).map(([policy, names]) => {
      const entries = [...names].toSorted(canonical);
      return [unhex(policy), new Map(entries.map(([name, amount]) => [unhex(name), amount]))];
    }),
  );
}

/** The sum, without assets of which nothing is left. `times` -1 subtracts. */
export function addValues(a: Value, b: Value, times = 1n): Value {
  const assets = new Map([...a.assets].map(([policy, names]) => [policy, new Map(names)]));
  for (const [policy, names] of b.assets) {
    const own = assets.get(policy) ?? new Map<string, bigint>();
    for (const [name, amount] of names) own.set(name, (own.get(name) ?? 0n) + times * amount);
    for (const [name, amount] of own) if (amount === 0n) own.delete(name);
    assets.set(policy, own);
  }
  for (const [policy, names] of assets) if (names.size === 0) assets.delete(policy);
  return { lovelace: a.lovelace + times * b.lovelace, assets };
}

export const nothing: Value = { lovelace: 0n, assets: new Map() };
