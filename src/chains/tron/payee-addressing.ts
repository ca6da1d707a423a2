import { type Currency, listedTokens } from "../../currencies/currency.ts";
import type { PayeeAddressing } from "../port.ts";
import { parseTronAddress } from "./address.ts";

const mask = "^T[1-9A-HJ-NP-Za-km-z]{33}$";

/** Address operations that need no key. Refuses payments to the contracts of `currencies`. */
export function createTronPayeeAddressing(currencies: readonly Currency[]): PayeeAddressing {
  const contracts = listedTokens(currencies);
  return {
    types: [{ name: null, masks: [mask], isDefault: true }],
    watchKey: ({ address }) => address,
    parse: (text, tag) => {
      const address = tag === null ? parseTronAddress(text, contracts) : null;
      return address === null ? null : { address, addressType: null, tag: null };
    },
  };
}
