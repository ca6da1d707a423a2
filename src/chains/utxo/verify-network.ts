import type { ChainIdentity, UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { WrongNetwork } from "../port.ts";
import type { Ask } from "../rpc/json-rpc.ts";
import { absentAsNull, readFields, readText } from "./answer.ts";

/**
 * `JsonRpcOptions.verify` for this family: a node's block 0 and network name must be the configured ones, else it throws
 * `WrongNetwork`. Both are needed: forks share a genesis block, and networks share names. Where a fork shares both, the node's
 * services and later blocks tell. Throws `Unavailable` for a node that has not read those blocks yet.
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
    if (network.identity === undefined) return;
    await verifyService(network.identity, ask);
    await verifySplits(network.identity, ask);
  };
}

async function verifyService({ service }: ChainIdentity, ask: Ask): Promise<void> {
  const { localservices, subversion } = readFields(await ask("getnetworkinfo", []));
  const services = readText(localservices);
  const announced = /^[0-9a-f]{16}$/.test(services) ? BigInt(`0x${services}`) : 0n;
  if (((announced >> BigInt(service.bit)) & 1n) === 1n) return;
  throw new WrongNetwork(
    `the node ${readText(subversion)} does not announce the service ${service.name} (bit ${service.bit} of ${services}), as this ` +
      "chain's nodes do: it follows another chain with the same block 0",
  );
}

async function verifySplits({ splits }: ChainIdentity, ask: Ask): Promise<void> {
  for (const { from, hash, height } of splits) {
    const found = await absentAsNull(ask("getblockhash", [height]));
    if (found === null)
      throw new Unavailable(
        "node",
        `has no block ${height} yet, which tells its chain from ${from}`,
      );
    if (found === hash) continue;
    throw new WrongNetwork(
      `the node's block ${height} is ${readText(found)}, this chain's is ${hash}: the node follows ${from} or a chain that split ` +
        "from it",
    );
  }
}
