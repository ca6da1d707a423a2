import type { CardanoSite } from "../../src/sandbox/sandbox-file.ts";

type Match = { readonly value: { readonly coins: number } };

/** What Kupo finds unspent at the addresses, in lovelace, also where it lies with tokens. */
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
  return found.flat().reduce((sum, { value }) => sum + BigInt(value.coins), 0n);
}

/** The block that Kupo has in the slot of a block, `slot.id`; undefined if it has none there. */
export async function cardanoBlockIn(
  { kupo_url }: CardanoSite,
  held: string,
): Promise<string | undefined> {
  const [slot = ""] = held.split(".");
  const response = await fetch(`${kupo_url}/checkpoints/${slot === "" ? "0" : slot}?strict`);
  const found = (await response.json()) as { readonly header_hash: string } | null;
  return found === null ? undefined : `${slot}.${found.header_hash}`;
}
