import type { CardanoSite } from "../../src/sandbox/sandbox-file.ts";

type Match = {
  readonly value: { readonly coins: number; readonly assets: Readonly<Record<string, number>> };
};

/** What Kupo finds unspent at the addresses, in lovelace. What lies with tokens is left out: no payment can spend it alone. */
export async function cardanoUnits(
  { kupo_url }: CardanoSite,
  addresses: readonly string[],
): Promise<bigint> {
  const found = await Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(`${kupo_url}/matches/${address}?unspent`);
      return (await response.json()) as readonly Match[];
    }),
  );
  return found
    .flat()
    .filter(({ value }) => Object.keys(value.assets).length === 0)
    .reduce((sum, { value }) => sum + BigInt(value.coins), 0n);
}
