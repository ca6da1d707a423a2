import { findChain } from "../../currencies/chains.ts";
import { type Currency, coinAmong, listedTokens } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef, ChainReader } from "../port.ts";
import { readBalancesAt } from "./balances-at.ts";
import type { EvmChain, EvmNetwork } from "./evm-chain.ts";
import type { EvmNode } from "./evm-node.ts";
import { createPendingSpendsReader } from "./pending-spends.ts";
import { createPendingReader } from "./pending-transfers.ts";
import { headerByHash, headerByNumber, heightOf } from "./questions.ts";
import { createBlockReader } from "./read-block.ts";
import { readReceiptsIn } from "./receipts-in.ts";
import { readSenders } from "./senders.ts";
import { createTracing, type TracingMode } from "./tracing.ts";
import { readTransactionStatus } from "./transaction-status.ts";
import { verifyNetwork } from "./verify-network.ts";

export type EvmReaderOptions = {
  readonly record: EvmChain;
  readonly network: EvmNetwork;
  readonly node: EvmNode;
  /** Those of this chain: its coin, and the tokens that have a contract. */
  readonly currencies: readonly Currency[];
  /** The hot account, lower case; null if the deployment only receives. */
  readonly hot: string | null;
  readonly tracing: TracingMode;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Reads one EVM chain through its nodes' standard JSON-RPC. */
export function createEvmReader(options: EvmReaderOptions): ChainReader {
  const { record, network, node, currencies, clock } = options;
  const coin = coinAmong(currencies);
  const { reorgLimit } = present(findChain(record.chain), `the chain ${record.chain}`);
  const tracing = createTracing(node, options.tracing, clock, options.logger);
  const listed = listedTokens(currencies);
  const transfersIn = createBlockReader({
    node,
    coin,
    book: {
      listed,
      ignored: new Set(record.coinLogContracts),
    },
    tracing,
    hot: options.hot,
    logger: options.logger,
  });
  let tipHeight: number | null = null;

  return {
    finality: reorgLimit === null ? { kind: "final" } : { kind: "probable", reorgLimit },
    verifyNetwork: (signal) => verifyNetwork(node, network, signal),
    tip: async (signal) => {
      const latest = await node.ask(headerByNumber("latest"), signal);
      if (latest === null) throw new Unavailable(record.chain, "the node has no latest block");
      tipHeight = latest.height;
      return latest;
    },
    headerAt: (height, signal) => node.ask(headerByNumber(height), signal),
    headerByHash: (hash, signal) => headerOnBestChain(node, hash, signal),
    readBlock: transfersIn,
    ...(options.tracing === "off" ? {} : { forgetsContent: true }),
    pendingTransfers: record.hasPendingBlock ? createPendingReader(node, coin) : null,
    pendingSpends: record.hasPendingBlock ? createPendingSpendsReader(node, coin, listed) : null,
    senders: (txids, _block, signal) => readSenders(node, txids, signal),
    // Nodes drop transactions much sooner, and any node may send them again.
    forgottenAfterSeconds: 14 * 24 * 3600,
    statusOf: (txid, spends, signal) => readTransactionStatus(node, txid, spends, signal),
    balancesAt: (addresses, currency, hash, signal) =>
      readBalancesAt(node, currencies, { addresses, currency, hash }, signal),
    receiptsIn: (txids, block, signal) =>
      readReceiptsIn(node, { listed, hot: options.hot }, txids, block, signal),
    unspentOutputs: null,
    creditsAnyAccount: true,
    waitForBlock: (timeoutMs, signal) =>
      waitForHeightChange(node, clock, tipHeight, timeoutMs, signal),
    limitations: async (signal) => {
      const untraced = await tracing.limitation(signal);
      const spots = [
        `${record.protocolCredits}: credited by the protocol without a transaction`,
        "tokens in pending transactions: what a contract will do is known once it has run",
      ];
      return untraced === null ? spots : [untraced, ...spots];
    },
  };
}

/** A node may keep replaced blocks and still return them by hash. */
async function headerOnBestChain(
  node: EvmNode,
  hash: string,
  signal: AbortSignal,
): Promise<BlockRef | null> {
  const header = await node.ask(headerByHash(hash), signal);
  if (header === null) return null;
  const best = await node.ask(headerByNumber(header.height), signal);
  return best?.hash === header.hash ? header : null;
}

/** The polling interval: short enough to see blocks soon, and one tiny request each time. */
const longestPauseMs = 1_000;
const shortestPauseMs = 100;

/**
 * Resolves when the node's height is no longer `seen`, after `timeoutMs`, or when `signal` aborts; throws `Unavailable` when no
 * node answers. Ethereum's JSON-RPC over HTTP has no call that waits, so this one polls.
 */
async function waitForHeightChange(
  node: EvmNode,
  clock: Clock,
  seen: number | null,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const end = addSeconds(clock.now(), timeoutMs / 1000);
  const pauseMs = Math.max(shortestPauseMs, Math.min(longestPauseMs, timeoutMs / 8));
  const isStopped = (): boolean => signal.aborted;
  let known = seen;
  while (!isStopped()) {
    const leftMs = secondsBetween(clock.now(), end) * 1000;
    if (leftMs <= 0) return;
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
    if (isStopped()) return;
    const height = await node.ask(heightOf(), signal);
    if (known !== null && height !== known) return;
    known = height;
  }
}
