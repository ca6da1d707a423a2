/** All EVM chains of a deployment share their addresses, so that a payment over the wrong network is found. */
export const evmKeyspace = "evm";
