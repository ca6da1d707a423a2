import { decodeBase58AddressFormat } from "@bitauth/libauth/build/lib/address/base58-address.js";
import {
  cashAddressToLockingBytecode,
  encodeLockingBytecodeP2pkh,
  encodeLockingBytecodeP2sh20,
  lockingBytecodeToCashAddress,
} from "@bitauth/libauth/build/lib/address/locking-bytecode.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { prefix } from "./wallet.ts";

const publicKeyHashVersion = 111;
const scriptHashVersion = 196;

/** CashAddr with or without its prefix, or base58, as BCHN accepts them on regtest. */
export function scriptOfAddress(address: string): string | null {
  const base58 = decodeBase58AddressFormat(address);
  if (typeof base58 !== "string" && base58.payload.length === 20) {
    if (base58.version === publicKeyHashVersion)
      return bytesToHex(encodeLockingBytecodeP2pkh(base58.payload));
    return base58.version === scriptHashVersion
      ? bytesToHex(encodeLockingBytecodeP2sh20(base58.payload))
      : null;
  }
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return null;
  const lower = address.toLowerCase();
  const decoded = cashAddressToLockingBytecode(lower.includes(":") ? lower : `${prefix}:${lower}`);
  if (typeof decoded === "string" || decoded.prefix !== prefix) return null;
  return bytesToHex(decoded.bytecode);
}

/** CashAddr; null for a script without an address. */
export function addressOfScript(script: string): string | null {
  const encoded = lockingBytecodeToCashAddress({ bytecode: hexToBytes(script), prefix });
  return typeof encoded === "string" ? null : encoded.address;
}
