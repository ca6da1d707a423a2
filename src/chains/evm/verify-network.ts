import { type BlockRef, WrongNetwork } from "../port.ts";
import type { Ask } from "../rpc/json-rpc.ts";
import { readCount, readHeader } from "./answer.ts";
import type { EvmNetwork } from "./evm-chain.ts";
import type { EvmNode } from "./evm-node.ts";
import { chainIdOf, headerByNumber } from "./questions.ts";

/** Throws `WrongNetwork` when the chain id, or the genesis hash where one is configured, is not the network's. */
function check(network: EvmNetwork, chainId: number, genesis: BlockRef | null): void {
  if (chainId !== network.chainId)
    throw new WrongNetwork(`the node is on chain id ${chainId}, configured is ${network.chainId}`);
  const expected = network.genesisHash?.toLowerCase() ?? null;
  if (expected !== null && genesis?.hash !== expected)
    throw new WrongNetwork(
      `the node's block 0 is ${genesis?.hash ?? "missing"}, configured is ${expected}`,
    );
}

/** Asks the node in use. */
export async function verifyNetwork(
  node: EvmNode,
  network: EvmNetwork,
  signal: AbortSignal,
): Promise<void> {
  const [chainId, genesis] = await node.askAll([chainIdOf(), headerByNumber(0)], signal);
  check(network, chainId, genesis);
}

/** The same check for `JsonRpcOptions.verify`: applied to every node before it is used. */
export function verifyEvmNode(network: EvmNetwork): (ask: Ask) => Promise<void> {
  return async (ask) => {
    const chainId = readCount(await ask("eth_chainId", []));
    const genesis =
      network.genesisHash === null
        ? null
        : readHeader(await ask("eth_getBlockByNumber", ["0x0", false]));
    check(network, chainId, genesis);
  };
}
