import artifacts from "./delegate.gen.json" with { type: "json" };
import { contractAddress, deploymentOf } from "./deployment.ts";
import { hexBytes, joined } from "./rlp.ts";

/** Our own accounts, in lower case: swept money goes to `hot`, and only if `gas` calls. */
export type DelegateAccounts = { readonly hot: string; readonly gas: string };

/** The call data for the deployer that creates the delegate of these accounts, in lower-case hexadecimal. */
export function deploymentData(accounts: DelegateAccounts): string {
  return deploymentOf(initCodeFor(accounts));
}

/**
 * The address of the delegate of these accounts (EIP-1014), in lower case. It is computed from the code in this program, so
 * that a deposit address cannot be made to delegate to any other.
 */
export function delegateAddress(accounts: DelegateAccounts): string {
  return contractAddress(initCodeFor(accounts));
}

/** The creation code followed by the constructor's arguments. */
function initCodeFor({ hot, gas }: DelegateAccounts): Uint8Array {
  const words = [hot, gas].map((address) => hexBytes(address.slice(2).padStart(64, "0")));
  return joined([hexBytes(artifacts.SweepDelegate.bytecode), ...words]);
}
