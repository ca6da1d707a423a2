import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Call } from "./fee-questions.ts";

/**
 * Deploys code at an address that depends only on the code (EIP-1014, with a salt of the caller's); at this address on every
 * supported chain.
 */
const deterministicDeployer = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
const salt = "0".repeat(64);

/** The address, current or future, of a contract with this creation code (hex digits); in lower case. */
export function deployedAddress(initCode: string): string {
  const codeHash = Buffer.from(keccak_256(bytes(initCode))).toString("hex");
  const preimage = `ff${deterministicDeployer.slice(2)}${salt}${codeHash}`;
  return `0x${Buffer.from(keccak_256(bytes(preimage)))
    .toString("hex")
    .slice(-40)}`;
}

/** The call that deploys it, valid from any sender. */
export function deploymentCall(initCode: string): Call {
  return { to: deterministicDeployer, value: 0n, data: `0x${salt}${initCode}` };
}

/** The code of an address that delegates to `delegate` (EIP-7702). */
export function designatorOf(delegate: string): string {
  return `0xef0100${delegate.slice(2)}`;
}

function bytes(digits: string): Uint8Array {
  return Uint8Array.from(Buffer.from(digits, "hex"));
}
