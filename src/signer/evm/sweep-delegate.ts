import { keccak_256 } from "@noble/hashes/sha3.js";
import artifacts from "./delegate.gen.json" with { type: "json" };
import { hexBytes, joined } from "./rlp.ts";

/**
 * Deploys code to an address that depends only on the code (CREATE2 with a salt of the caller's): the same contract, at the
 * same address, without any key, on every chain.
 */
export const deterministicDeployer = "0x4e59b44847b379578588920ca78fbf26c0b4956c";

const salt = new Uint8Array(32);

/** Our own accounts, in lower case: swept money goes to `hot`, and only if `gas` calls. */
export type DelegateAccounts = { readonly hot: string; readonly gas: string };

/** The call data for the deployer that creates the delegate of these accounts, in lower-case hexadecimal. */
export function deploymentData(accounts: DelegateAccounts): string {
  return `0x${Buffer.from(joined([salt, initCodeFor(accounts)])).toString("hex")}`;
}

/**
 * The address of the delegate of these accounts (EIP-1014), in lower case. It is computed from the code in this program, so
 * that a deposit address cannot be made to delegate to any other.
 */
export function delegateAddress(accounts: DelegateAccounts): string {
  const code = keccak_256(initCodeFor(accounts));
  const parts = [Uint8Array.of(0xff), hexBytes(deterministicDeployer), salt, code];
  return `0x${Buffer.from(keccak_256(joined(parts)).subarray(12)).toString("hex")}`;
}

/** The creation code followed by the constructor's arguments. */
function initCodeFor({ hot, gas }: DelegateAccounts): Uint8Array {
  const words = [hot, gas].map((address) => hexBytes(address.slice(2).padStart(64, "0")));
  return joined([hexBytes(artifacts.SweepDelegate.bytecode), ...words]);
}
