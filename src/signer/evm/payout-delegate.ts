import artifacts from "./delegate.gen.json" with { type: "json" };
import { contractAddress, deploymentOf } from "./deployment.ts";
import { hexBytes } from "./rlp.ts";

const initCode = hexBytes(artifacts.PayoutDelegate.bytecode);

/**
 * The only contract that the hot account may delegate to (EIP-7702), in lower case. Its address is computed from the code in this
 * program.
 */
export const payoutDelegate = contractAddress(initCode);

/** The call data for the deterministic deployer that creates it. */
export const payoutDelegateDeployment = deploymentOf(initCode);
