import { base32nopad } from "@scure/base";
import { DraftRefused } from "../draft-signer.ts";

/** The version byte of a G-address (SEP-23). */
const accountVersion = 6 << 3;
const keyLength = 32;

/** The Ed25519 public key in a G-address. Throws `DraftRefused` for any other text; `name` appears in the reason. */
export function readAccount(text: unknown, name: string): Uint8Array {
  const bytes = typeof text === "string" ? decoded(text) : null;
  const key = bytes?.subarray(1, 1 + keyLength);
  // One spelling per key, so encoding it again proves length, version and checksum.
  if (key?.length !== keyLength || accountText(key) !== text)
    throw new DraftRefused(`${name} is not an account of Stellar`);
  return Uint8Array.from(key);
}

/** The G-address of a public key. */
export function accountText(publicKey: Uint8Array): string {
  const body = Uint8Array.from([accountVersion, ...publicKey]);
  const checksum = crc16(body);
  return base32nopad.encode(Uint8Array.from([...body, checksum & 0xff, checksum >> 8]));
}

function decoded(text: string): Uint8Array | null {
  try {
    return base32nopad.decode(text);
  } catch {
    return null;
  }
}

/** CRC-16/XMODEM: polynomial 0x1021, beginning with 0. */
function crc16(bytes: Uint8Array): number {
  return bytes.reduce((crc, byte) => {
    let next = crc ^ (byte << 8);
    for (let bit = 0; bit < 8; bit += 1)
      next = ((next & 0x8000) === 0 ? next << 1 : (next << 1) ^ 0x1021) & 0xffff;
    return next;
  }, 0);
}
