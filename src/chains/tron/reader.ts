import { type Currency, coinAmong, listedTokens } from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ChainReader, OutgoingTransaction, Transfer } from "../port.ts";
import { pollForBlock } from "../rpc/poll-for-block.ts";
import { readBalancesAt } from "./balances-at.ts";
import { type Assets, contentOf, outgoingOf } from "./block-spends.ts";
import { movesOf, toTransfer } from "./moves.ts";
import { type TronNetwork, verifyNetwork } from "./network.ts";
import { createPendingBlocks, type PendingBlocks } from "./pending-blocks.ts";
import { blockWithId, headerAt, newestHeader, receiptsAt } from "./questions.ts";
import { assertHistory, readExecutedBlock } from "./read-block.ts";
import { readReceiptsIn } from "./receipts-in.ts";
import { readSenders, readTransactionStatus } from "./transaction-status.ts";
import type { TronNode } from "./tron-node.ts";

export type TronReaderOptions = {
  readonly node: TronNode;
  readonly network: TronNetwork;
  /** Those of this chain: its coin, and the tokens that have a contract. */
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
};

/** Transactions expire within a day; the hour covers the time until the block that ends their validity is solid. */
const forgottenAfterSeconds = 25 * 3600;

/** Reads one TRON network through java-tron's HTTP interface. The solid block is the tip: what it contains never changes. */
export function createTronReader({
  node,
  network,
  currencies,
  clock,
}: TronReaderOptions): ChainReader {
  const { chain } = node;
  const assets = { coin: coinAmong(currencies), listed: listedTokens(currencies) };
  const pendingBlocks = createPendingBlocks(node);

  return {
    finality: { kind: "final" },
    verifyNetwork: (signal) => verifyNetwork(node, network, signal),
    tip: async (signal) => {
      const solid = await node.consult((ask) => ask(newestHeader("walletsolidity")), signal);
      if (solid === null) throw new Unavailable(chain, "the node has no solid block");
      return solid;
    },
    headerAt: (height, signal) =>
      node.consult(async (ask) => {
        const header = await ask(headerAt("walletsolidity", height));
        if (header === null) await assertHistory(ask, "walletsolidity", height);
        return header;
      }, signal),
    headerByHash: async (hash, signal) =>
      (await node.consult((ask) => ask(blockWithId("walletsolidity", hash)), signal))?.header ??
      null,
    readBlock: async (block, signal, mayBeWatched) => {
      const read = await node.consult(
        (ask) => readExecutedBlock(chain, ask, "walletsolidity", block),
        signal,
      );
      return read === null ? null : contentOf(read, assets, mayBeWatched);
    },
    pendingTransfers: (signal) => readPendingTransfers(pendingBlocks, assets, signal),
    pendingSpends: (isOurs, signal) => readPendingSpends(pendingBlocks, assets, isOurs, signal),
    senders: (txids, block, signal) =>
      readSenders(node, block === null ? pendingBlocks : null, txids, signal),
    forgottenAfterSeconds,
    statusOf: (txid, _spends, signal) => readTransactionStatus(node, txid, signal),
    balancesAt: (addresses, currency, hash, signal) =>
      readBalancesAt(node, currencies, { addresses, currency, hash }, signal),
    receiptsIn: (txids, block, signal) => readReceiptsIn(node, assets.listed, txids, block, signal),
    unspentOutputs: null,
    waitForBlock: pollForBlock(
      clock,
      async (signal) =>
        (await node.consult((ask) => ask(newestHeader("wallet")), signal))?.hash ?? null,
    ),
    limitations: (signal) => describeLimitations(node, signal),
  };
}

/** The transfers in blocks above the solid one, with the keys that they keep. A fork may still drop them. */
async function readPendingTransfers(
  pendingBlocks: PendingBlocks,
  { coin, listed }: Assets,
  signal: AbortSignal,
): Promise<readonly Transfer[]> {
  return (await pendingBlocks(signal))
    .flatMap(({ executed }) => executed.flatMap(movesOf))
    .map((move) => toTransfer(move, coin, listed));
}

async function readPendingSpends(
  pendingBlocks: PendingBlocks,
  assets: Assets,
  isOurs: (source: string) => boolean,
  signal: AbortSignal,
): Promise<readonly OutgoingTransaction[]> {
  return (await pendingBlocks(signal)).flatMap(({ executed }) =>
    executed.flatMap((one) => {
      const { owner } = one.transaction;
      return owner !== null && isOurs(owner)
        ? [{ ...outgoingOf(one, owner, assets), feeUnits: null }]
        : [];
    }),
  );
}

/** On a public network, so many blocks almost certainly contain an internal transaction. */
const sampledBlocks = 10;

/** Only blocks with internal transactions show that a node records them. */
async function describeLimitations(
  node: TronNode,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const hasInternal = await node.consult(async (ask) => {
    const solid = await ask(newestHeader("walletsolidity"));
    if (solid === null) return false;
    const heights = Array.from({ length: sampledBlocks }, (_, back) => solid.height - back);
    const receipts = await Promise.all(
      heights
        .filter((height) => height > 0)
        .map((height) => ask(receiptsAt("walletsolidity", height))),
    );
    return receipts.flat().some(({ internal }) => internal.length > 0);
  }, signal);
  return [
    ...(hasInternal
      ? []
      : [
          `TRX sent by contracts, unless the node records internal transactions (vm.saveInternalTx): its newest ${sampledBlocks} blocks contain none`,
        ]),
    "staking rewards and unstaked TRX: credited by the protocol without a transfer",
  ];
}
