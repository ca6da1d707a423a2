import { base32nopad } from "@scure/base";

/*
 * Addresses of Stellar (SEP-23, "strkey"): a version byte, a payload and a checksum in base32. G is an account, M an account with an id of
 * 64 bits, which names a receiver that shares the account. The same on every network.
 */

const versions = { account: 6 << 3, muxed: 12 << 3 };
const keyLength = 32;
const idLength = 8;

export type StellarAddress = {
  /** The account's Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The id in an M-address as decimal text; null in a G-address. */
  readonly id: string | null;
};

/** Reads a G- or M-address; null for anything else. */
export function readStellarAddress(text: string): StellarAddress | null {
  const [version, payload] = decodeChecked(text) ?? [null, new Uint8Array()];
  if (version === versions.account && payload.length === keyLength)
    return { publicKey: payload, id: null };
  if (version !== versions.muxed || payload.length !== keyLength + idLength) return null;
  const view = new DataView(payload.buffer, payload.byteOffset + keyLength, idLength);
  return {
    publicKey: payload.subarray(0, keyLength),
    id: view.getBigUint64(0).toString(),
  };
}

/** The G-address of an account, or its M-address with that id. */
export function stellarAddressText({ publicKey, id }: StellarAddress): string {
  if (id === null) return encodeChecked(versions.account, publicKey);
  const payload = new Uint8Array(keyLength + idLength);
  payload.set(publicKey);
  new DataView(payload.buffer).setBigUint64(keyLength, BigInt(id));
  return encodeChecked(versions.muxed, payload);
}

const others: Readonly<Record<string, string>> = {
  C: "This is a contract, not an account: it cannot be paid.",
  T: "This is the hash of a transaction, not an account.",
  X: "This is a hash that signs, not an account.",
  P: "This is a signed payload, not an account.",
  L: "This is a liquidity pool, not an account.",
  B: "This is a claimable balance, not an account.",
  S: "This is a secret key, not an address. Anyone who has seen it can spend from its account: move the funds to another one.",
};

/** What a text is that has the form of an address but names no account, as a sentence; null for all other text. */
export function explainStellarText(text: string): string | null {
  return decodeChecked(text) === null ? null : (others[text.slice(0, 1)] ?? null);
}

function encodeChecked(version: number, payload: Uint8Array): string {
  const body = Uint8Array.from([version, ...payload]);
  return base32nopad.encode(Uint8Array.from([...body, ...checksumOf(body)]));
}

/** The longest form, a signed payload, has 165 characters. */
const lengthMax = 165;

/** The version byte and the payload; null unless this is the one spelling of both. */
function decodeChecked(text: string): readonly [number, Uint8Array] | null {
  // Lengths that no number of bytes has; the decoder also rejects unused bits that are not zero.
  if (text.length > lengthMax || [1, 3, 6].includes(text.length % 8) || !/^[A-Z2-7]+$/.test(text))
    return null;
  let bytes: Uint8Array;
  try {
    bytes = base32nopad.decode(text);
  } catch {
    return null;
  }
  const body = bytes.subarray(0, -2);
  const [low, high] = checksumOf(body);
  const [version] = body;
  if (version === undefined || bytes.at(-2) !== low || bytes.at(-1) !== high) return null;
  return [version, body.slice(1)];
}

/** CRC-16/XMODEM, the low byte first. */
function checksumOf(bytes: Uint8Array): readonly [number, number] {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff;
  }
  return [crc & 0xff, crc >> 8];
}
