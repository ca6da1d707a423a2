import { isEvmAddress, toChecksumAddress } from "../../currencies/eip55.ts";

const anyCase = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/;

/**
 * Below this address only precompiled contracts and what protocols reserve for themselves (0x1010 on Polygon, 0x1000 on
 * BNB Smart Chain): nobody holds a key to any of them, and what is sent there is lost.
 */
const reservedBelow = 0x10000n;

/** Addresses that are used as sinks or as a word for "ether", and that nobody can spend from. */
const sinks = new Set([
  "0x000000000000000000000000000000000000dead",
  "0xdead000000000000000042069420694206942069",
  "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
  "0xffffffffffffffffffffffffffffffffffffffff",
]);

/**
 * The EIP-55 spelling of an address that can be paid, else null. Mixed case must have the right checksum; one case
 * throughout carries none and is taken. Refused beside malformed text: reserved addresses, known sinks and `refused`
 * (lower case), which names the token contracts of the deployment, where tokens sent by mistake are lost.
 */
export function parseEvmAddress(text: string, refused: ReadonlySet<string>): string | null {
  if (!anyCase.test(text) && !isEvmAddress(text)) return null;
  const key = text.toLowerCase();
  if (BigInt(key) < reservedBelow || sinks.has(key) || refused.has(key)) return null;
  return toChecksumAddress(key);
}
