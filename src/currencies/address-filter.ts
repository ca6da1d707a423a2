import type { FilterSql } from "../platform/db/list-query.ts";
import { isHexAddress, toChecksumAddress } from "./eip55.ts";

/**
 * Filters a list by an address column. EVM addresses are stored in their EIP-55 spelling and match in any case, since nodes, explorers
 * and wallets also write them in lower case. Other addresses match exactly.
 */
export function addressFilter(column: string): FilterSql {
  return {
    kind: "custom",
    predicate: (bind, text) => {
      const lower = text.toLowerCase();
      return `${column} = ${bind(isHexAddress(lower) ? toChecksumAddress(lower) : text)}`;
    },
  };
}
