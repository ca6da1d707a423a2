import { readAlgorandAddress } from "../../currencies/algorand-address.ts";
import type { PayeeAddressing } from "../port.ts";

const mask = "^[A-Z2-7]{58}$";

/** Address operations that need no key. Transactions have a note, but no receiver is found by it, so there are no tags. */
export function createAlgorandPayeeAddressing(): PayeeAddressing {
  return {
    types: [{ name: null, masks: [mask], isDefault: true }],
    watchKey: ({ address }) => address,
    parse: (address, tag) => {
      const key = tag === null ? readAlgorandAddress(address) : null;
      // Nobody has the key that is all zeros.
      if (key === null || key.every((byte) => byte === 0)) return null;
      return { address, addressType: null, tag: null };
    },
  };
}
