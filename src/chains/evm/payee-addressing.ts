import type { Currency } from "../../currencies/currency.ts";
import type { PayeeAddressing } from "../port.ts";
import { parseEvmAddress } from "./parse-address.ts";

const mask = "^0x[0-9a-fA-F]{40}$";

/** Address operations that need no key. Refuses payments to the contracts of `currencies`. */
export function createEvmPayeeAddressing(currencies: readonly Currency[]): PayeeAddressing {
  const contracts = new Set(
    currencies.flatMap(({ token }) => (token === null ? [] : [token.locator])),
  );
  return {
    types: [{ name: null, masks: [mask], isDefault: true }],
    watchKey: ({ address }) => address.toLowerCase(),
    parse: (text, tag) => {
      const address = tag === null ? parseEvmAddress(text, contracts) : null;
      return address === null ? null : { address, addressType: null, tag: null };
    },
  };
}
