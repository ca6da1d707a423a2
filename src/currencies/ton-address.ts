import { base64urlnopad, hex } from "@scure/base";

/*
 * Addresses of TON (TEP-2). A raw address is the workchain and the account id of 32 bytes: `0:8a3f...`. The user-friendly form packs a
 * flag byte, the workchain, the account id and a CRC-16 into 48 characters of base64. The flag says whether wallets should send
 * bounceable messages (EQ or UQ) and whether the address is for test networks only (kQ or 0Q).
 */

const idLength = 32;
const bounceable = 0x11;
const nonBounceable = 0x51;
const testOnly = 0x80;

/** Which user-friendly addresses are the network's. */
export type TonNetworkKind = "main" | "test";

export type TonAddress = {
  readonly workchain: number;
  /** 32 bytes. */
  readonly id: Uint8Array;
  /** Whether its spelling says that it is for test networks; raw addresses say nothing. */
  readonly isTestOnly: boolean;
};

/** Reads an address in any spelling, with either alphabet of base64; null for anything else. */
export function readTonAddress(text: string): TonAddress | null {
  const [, workchain, id] = /^(-1|0):([0-9a-fA-F]{64})$/.exec(text) ?? [];
  if (workchain !== undefined && id !== undefined)
    return { workchain: Number(workchain), id: hex.decode(id.toLowerCase()), isTestOnly: false };
  if (!/^(?:[A-Za-z0-9_-]{48}|[A-Za-z0-9+/]{48})$/.test(text)) return null;
  const bytes = base64urlnopad.decode(text.replaceAll("+", "-").replaceAll("/", "_"));
  const [flag = 0, chain = 0] = bytes;
  const kind = flag & ~testOnly;
  if (kind !== bounceable && kind !== nonBounceable) return null;
  if (chain !== 0 && chain !== 0xff) return null;
  const body = bytes.subarray(0, 2 + idLength);
  if (crc16(body) !== (((bytes[2 + idLength] ?? 0) << 8) | (bytes[3 + idLength] ?? 0))) return null;
  return {
    workchain: chain === 0 ? 0 : -1,
    id: body.slice(2),
    isTestOnly: (flag & testOnly) !== 0,
  };
}

/**
 * The canonical spelling of an account in the basic workchain: user-friendly, and not bounceable, because payments should also reach an
 * account without a contract.
 */
export function tonAddressText(id: Uint8Array, network: TonNetworkKind): string {
  return spell(network === "test" ? nonBounceable | testOnly : nonBounceable, id);
}

/** The spelling of a contract in the basic workchain that others name: bounceable, and the same on every network. */
export function tonContractText(id: Uint8Array): string {
  return spell(bounceable, id);
}

function spell(flag: number, id: Uint8Array): string {
  const body = Uint8Array.from([flag, 0, ...id]);
  const sum = crc16(body);
  return base64urlnopad.encode(Uint8Array.from([...body, sum >> 8, sum & 0xff]));
}

/** What is wrong with a text that looks like an address, as a sentence for the payer; null if there is no more to say. */
export function explainTonText(text: string, network: TonNetworkKind): string | null {
  const address = readTonAddress(text);
  if (address === null) return null;
  if (address.workchain !== 0) return "Accounts of the masterchain are not paid.";
  return address.isTestOnly && network === "main" ? "The address is for test networks only." : null;
}

/** CRC-16/XMODEM: polynomial 0x1021, starting at 0. */
function crc16(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      sum = (sum & 0x8000) === 0 ? (sum << 1) & 0xffff : ((sum << 1) ^ 0x1021) & 0xffff;
  }
  return sum;
}
