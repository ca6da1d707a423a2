import { base58, bech32 } from "@scure/base";

/*
 * Addresses of Cardano. Since Shelley (CIP-19) an address is bech32 of a header byte (kind and network) and credentials of 28 bytes:
 * `addr1…`, on test networks `addr_test1…`. Byron's are base58 of CBOR with a CRC-32: `Ae2…`, `DdzFF…`, and others on test networks.
 */

/** Shelley addresses know two networks; Byron's on test networks contain the network's magic. */
export type CardanoNetworkKind = "main" | "test";

export type CardanoNetworkId = {
  readonly kind: CardanoNetworkKind;
  /** The network's magic number, which Byron's addresses of test networks contain. */
  readonly magic: number;
};

export type CardanoAddress = {
  readonly kind: "base" | "enterprise" | "byron";
  /** Whether the one who can spend is named by a key or by a script. */
  readonly payment: "key" | "script";
  /** As transactions contain it. */
  readonly bytes: Uint8Array;
  /** The one spelling that is written: in lower case. */
  readonly text: string;
};

/** Header byte, payment credential, and that of the stake, each a hash of 28 bytes. */
const hashLength = 28;
const enterpriseLength = 1 + hashLength;
const baseLength = 1 + 2 * hashLength;

const prefixes = { main: "addr", test: "addr_test" } as const;
const networkNumbers = { main: 1, test: 0 } as const;

/** The kinds of Shelley addresses by the upper half of the header byte. */
const kinds: Readonly<Record<number, Pick<CardanoAddress, "kind" | "payment">>> = {
  0: { kind: "base", payment: "key" },
  1: { kind: "base", payment: "script" },
  2: { kind: "base", payment: "key" },
  3: { kind: "base", payment: "script" },
  6: { kind: "enterprise", payment: "key" },
  7: { kind: "enterprise", payment: "script" },
};

/** Reads an address of the network that can be paid; null for anything else. */
export function readCardanoAddress(text: string, network: CardanoNetworkId): CardanoAddress | null {
  const shelley = decodeBech32(text);
  if (shelley === null) return readByron(text, network);
  const { bytes, prefix } = shelley;
  const [header = 0] = bytes;
  const known = kinds[header >> 4];
  if (known === undefined || prefix !== prefixes[network.kind]) return null;
  if ((header & 0x0f) !== networkNumbers[network.kind]) return null;
  const length = known.kind === "base" ? baseLength : enterpriseLength;
  return bytes.length === length ? { ...known, bytes, text: text.toLowerCase() } : null;
}

/** The enterprise address of a key's hash (28 bytes): it can be paid and spent from, and stakes nothing. */
export function enterpriseAddress(keyHash: Uint8Array, kind: CardanoNetworkKind): string {
  const bytes = Uint8Array.from([0x60 | networkNumbers[kind], ...keyHash]);
  return bech32.encode(prefixes[kind], bech32.toWords(bytes), false);
}

/** What a text is that looks like an address and cannot be paid, as a sentence for the payer; null if there is no more to say. */
export function explainCardanoText(text: string, network: CardanoNetworkId): string | null {
  if (readCardanoAddress(text, network) !== null) return null;
  const shelley = decodeBech32(text);
  if (shelley === null)
    return readByron(text, null) === null ? null : "The address is for another network.";
  const { bytes, prefix } = shelley;
  if (prefix.startsWith("stake"))
    return "A stake address receives rewards only: give the wallet's address that begins with addr.";
  if (prefix !== "addr" && prefix !== "addr_test") return null;
  const [header = 0] = bytes;
  if (header >> 4 === 4 || header >> 4 === 5)
    return "Pointer addresses are not paid, since the network no longer accepts them: give an ordinary address.";
  return prefix === prefixes[network.kind] ? null : "The address is for another network.";
}

function decodeBech32(
  text: string,
): { readonly prefix: string; readonly bytes: Uint8Array } | null {
  try {
    // Longer than BIP-173 allows: CIP-19 sets no limit.
    const { prefix, words } = bech32.decode(text as `${string}1${string}`, false);
    return { prefix, bytes: bech32.fromWords(words) };
  } catch {
    return null;
  }
}

/** Byron's: `[24(payload), crc32(payload)]`. With `network` null, of any network. */
function readByron(text: string, network: CardanoNetworkId | null): CardanoAddress | null {
  if (text.length > byronTextMax) return null;
  let bytes: Uint8Array;
  try {
    bytes = base58.decode(text);
  } catch {
    return null;
  }
  const outer = new CborReader(bytes);
  if (outer.head() !== listOf(2) || outer.head() !== payloadTag) return null;
  const payload = outer.bytes();
  const sum = outer.number();
  if (payload === null || sum === null || !outer.isAtEnd() || crc32(payload) !== sum) return null;
  const magic = magicOf(payload);
  if (magic === undefined) return null;
  const isOfNetwork =
    network === null || magic === (network.kind === "main" ? null : network.magic);
  return isOfNetwork ? { kind: "byron", payment: "key", bytes, text } : null;
}

/** Longer ones than any wallet made: the derivation path of the first wallets takes 28 bytes. */
const byronTextMax = 200;
const payloadTag = "6:24";
const listOf = (count: number): string => `4:${count}`;

/**
 * The network's magic in a payload `[root, attributes, kind]`: null on the main network, which has none. Undefined for anything that is
 * no payload of a payment address.
 */
function magicOf(payload: Uint8Array): number | null | undefined {
  const inner = new CborReader(payload);
  if (inner.head() !== listOf(3) || inner.bytes()?.length !== hashLength) return undefined;
  const attributes = /^5:([0-2])$/.exec(inner.head() ?? "")?.[1];
  if (attributes === undefined) return undefined;
  let magic: number | null = null;
  for (let left = Number(attributes); left > 0; left -= 1) {
    const name = inner.number();
    const value = inner.bytes();
    if (value === null || (name !== 1 && name !== 2)) return undefined;
    if (name === 1) continue;
    magic = new CborReader(value).number();
    if (magic === null) return undefined;
  }
  // 0: the key of a wallet; 2, a redemption of the first sale, can be paid too.
  const kind = inner.number();
  return (kind === 0 || kind === 2) && inner.isAtEnd() ? magic : undefined;
}

/** As much of CBOR (RFC 8949) as Byron's addresses consist of, each part null where something else follows. */
class CborReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Major type and argument, `major:argument`. */
  head(): string | null {
    const first = this.#bytes[this.#at];
    if (first === undefined) return null;
    this.#at += 1;
    const short = first & 0x1f;
    if (short > 26) return null;
    const length = short < 24 ? 0 : 2 ** (short - 24);
    if (this.#at + length > this.#bytes.length) return null;
    let argument = length === 0 ? short : 0;
    for (let read = 0; read < length; read += 1, this.#at += 1)
      argument = argument * 256 + (this.#bytes[this.#at] ?? 0);
    return `${first >> 5}:${argument}`;
  }

  number(): number | null {
    const [major, argument] = (this.head() ?? "").split(":");
    return major === "0" ? Number(argument) : null;
  }

  bytes(): Uint8Array | null {
    const [major, argument] = (this.head() ?? "").split(":");
    const end = this.#at + Number(argument);
    if (major !== "2" || end > this.#bytes.length) return null;
    const found = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return found;
  }
}

/** CRC-32 of ISO 3309, as in zip files. */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1)
      sum = (sum & 1) === 0 ? sum >>> 1 : (sum >>> 1) ^ 0xedb88320;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
