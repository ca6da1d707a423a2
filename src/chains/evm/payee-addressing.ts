import { type Currency, type ListedTokens, listedTokens } from "../../currencies/currency.ts";
import { isEvmAddress, toChecksumAddress } from "../../currencies/eip55.ts";
import type { PayeeAddressing } from "../port.ts";

const mask = "^0x[0-9a-fA-F]{40}$";

/** Address operations that need no key. Refuses payments to the contracts of `currencies`. */
export function createEvmPayeeAddressing(currencies: readonly Currency[]): PayeeAddressing {
  const contracts = listedTokens(currencies);
  return {
    types: [{ name: null, masks: [mask], isDefault: true }],
    watchKey: ({ address }) => address.toLowerCase(),
    parse: (text, tag) => {
      const address = tag === null ? parseEvmAddress(text, contracts) : null;
      return address === null ? null : { address, addressType: null, tag: null };
    },
  };
}

const anyCase = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/;

/**
 * Below this address are only precompiled contracts and addresses that protocols reserve (0x1010 on Polygon, 0x1000 on BNB Smart
 * Chain): they have no private key, and what is sent there is lost.
 */
const reservedBelow = 0x10000n;

/** Addresses used as sinks or as a placeholder for ether, which have no known private key. */
const sinks = new Set([
  "0x000000000000000000000000000000000000dead",
  "0xdead000000000000000042069420694206942069",
  "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
  "0xffffffffffffffffffffffffffffffffffffffff",
]);

/**
 * The EIP-55 spelling of an address that can be paid, else null. Mixed case must have the right checksum; a single case carries
 * none and is accepted. Also refused: reserved addresses, known sinks, and `refused` (lower case), the deployment's token
 * contracts, where tokens sent by mistake are lost.
 */
export function parseEvmAddress(text: string, refused: Pick<ListedTokens, "has">): string | null {
  if (!anyCase.test(text) && !isEvmAddress(text)) return null;
  const key = text.toLowerCase();
  if (BigInt(key) < reservedBelow || sinks.has(key) || refused.has(key)) return null;
  return toChecksumAddress(key);
}
