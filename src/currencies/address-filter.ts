import type { FilterSql } from "../platform/db/list-query.ts";
import { checksumSpelling } from "./eip55.ts";

const evmAddress = /^0x[0-9a-f]{40}$/;

/**
 * Filters a list by an address column. An EVM address is kept in its EIP-55 spelling and found by any: nodes, explorers and
 * wallets write it in lower case too. Other addresses are compared as they stand.
 */
export function addressFilter(column: string): FilterSql {
  return {
    kind: "custom",
    predicate: (bind, text) => {
      const lower = text.toLowerCase();
      return `${column} = ${bind(evmAddress.test(lower) ? checksumSpelling(lower) : text)}`;
    },
  };
}
