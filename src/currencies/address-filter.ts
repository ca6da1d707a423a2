import type { FilterSql } from "../platform/db/list-query.ts";
import { isHexAddress, toChecksumAddress } from "./eip55.ts";
import type { CurrencyRegistry } from "./registry.ts";

/** An address in its canonical spelling; `tag` is null if the text names none. */
export type SpelledAddress = { readonly address: string; readonly tag: string | null };

/** What a text means as an address, on each chain of the deployment that has such addresses. */
export type ReadAddresses = (text: string) => readonly SpelledAddress[];

/** What lists of deposits and payouts need for their filters. */
export type ListReading = {
  readonly currencies: CurrencyRegistry;
  readonly readAddresses: ReadAddresses;
};

/**
 * Filters a list by its address and tag columns, in every spelling: an EVM address in any case, an address of another format for
 * the same key, an address that contains its tag. An address alone matches with every tag. Text that no chain reads as an address
 * matches itself.
 */
export function addressFilter(
  columns: { readonly address: string; readonly tag: string },
  readAddresses: ReadAddresses,
): FilterSql {
  return {
    kind: "custom",
    predicate: (bind, text) => {
      const meant = readAddresses(text);
      const plain = meant.flatMap(({ address, tag }) => (tag === null ? [address] : []));
      const spelled = [...new Set([text, ...checksummed(text), ...plain])];
      const tagged = meant.flatMap(({ address, tag }) => (tag === null ? [] : [{ address, tag }]));
      const names = tagged.map(({ address }) => address);
      // The index has addresses in lower case, for searches.
      const lower = [...new Set([...spelled, ...names].map((name) => name.toLowerCase()))];
      const isIndexed = `${columns.address} is not null and lower(${columns.address}) = any(${bind(lower)}::text[])`;
      const untagged = `${columns.address} = any(${bind(spelled)}::text[])`;
      if (tagged.length === 0) return `${isIndexed} and ${untagged}`;
      const tags = bind(tagged.map(({ tag }) => tag));
      return `${isIndexed} and (${untagged} or (${columns.address}, ${columns.tag}) in (select * from unnest(${bind(names)}::text[], ${tags}::text[])))`;
    },
  };
}

/** Nodes and explorers also write EVM addresses in one case, and even in a wrong one. */
function checksummed(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return isHexAddress(lower) ? [toChecksumAddress(lower)] : [];
}
