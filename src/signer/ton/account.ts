import { sha256 } from "@noble/hashes/sha2.js";
import { DraftRefused } from "../draft-signer.ts";
import type { KeyNetwork } from "../keys/account-paths.ts";
import { writeCell } from "./cell-writer.ts";

const flags = { main: 0x51, test: 0xd1 };

/** The canonical spelling of an account of the basic workchain: TEP-2, not bounceable. */
export function accountText(id: Uint8Array, network: KeyNetwork): string {
  const body = Uint8Array.from([flags[network], 0, ...id]);
  const sum = crc16(body);
  return Buffer.from([...body, sum >> 8, sum & 0xff]).toString("base64url");
}

/** The account id in that spelling. Throws `DraftRefused` for any other text; `what` names it. */
export function readAccount(text: string, network: KeyNetwork, what: string): Uint8Array {
  const id = Uint8Array.from(Buffer.from(text, "base64url").subarray(2, 34));
  if (id.length !== 32 || accountText(id, network) !== text)
    throw new DraftRefused(`${what} is not an account of this network: ${text}`);
  return id;
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit -= 1) {
      const carries = ((sum >> 15) ^ (byte >> bit)) & 1;
      sum = ((sum << 1) & 0xffff) ^ (carries === 1 ? 0x1021 : 0);
    }
  return sum;
}

/** The code of the highload wallet v3, by its cell's hash and depth, as ton-blockchain/highload-wallet-contract-v3 publishes it. */
const code = {
  hash: "11acad7955844090f283bf238bc1449871f783e7cc0979408d3f4859483e8525",
  depth: 6,
};

/** Part of the wallet's data: other wallets of the same key have other numbers. */
export const subwallet = 0x10adn;
/** Seconds for which the wallet accepts a message, and remembers at least that it did. Part of its data. */
export const timeout = 3_600n;

/** The account id of the wallet of that Ed25519 public key: the hash of its code and of its first data. */
export function walletOf(publicKey: Uint8Array): Uint8Array {
  const data = writeCell()
    .bytes(publicKey)
    .uint(32, subwallet)
    .uint(1 + 1 + 64, 0n)
    .uint(22, timeout)
    .cell();
  const bits = [2, 1, 0b00110100];
  const depths = [0, code.depth, 0, data.depth];
  return sha256(
    Uint8Array.from([...bits, ...depths, ...Buffer.from(code.hash, "hex"), ...data.hash]),
  );
}
