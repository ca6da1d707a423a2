import {
  type CardanoNetworkId,
  explainCardanoText,
  readCardanoAddress,
} from "../../currencies/cardano-address.ts";
import type { PayeeAddressing } from "../port.ts";

/** Base and enterprise addresses; Byron's are paid too, and have no mask, since nobody should make new ones. */
const masks = {
  main: ["^addr1[02-9ac-hj-np-z]{53}$", "^addr1[02-9ac-hj-np-z]{98}$"],
  test: ["^addr_test1[02-9ac-hj-np-z]{53}$", "^addr_test1[02-9ac-hj-np-z]{98}$"],
};

/** Address operations that need no key. The watch key is the address in its one spelling, as nodes write it. */
export function createCardanoPayeeAddressing(network: CardanoNetworkId): PayeeAddressing {
  return {
    types: [{ name: null, masks: masks[network.kind], isDefault: true }],
    watchKey: ({ address }) => address,
    parse: (text, tag) => {
      const read = tag === null ? readCardanoAddress(text, network) : null;
      return read === null ? null : { address: read.text, addressType: null, tag: null };
    },
    explain: (text) => explainCardanoText(text, network),
  };
}
