import { DraftRefused } from "../draft-signer.ts";
import type { KeyNetwork } from "../keys/account-paths.ts";
import type { Cell } from "./cell.ts";
import { writeCell } from "./cell-writer.ts";

const flags = { main: 0x51, test: 0xd1, contract: 0x11 };

/**
 * The canonical spelling of an account of the basic workchain: TEP-2, not bounceable. A contract that others name, the master of a jetton,
 * is spelled bounceable, the same on every network.
 */
export function accountText(id: Uint8Array, kind: KeyNetwork | "contract"): string {
  const body = Uint8Array.from([flags[kind], 0, ...id]);
  const sum = crc16(body);
  return Buffer.from([...body, sum >> 8, sum & 0xff]).toString("base64url");
}

/** The account id in that spelling. Throws `DraftRefused` for any other text; `what` names it. */
export function readAccount(text: string, kind: KeyNetwork | "contract", what: string): Uint8Array {
  const id = Uint8Array.from(Buffer.from(text, "base64url").subarray(2, 34));
  if (id.length !== 32 || accountText(id, kind) !== text)
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

/** The code of a contract, as much of its cell as addresses follow from. */
export type ContractCode = {
  readonly hash: Uint8Array;
  /** The longest way down in its cell to one without others. */
  readonly depth: number;
};

/** The code's cell as another cell refers to it: nothing but its hash and its depth counts there. */
export function cellOf(code: ContractCode): Cell {
  return { ...code, bytes: new Uint8Array(), bitLength: 0, refs: [] };
}

/** The account id of the contract that is deployed with that code and data. */
export function contractOf(code: ContractCode, data: Cell): Uint8Array {
  // No split depth, no special, code, data, no library.
  return writeCell().uint(5, 0b00110n).ref(cellOf(code)).ref(data).cell().hash;
}

/** The highload wallet v3, as ton-blockchain/highload-wallet-contract-v3 publishes it. */
const highloadWallet: ContractCode = {
  hash: Uint8Array.from(
    Buffer.from("11acad7955844090f283bf238bc1449871f783e7cc0979408d3f4859483e8525", "hex"),
  ),
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
  return contractOf(highloadWallet, data);
}
