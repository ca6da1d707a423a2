import {
  explainTonText,
  readTonAddress,
  type TonNetworkKind,
  tonAddressText,
} from "../../currencies/ton-address.ts";
import { commentFault } from "../../currencies/ton-comment.ts";
import type { PayeeAddressing } from "../port.ts";

const masks = {
  main: ["^[EU]Q[A-Za-z0-9_-]{46}$", "^0:[0-9a-fA-F]{64}$"],
  test: ["^[EUk0]Q[A-Za-z0-9_-]{46}$", "^0:[0-9a-fA-F]{64}$"],
};

/**
 * Address operations that need no key. A destination is an account with its comment beside it; bounceable, non-bounceable and raw
 * addresses of one account are one destination, whose canonical spelling is not bounceable.
 */
export function createTonPayeeAddressing(network: TonNetworkKind): PayeeAddressing {
  return {
    types: [{ name: null, masks: masks[network], isDefault: true }],
    watchKey: ({ address, tag }) => watchKeyOf(address, tag),
    parse: (text, tag) => {
      const read = readTonAddress(text);
      if (read === null || explainTonText(text, network) !== null) return null;
      // Nobody has the key of the account that is all zeros.
      if (read.id.every((byte) => byte === 0)) return null;
      if (tag !== null && commentFault(tag) !== null) return null;
      return { address: tonAddressText(read.id, network), addressType: null, tag };
    },
    explain: (text) => explainTonText(text, network),
  };
}

/** `account` or `account:comment`; the account in its canonical spelling, which has no colon. */
export function watchKeyOf(account: string, comment: string | null): string {
  return comment === null ? account : `${account}:${comment}`;
}
