import { type Currency, isPayable } from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { TreasuryXpubs } from "../account-addressing.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader, DerivedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { createEvmAddressing } from "./addressing.ts";
import type { EvmChain, EvmNetwork } from "./evm-chain.ts";
import { evmKeyspace } from "./evm-keyspace.ts";
import { createEvmNode, type EvmNode } from "./evm-node.ts";
import { createEvmReader } from "./reader.ts";
import { createEvmSweeper } from "./sweeper.ts";
import type { TracingMode } from "./tracing.ts";
import { createUpToDateNode, type UpToDateNode } from "./up-to-date-node.ts";
import { createEvmWriter } from "./writer.ts";

export type EvmAdapterOptions = {
  readonly record: EvmChain;
  readonly network: EvmNetwork;
  /** The chain's nodes; created with `verifyEvmNode(network)`, each is verified before it is used. */
  readonly rpc: JsonRpc;
  /** The account's extended public key, m/44'/60'/0': the same for all EVM chains of the deployment. */
  readonly accountXpub: string;
  /** Extended public keys of the paying accounts; null if the deployment only receives. */
  readonly treasuryXpubs: TreasuryXpubs | null;
  /** The deployment's currencies on this chain; tokens without a contract cannot be received and are left out. */
  readonly currencies: readonly Currency[];
  readonly tracing: TracingMode;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** One EVM chain. */
export function createEvmAdapter(options: EvmAdapterOptions): ChainAdapter<DerivedAddressing> {
  const { record, network, tracing, clock } = options;
  const currencies = options.currencies.filter(
    (currency) => currency.chain === record.chain && isPayable(currency),
  );
  const node = createEvmNode(record.chain, options.rpc);
  const upToDate = createUpToDateNode(node);
  const addressing = createEvmAddressing(options.accountXpub, currencies, options.treasuryXpubs);
  const { treasury } = addressing;
  const hot = treasury?.hot.address.toLowerCase() ?? null;
  const gasAccount = treasury?.gas.address.toLowerCase() ?? null;
  const createReader = (rpc: JsonRpc): ChainReader =>
    createEvmReader({
      record,
      network,
      node: createEvmNode(record.chain, rpc),
      currencies,
      hot,
      tracing,
      clock,
      logger: options.logger.with({ chain: record.chain }),
    });
  const createWriter = (of: EvmNode, current?: UpToDateNode): ChainWriter | null =>
    hot === null
      ? null
      : createEvmWriter({
          record,
          network,
          node: of,
          ...(current === undefined ? {} : { upToDate: current }),
          currencies,
          hot,
          gasAccount,
        });
  return {
    chain: record.chain,
    keyspace: evmKeyspace,
    currencies: currencies.map(({ id }) => id),
    addressing,
    reader: createReader(options.rpc),
    nodes: createChainNodes(options.rpc, createReader, (rpc) =>
      createWriter(createEvmNode(record.chain, rpc)),
    ),
    writer: createWriter(node, upToDate),
    // It empties what the writer's nodes see: an older state shows money that is gone.
    sweeper:
      treasury === null
        ? null
        : createEvmSweeper({ record, network, node: upToDate.node, currencies, treasury }),
  };
}
