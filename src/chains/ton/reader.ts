import { type Currency, coinAmong } from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { BlockRef, ChainReader, Senders } from "../port.ts";
import { pollForBlock } from "../rpc/poll-for-block.ts";
import { readCoinBalances, readJettonBalances } from "./balances-at.ts";
import {
  contentOf,
  readActivities,
  type SettledActivity,
  settle,
  type WatchedAccounts,
} from "./block-activity.ts";
import { createBlockHistory } from "./block-history.ts";
import { heightOf } from "./history.ts";
import { createJettonWallets, mastersOf } from "./jetton-wallets.ts";
import { type TonNetwork, verifyNetwork } from "./network.ts";
import { createOutcomes } from "./outcome.ts";
import { accountState, blockAt, heightIn, masterchainInfo } from "./questions.ts";
import { receiptOf } from "./receipt.ts";
import { createSettledTip } from "./settled-tip.ts";
import type { AskToncenter, ToncenterNode } from "./toncenter-node.ts";
import { findTransaction } from "./transaction-status.ts";

export type TonReaderOptions = {
  readonly node: ToncenterNode;
  readonly network: TonNetwork;
  /** The accounts whose transactions are read, in their canonical spelling: the hot account. */
  readonly accounts: readonly string[];
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
};

const forgottenAfterSeconds = 3_600;
/** Blocks are read several times: for transfers, receipts and senders. */
const rememberedBlocks = 64;

/**
 * Reads one network of TON through toncenter's API v2. A masterchain block is final. All deposits share the hot account, so its transactions
 * are read, and those of its wallets of jettons, each block's between the account's states before and after it; other accounts' are not.
 */
export function createTonReader(options: TonReaderOptions): ChainReader {
  const { node, network, clock } = options;
  const watched = watchedAccounts(options);
  const coin = watched.coin;
  const settledTip = createSettledTip(watched);
  const remembered = new Map<string, readonly SettledActivity[]>();

  /** What happened in the block; null if the node has another one at its height. */
  const read = async (
    ask: AskToncenter,
    block: BlockRef,
  ): Promise<readonly SettledActivity[] | null> => {
    const before = remembered.get(block.hash);
    if (before !== undefined) return before;
    const { height } = await ask(masterchainInfo);
    if (block.height > height) return null;
    const found = await readActivities(ask, watched, block);
    if (found === null) return null;
    const settled = await settle(ask, watched, found);
    const [oldest] = remembered.keys();
    if (remembered.size >= rememberedBlocks && oldest !== undefined) remembered.delete(oldest);
    remembered.set(block.hash, settled);
    return settled;
  };
  /** Our accounts, and their wallets of jettons. */
  const allAccounts = async (ask: AskToncenter): Promise<readonly string[]> => {
    const owned = await Promise.all(
      watched.accounts.map((account) => watched.wallets.of(ask, account)),
    );
    return [...watched.accounts, ...owned.flatMap((wallets) => [...wallets.keys()])];
  };
  const headerAt = async (ask: AskToncenter, height: number): Promise<BlockRef | null> => {
    // The state before the first block is no block.
    if (height < 1 || height > (await ask(masterchainInfo)).height) return null;
    return (await ask(blockAt(height))).header;
  };
  const headerByHash = async (ask: AskToncenter, hash: string): Promise<BlockRef | null> => {
    const height = heightIn(hash);
    const header = height === null ? null : await headerAt(ask, height);
    return header?.hash === hash ? header : null;
  };

  return {
    finality: { kind: "final" },
    verifyNetwork: (signal) => verifyNetwork(node, network, signal),
    // The state before the first block is not one, but its hash identifies the network.
    networkIdentity: async (signal) =>
      (await node.consult((ask) => ask(masterchainInfo), signal)).zeroState,
    tip: (signal) => node.consult(settledTip, signal),
    headerAt: (height, signal) => node.consult((ask) => headerAt(ask, height), signal),
    headerByHash: (hash, signal) => node.consult((ask) => headerByHash(ask, hash), signal),
    readBlock: (block, signal, mayBeWatched) =>
      node.consult(async (ask) => {
        const activities = await read(ask, block);
        return activities === null ? null : contentOf(block, activities, mayBeWatched);
      }, signal),
    pendingTransfers: null,
    pendingSpends: null,
    senders: async (txids, block, signal) => {
      const requested = new Set(txids);
      // Nothing is shown before it is in a block.
      if (requested.size === 0 || block === null) return new Map<string, Senders>();
      return await node.consult(async (ask) => {
        const activities = (await read(ask, block)) ?? [];
        const among = activities.filter(({ txid }) => requested.has(txid));
        return new Map(among.map(({ senders, txid }) => [txid, senders]));
      }, signal);
    },
    forgottenAfterSeconds,
    statusOf: (txid, _spends, signal) =>
      node.consult(async (ask) => {
        const found = await findTransaction(ask, watched, txid, await allAccounts(ask));
        if (found === null) return { kind: "unknown" };
        const { height } = await ask(masterchainInfo);
        return {
          kind: "included",
          height: await heightOf(ask, found.account, found.lt, height),
        };
      }, signal),
    balancesAt: (addresses, currency, hash, signal) =>
      node.consult(async (ask) => {
        const header = await headerByHash(ask, hash);
        if (header === null) return null;
        return currency === coin
          ? await readCoinBalances(ask, addresses, header.height)
          : await readJettonBalances(ask, watched, currency, addresses, header.height);
      }, signal),
    receiptsIn: (txids, block, signal) =>
      node.consult(async (ask) => {
        if (txids.length === 0) return [];
        const ours = new Set(txids);
        const activities = await read(ask, block);
        return activities?.filter(({ txid }) => ours.has(txid)).map(receiptOf) ?? null;
      }, signal),
    unspentOutputs: null,
    waitForBlock: pollForBlock(
      clock,
      async (signal) => (await node.consult((ask) => ask(masterchainInfo), signal)).height,
    ),
    limitations: async (signal) => {
      const [account] = options.accounts;
      if (account === undefined) return [];
      const { kind } = await node.consult((ask) => ask(accountState(account, null)), signal);
      return kind === "active"
        ? []
        : ["the hot wallet has no code yet: its first payment brings it, and money must be there"];
    },
  };
}

/** The accounts of a reader or writer, with what it learns about them. */
export function watchedAccounts({
  accounts,
  currencies,
  network,
  node,
}: Pick<TonReaderOptions, "accounts" | "currencies" | "network" | "node">): WatchedAccounts {
  const { kind } = network;
  return {
    chain: node.chain,
    network: kind,
    coin: coinAmong(currencies),
    accounts,
    wallets: createJettonWallets(mastersOf(currencies), network),
    outcomes: createOutcomes(kind),
    historyIn: createBlockHistory(node.chain, kind),
  };
}
