import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { WrongNetwork } from "../port.ts";
import type { Ask } from "../rpc/json-rpc.ts";
import { readFields, readText } from "./answer.ts";

/**
 * `JsonRpcOptions.verify` for this family: a node's block 0 and network name must be the configured ones, else it throws
 * `WrongNetwork`. Both are needed: forks share a genesis block, and networks share names. Where a fork shares both, a later block tells.
 */
export function verifyUtxoNode(network: UtxoNetwork): (ask: Ask) => Promise<void> {
  return async (ask) => {
    const genesis = readText(await ask("getblockhash", [0]));
    if (genesis !== network.genesisHash)
      throw new WrongNetwork(
        `the node's block 0 is ${genesis}, configured is ${network.genesisHash}`,
      );
    const name = readText(readFields(await ask("getblockchaininfo", []))["chain"]);
    if (name !== network.name && name !== network.otherName)
      throw new WrongNetwork(`the node is on the network ${name}, configured is ${network.name}`);
    await verifyOwnBlock(network, ask);
  };
}

async function verifyOwnBlock({ ownBlock }: UtxoNetwork, ask: Ask): Promise<void> {
  if (ownBlock === undefined) return;
  const { hash, height } = ownBlock;
  const found = readText(await ask("getblockhash", [height]));
  if (found !== hash)
    throw new WrongNetwork(`the node's block ${height} is ${found}, that of this chain is ${hash}`);
}
