import type { Currency } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { type BlockRef, type ChainReader, ImpossibleAnswer } from "../port.ts";
import { pollForBlock } from "../rpc/poll-for-block.ts";
import { readBalancesAt } from "./balances-at.ts";
import type { ExecutedLedger } from "./executed-ledger.ts";
import type { StellarHistory } from "./history.ts";
import { contentOf, listAssets, ownIdOf, receiptOf } from "./ledger-content.ts";
import { createLedgers } from "./ledgers.ts";
import { type StellarNetwork, verifyNetwork } from "./network.ts";
import { keptLedgers } from "./questions.ts";
import type { AskStellar, StellarNode } from "./stellar-node.ts";
import { networkIdOf } from "./transaction.ts";
import { readSenders, readTransactionStatus } from "./transaction-status.ts";

export type StellarReaderOptions = {
  readonly node: StellarNode;
  readonly network: StellarNetwork;
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
  /** See `createLedgers`. */
  readonly history?: StellarHistory | null;
};

const forgottenAfterSeconds = 3_600;

/**
 * Reads one Stellar network through stellar-rpc. Closed ledgers never change, and only they are read: what waits for a ledger promises
 * nothing and is five seconds away.
 */
export function createStellarReader(options: StellarReaderOptions): ChainReader {
  const { node, network, currencies, clock } = options;
  const assets = listAssets(currencies, network.passphrase);
  const assetOf = new Map([...assets.currencies].map(([name, currency]) => [currency, name]));
  const ledgers = createLedgers(
    node.chain,
    networkIdOf(network.passphrase),
    options.history ?? null,
  );

  /** The ledger with that hash; null when the network has another one at its height. */
  const read = async (ask: AskStellar, block: BlockRef): Promise<ExecutedLedger | null> => {
    const ledger = await ledgers.at(ask, block.height);
    return ledger?.header.hash === block.hash ? ledger : null;
  };

  return {
    finality: { kind: "final" },
    verifyNetwork: (signal) => verifyNetwork(node, network, signal),
    networkIdentity: () => Promise.resolve(network.passphrase),
    tip: (signal) =>
      node.consult(async (ask) => {
        const { newest } = await ask(keptLedgers);
        const ledger = await ledgers.at(ask, newest);
        if (ledger === null)
          throw new ImpossibleAnswer(node.chain, `a node lacks its newest ledger ${newest}`);
        return ledger.header;
      }, signal),
    headerAt: (height, signal) =>
      node.consult(async (ask) => (await ledgers.at(ask, height))?.header ?? null, signal),
    headerByHash: (hash, signal) =>
      node.consult(async (ask) => (await ledgers.withHash(ask, hash))?.header ?? null, signal),
    readBlock: (block, signal, mayBeWatched) =>
      node.consult(async (ask) => {
        const ledger = await read(ask, block);
        return ledger === null ? null : contentOf(assets, ledger, mayBeWatched);
      }, signal),
    pendingTransfers: null,
    pendingSpends: null,
    senders: (txids, block, signal) =>
      node.consult((ask) => readSenders(ask, ledgers, txids, block), signal),
    forgottenAfterSeconds,
    statusOf: (txid, spends, signal) =>
      node.consult((ask) => readTransactionStatus(ask, txid, spends), signal),
    balancesAt: (addresses, currency, hash, signal) => {
      const asset = present(assetOf.get(currency), `the asset of currency ${currency}`);
      return node.consult(
        (ask) => readBalancesAt(ask, ledgers, { addresses, asset, hash }),
        signal,
      );
    },
    receiptsIn: (txids, block, signal) =>
      node.consult(async (ask) => {
        if (txids.length === 0) return [];
        const ours = new Set(txids);
        const ledger = await read(ask, block);
        return ledger?.transactions.filter((one) => ours.has(ownIdOf(one))).map(receiptOf) ?? null;
      }, signal),
    unspentOutputs: null,
    waitForBlock: pollForBlock(
      clock,
      async (signal) => (await node.consult((ask) => ask(keptLedgers), signal)).newest,
    ),
    limitations: async (signal) => {
      const { oldest } = await node.consult((ask) => ask(keptLedgers), signal);
      if (oldest <= 1) return [];
      const elsewhere =
        options.history === undefined || options.history === null
          ? "keeps no older ones"
          : "keeps no older ones, and they are read from the history";
      return [`ledgers before ${oldest}: the node in use ${elsewhere}`];
    },
  };
}
