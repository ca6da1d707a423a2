import { keccak_256 } from "@noble/hashes/sha3.js";
import { hexBytes, joined } from "./rlp.ts";

/**
 * Deploys code to an address that depends only on the code (CREATE2 with a salt of the caller's): the same contract, at the
 * same address, without any key, on every chain.
 */
export const deterministicDeployer = "0x4e59b44847b379578588920ca78fbf26c0b4956c";

const salt = new Uint8Array(32);

/** The call data for the deployer that creates a contract with this creation code, in lower-case hexadecimal. */
export function deploymentOf(initCode: Uint8Array): string {
  return `0x${Buffer.from(joined([salt, initCode])).toString("hex")}`;
}

/** The address of that contract (EIP-1014), in lower case. */
export function contractAddress(initCode: Uint8Array): string {
  const parts = [Uint8Array.of(0xff), hexBytes(deterministicDeployer), salt, keccak_256(initCode)];
  return `0x${Buffer.from(keccak_256(joined(parts)).subarray(12)).toString("hex")}`;
}
