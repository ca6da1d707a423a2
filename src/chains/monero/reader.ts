import { findChain } from "../../currencies/chains.ts";
import type { MoneroNetworkFacts } from "../../currencies/monero-facts.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainReader } from "../port.ts";
import { pollForBlock } from "../rpc/poll-for-block.ts";
import type { MonerodNode } from "./monerod-node.ts";
import { verifyNetwork } from "./network.ts";
import { createPoolReader } from "./pool.ts";
import { headerAtHeight, headerWithHash, networkInfo, newestHeader } from "./questions.ts";
import { type ContentTerms, readContent, readReceipts, readSpends } from "./read-content.ts";
import { readSenders, readTransactionStatus, readUnspentOutputs } from "./transaction-status.ts";

export type MoneroReaderOptions = {
  readonly node: MonerodNode;
  readonly network: MoneroNetworkFacts;
  readonly currency: CurrencyId;
  /** The secret view key. */
  readonly viewSecret: bigint;
  readonly clock: Clock;
};

/** Nodes drop transactions after three days, those of replaced blocks after a week (src/cryptonote_config.h). */
const forgottenAfterSeconds = 8 * 24 * 3600;

/** Reads one Monero network through monerod, and finds with the view key what pays the account. */
export function createMoneroReader(options: MoneroReaderOptions): ChainReader {
  const { clock, currency, network, node, viewSecret } = options;
  const { chain } = node;
  const terms: ContentTerms = { chain, currency, network, viewSecret };
  const pool = createPoolReader(node, terms);
  const reorgLimit = present(findChain(chain)?.reorgLimit, `reorg limit of ${chain}`);

  return {
    finality: { kind: "probable", reorgLimit },
    verifyNetwork: (signal) => node.consult((ask) => verifyNetwork(ask, network), signal),
    // A private chain begins with the main network's block.
    networkIdentity: async (signal) => {
      await node.consult((ask) => verifyNetwork(ask, network), signal);
      return `${network.nettype} ${network.genesisHash}`;
    },
    tip: (signal) => node.consult((ask) => ask(newestHeader), signal),
    headerAt: (height, signal) => node.consult((ask) => ask(headerAtHeight(height)), signal),
    headerByHash: (hash, signal) => node.consult((ask) => ask(headerWithHash(hash)), signal),
    readBlock: (block, signal, mayBeWatched = () => true) =>
      node.consult((ask) => readContent(terms, ask, block, mayBeWatched), signal),
    readSpends: (block, signal) => node.consult((ask) => readSpends(terms, ask, block), signal),
    pendingTransfers: pool.transfers,
    pendingSpends: pool.spends,
    senders: (txids, _block, signal) => node.consult((ask) => readSenders(ask, txids), signal),
    forgottenAfterSeconds,
    statusOf: (txid, spends, signal) =>
      node.consult((ask) => readTransactionStatus(ask, txid, spends), signal),
    balancesAt: () => Promise.resolve(null),
    receiptsIn: (txids, block, signal) =>
      node.consult((ask) => readReceipts(chain, ask, block, txids), signal),
    unspentOutputs: (outputs, signal) =>
      node.consult((ask) => readUnspentOutputs(ask, outputs), signal),
    waitForBlock: pollForBlock(
      clock,
      async (signal) => (await node.consult((ask) => ask(networkInfo), signal)).tip,
    ),
    limitations: () =>
      Promise.resolve([
        "senders of payments: the chain hides them, so screening receives no address",
        "balances of addresses: nodes cannot see them, so they are not compared with the books",
      ]),
  };
}
