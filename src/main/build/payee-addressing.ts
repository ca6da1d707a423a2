import type { PayeeAddressing } from "../../chains/port.ts";
import type { ReadAddresses } from "../../currencies/address-filter.ts";
import type { FindWatchKey } from "../../treasury/recovery/unexplained-spend.ts";
import { familyOf } from "../families/families.ts";
import type { Foundation } from "./foundation.ts";

/** Parses receiver addresses on a chain of the deployment; null for a chain that it does not run. */
export function payeeAddressing(
  { config, currencies }: Pick<Foundation, "config" | "currencies">,
  chain: string,
): PayeeAddressing | null {
  const settings = config.chains[chain];
  return settings === undefined
    ? null
    : familyOf(chain).createPayeeAddressing(settings, currencies);
}

/** Names a destination as the chain's blocks do; null for what the deployment cannot pay. */
export function createFindWatchKey(
  foundation: Pick<Foundation, "config" | "currencies">,
): FindWatchKey {
  return (chain, address, tag) => {
    const addressing = payeeAddressing(foundation, chain);
    const receiver = addressing?.parse(address, tag) ?? null;
    return addressing === null || receiver === null ? null : addressing.watchKey(receiver);
  };
}

/** Reads a text as an address of each chain of the deployment, in every spelling that a deposit may show. */
export function createReadAddresses(
  foundation: Pick<Foundation, "config" | "currencies">,
): ReadAddresses {
  const addressings = Object.keys(foundation.config.chains).flatMap(
    (chain) => payeeAddressing(foundation, chain) ?? [],
  );
  return (text) =>
    addressings.flatMap(({ parse, spell }) => {
      const meant = parse(text, null);
      if (meant === null) return [];
      const spellings = Object.values(spell?.(meant) ?? {});
      return [meant, ...spellings.map((address) => ({ address, tag: null }))];
    });
}
