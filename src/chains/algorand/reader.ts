import {
  type Currency,
  coinAmong,
  contractAmong,
  listedTokens,
} from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { type BlockRef, type ChainReader, ImpossibleAnswer } from "../port.ts";
import { pollForBlock } from "../rpc/poll-for-block.ts";
import type { AlgodNode, AskAlgod } from "./algod-node.ts";
import { readBalancesAt } from "./balances-at.ts";
import type { AlgorandBlock } from "./block.ts";
import { contentOf, receiptOf } from "./block-content.ts";
import { createBlocks } from "./blocks.ts";
import { type AlgorandNetwork, verifyNetwork } from "./network.ts";
import { genesisHash, newestRound } from "./questions.ts";
import { readSenders, readTransactionStatus } from "./transaction-status.ts";

export type AlgorandReaderOptions = {
  readonly node: AlgodNode;
  readonly network: AlgorandNetwork;
  /** Those of this chain: its coin, and the tokens that have an asset id. */
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
};

/** Transactions are valid for at most 1,000 rounds, about 50 minutes. */
const forgottenAfterSeconds = 7_200;

/**
 * Reads one Algorand network through algod. Blocks are final, and only they are read: what waits for one promises nothing and is three
 * seconds away.
 */
export function createAlgorandReader(options: AlgorandReaderOptions): ChainReader {
  const { node, network, currencies, clock } = options;
  const assets = { coin: coinAmong(currencies), listed: listedTokens(currencies) };
  const blocks = createBlocks(node.chain);

  /** The block with that hash; null when the network has another one at its height. */
  const read = async (ask: AskAlgod, block: BlockRef): Promise<AlgorandBlock | null> => {
    const found = await blocks.at(ask, block.height);
    return found?.header.hash === block.hash ? found : null;
  };

  return {
    finality: { kind: "final" },
    verifyNetwork: (signal) => verifyNetwork(node, network, signal),
    networkIdentity: (signal) => node.consult((ask) => ask(genesisHash), signal),
    tip: (signal) =>
      node.consult(async (ask) => {
        const newest = await ask(newestRound);
        const block = await blocks.at(ask, newest);
        if (block === null)
          throw new ImpossibleAnswer(node.chain, `a node lacks its newest block ${newest}`);
        return block.header;
      }, signal),
    headerAt: (height, signal) =>
      node.consult(async (ask) => (await blocks.at(ask, height))?.header ?? null, signal),
    headerByHash: (hash, signal) =>
      node.consult(async (ask) => (await blocks.withHash(ask, hash))?.header ?? null, signal),
    readBlock: (block, signal, mayBeWatched) =>
      node.consult(async (ask) => {
        const found = await read(ask, block);
        return found === null ? null : contentOf(found, assets, mayBeWatched);
      }, signal),
    pendingTransfers: null,
    pendingSpends: null,
    senders: (txids, block, signal) =>
      node.consult((ask) => readSenders(ask, blocks, txids, block), signal),
    forgottenAfterSeconds,
    statusOf: (txid, _spends, signal) =>
      node.consult((ask) => readTransactionStatus(ask, txid), signal),
    balancesAt: (addresses, currency, hash, signal) =>
      node.consult(
        (ask) =>
          readBalancesAt(ask, blocks, {
            addresses,
            asset: contractAmong(currencies, currency),
            hash,
          }),
        signal,
      ),
    receiptsIn: (txids, block, signal) =>
      node.consult(async (ask) => {
        if (txids.length === 0) return [];
        const ours = new Set(txids);
        const found = await read(ask, block);
        return found?.transactions.filter(({ txid }) => ours.has(txid)).map(receiptOf) ?? null;
      }, signal),
    unspentOutputs: null,
    waitForBlock: pollForBlock(clock, (signal) => node.consult((ask) => ask(newestRound), signal)),
    limitations: () =>
      Promise.resolve([
        "rewards for proposing blocks: credited by the protocol without a transaction",
      ]),
  };
}
