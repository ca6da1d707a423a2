import { WrongNetwork } from "../port.ts";
import type { Ask } from "../rpc/json-rpc.ts";
import { readFields, readText } from "./answer.ts";
import type { UtxoNetwork } from "./utxo-chain.ts";

/**
 * `JsonRpcOptions.verify` of this family: no node answers before its block 0 and its own name of the network are the
 * configured ones. Throws `WrongNetwork` otherwise. The name alone tells forks apart that share a genesis block no more
 * than the genesis alone tells a regtest from another's.
 */
export function verifyUtxoNode(network: UtxoNetwork): (ask: Ask) => Promise<void> {
  return async (ask) => {
    const genesis = readText(await ask("getblockhash", [0]));
    if (genesis !== network.genesisHash)
      throw new WrongNetwork(
        `the node's block 0 is ${genesis}, configured is ${network.genesisHash}`,
      );
    const name = readText(readFields(await ask("getblockchaininfo", []))["chain"]);
    if (name !== network.name)
      throw new WrongNetwork(`the node is on the network ${name}, configured is ${network.name}`);
  };
}
