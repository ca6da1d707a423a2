import { keccak_256 } from "@noble/hashes/sha3.js";

const hexAddress = /^0x[0-9a-fA-F]{40}$/;
const letter = /[a-f]/;

/**
 * The EIP-55 spelling of a lower-case address: a letter is upper case where the Keccak-256 hash of the lower-case
 * digits has the highest bit set in the nibble at the letter's position.
 */
export function toChecksumAddress(address: string): string {
  const digits = address.slice(2);
  const hash = keccak_256(new TextEncoder().encode(digits));
  let spelled = "0x";
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charAt(place);
    const byte = hash[place >> 1] ?? 0;
    const isCapital = ((place & 1) === 0 ? byte >> 4 : byte & 0x0f) >= 8;
    spelled += isCapital && letter.test(digit) ? digit.toUpperCase() : digit;
  }
  return spelled;
}

/** Whether the text is `0x` and 40 hexadecimal digits, ignoring the checksum. */
export function isHexAddress(text: string): boolean {
  return hexAddress.test(text);
}

/** Whether the text is an address in lower case, or in mixed case with a valid EIP-55 checksum. */
export function isEvmAddress(text: string): boolean {
  if (!isHexAddress(text)) return false;
  const lower = text.toLowerCase();
  return text === lower || text === toChecksumAddress(lower);
}
