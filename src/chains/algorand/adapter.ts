import { type Currency, isPayable } from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader, CreatedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import { createAlgorandActivator } from "./activator.ts";
import { createAlgorandAddressing, type TreasuryKeys } from "./addressing.ts";
import type { AlgodNode } from "./algod-node.ts";
import type { AlgorandNetwork } from "./network.ts";
import { createAlgorandReader } from "./reader.ts";
import { createAlgorandSweeper } from "./sweeper.ts";
import { createUpToDateNode } from "./up-to-date-node.ts";
import { createAlgorandWriter } from "./writer.ts";

export type AlgorandAdapterOptions = {
  readonly network: AlgorandNetwork;
  /** The chain's nodes; created with `verifyAlgodNode(network)`, each is verified before it is used. */
  readonly node: AlgodNode;
  /** The public keys of the paying accounts; null if the deployment only receives. */
  readonly treasuryKeys: TreasuryKeys | null;
  /** The deployment's currencies on this chain; tokens without an asset id cannot be received and are left out. */
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
};

/** An Algorand network. */
export function createAlgorandAdapter(
  options: AlgorandAdapterOptions,
): ChainAdapter<CreatedAddressing> {
  const { network, node, clock, treasuryKeys } = options;
  const { chain } = node;
  const currencies = options.currencies.filter(
    (currency) => currency.chain === chain && isPayable(currency),
  );
  const createReader = (of: AlgodNode): ChainReader =>
    createAlgorandReader({ node: of, network, currencies, clock });
  const upToDate = createUpToDateNode(node);
  const createWriter = (of: AlgodNode, current = createUpToDateNode(of)): ChainWriter | null =>
    treasuryKeys === null
      ? null
      : createAlgorandWriter({ node: of, currencies, upToDate: current });
  const addressing = createAlgorandAddressing(treasuryKeys);
  const { hot, gas } = addressing.treasury ?? { hot: null, gas: null };
  const treasury = hot === null || gas === null ? null : { hot, gas };
  return {
    chain,
    keyspace: chain,
    currencies: currencies.map(({ id }) => id),
    addressing,
    reader: createReader(node),
    nodes: createChainNodes(node, createReader, (of) => createWriter(of)),
    writer: createWriter(node, upToDate),
    sweeper:
      treasury === null
        ? null
        : createAlgorandSweeper({ node: upToDate.node, currencies, treasury }),
    activator:
      treasury === null
        ? null
        : createAlgorandActivator({
            node: upToDate.node,
            currencies,
            gas: treasury.gas.address,
          }),
  };
}
