import { findChain } from "../../currencies/chains.ts";
import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef, ChainReader, TransactionReceipt, UnspentOutputs } from "../port.ts";
import type { RpcAnswer } from "../rpc/decode-reply.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { readFields, readText, resultOrNull } from "./answer.ts";
import { createBalanceReader } from "./balances-at.ts";
import type { BlockSource } from "./block-source.ts";
import { createBlockSource } from "./create-block-source.ts";
import { outpointOf } from "./draft-body.ts";
import { headerAt, headerByHash, readTip } from "./headers.ts";
import { readIndexedBalances } from "./indexed-balances.ts";
import { readNewestLocked } from "./newest-locked.ts";
import { payeeOfAddress, scriptOfPayee } from "./output-script.ts";
import { createPendingSpendsReader } from "./pending-spends.ts";
import { createPendingReader } from "./pending-transfers.ts";
import type { ChainRules } from "./read-block.ts";
import { readTransactionStatus } from "./transaction-status.ts";
import type { UtxoChain } from "./utxo-chain.ts";
import { verifyUtxoNode } from "./verify-network.ts";
import { waitForOtherBlock } from "./wait-for-block.ts";

/** Reads a chain from Bitcoin Core 0.21 or later, or one of its forks. */
export function createUtxoReader(
  chain: UtxoChain,
  network: UtxoNetwork,
  rpc: JsonRpc,
  clock: Clock,
): ChainReader {
  const rules: ChainRules = { chain, network };
  const readBalances = createBalanceReader(rpc, clock, chain);
  const source = createBlockSource(rpc, rules);
  const readPending = createPendingReader(rpc, source, chain);
  const readWaitingUse = createPendingSpendsReader(source, chain, network);
  const scriptOf = (address: string): string =>
    scriptOfPayee(present(payeeOfAddress(network, address), `an address of ${chain.chain}`));
  const reorgLimit = present(findChain(chain.chain)?.reorgLimit, `reorg limit of ${chain.chain}`);
  let lastTip: string | null = null;

  /** Turns an unexpected error answer into `Unavailable`. */
  const answered = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof RpcError) throw new Unavailable(chain.chain, error.message, error);
      throw error;
    }
  };

  return {
    finality: { kind: "probable", reorgLimit },
    verifyNetwork: (signal) =>
      answered(verifyUtxoNode(network)((method, params) => rpc.call(method, params, signal))),
    tip: async (signal) => {
      const tip = await answered(readTip(rpc, signal));
      lastTip = tip.hash;
      return tip;
    },
    headerAt: (height, signal) => answered(headerAt(rpc, height, signal)),
    headerByHash: (hash, signal) => answered(headerByHash(rpc, hash, signal)),
    readBlock: (block, signal, mayBeWatched) =>
      answered(source.readBlock(block, signal, mayBeWatched)),
    ...(chain.reportsLocks === true
      ? { newestLocked: (signal) => answered(readNewestLocked(rpc, signal)) }
      : {}),
    pendingTransfers: (signal) => answered(readPending(signal)),
    pendingSpends: (isOurs, signal) => answered(readWaitingUse(isOurs, signal)),
    senders: (txids, block, signal) => answered(source.senders(txids, block, signal)),
    // Nodes drop transactions after two weeks.
    forgottenAfterSeconds: 14 * 24 * 3600,
    statusOf: (txid, spends, signal) =>
      answered(readTransactionStatus(rpc, source, txid, spends, signal)),
    balancesAt: (addresses, currency, hash, signal) => {
      assert(currency === chain.currency, `${chain.chain} holds one currency`);
      if (chain.balances === "none") return Promise.resolve(null);
      return answered(
        chain.balances === "index"
          ? readIndexedBalances(rpc, addresses, hash, signal)
          : readBalances(addresses.map(scriptOf), hash, signal),
      );
    },
    receiptsIn: (txids, block, signal) => answered(readReceiptsIn(source, txids, block, signal)),
    unspentOutputs: (outpoints, signal) => answered(readUnspentOutputs(rpc, outpoints, signal)),
    waitForBlock: (timeoutMs, signal) =>
      answered(waitForOtherBlock(rpc, clock, lastTip, timeoutMs, signal)),
    limitations: (signal) => answered(readLimitations(rpc, source, chain, signal)),
  };
}

/** What this chain hides from everyone and what this node cannot show, for operators. */
async function readLimitations(
  rpc: JsonRpc,
  source: BlockSource,
  chain: UtxoChain,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const spots = [...chain.limitations];
  if ((await source.indexedHeight(signal)) === null)
    spots.push(
      "payments that were replaced by another one, and senders behind some payments: the node has no complete transaction index (-txindex)",
    );
  const { pruned } = readFields(await rpc.call("getblockchaininfo", [], signal)) as {
    pruned?: unknown;
  };
  if (pruned === true)
    spots.push(
      "blocks older than the node keeps: it is pruned, so a long outage cannot be caught up",
    );
  const { localrelay } = readFields(await rpc.call("getnetworkinfo", [], signal)) as {
    localrelay?: unknown;
  };
  if (localrelay === false)
    spots.push("payments before their first block: the node relays blocks only (-blocksonly)");
  return spots;
}

/**
 * Our own transactions in the block; null when the block is unknown or not on the best chain. A transaction of this family does
 * exactly what it states or is in no block, so the fee is the draft's.
 */
async function readReceiptsIn(
  source: BlockSource,
  txids: readonly string[],
  block: BlockRef,
  signal: AbortSignal,
): Promise<readonly TransactionReceipt[] | null> {
  if (txids.length === 0) return [];
  const included = await source.txidsIn(block, signal);
  if (included === null) return null;
  const requested = new Set(txids);
  return included
    .filter((txid) => requested.has(txid))
    .map((txid) => ({ txid, hasSucceeded: true, feeUnits: null }));
}

/** Together with the two tip queries it is one request, which one node answers in order. */
const addressesMax = 98;

const bestBlock = { method: "getbestblockhash", params: [] };

/** See `ChainReader.unspentAmong`. Needs no index. */
async function readUnspentOutputs(
  rpc: JsonRpc,
  outpoints: readonly string[],
  signal: AbortSignal,
): Promise<UnspentOutputs | null> {
  assert(
    outpoints.length <= addressesMax,
    `no more than ${addressesMax} outputs are asked about at once`,
  );
  const outputs = outpoints.map((outpoint) => {
    const { txid, vout } = outpointOf(outpoint);
    return { method: "gettxout", params: [txid, vout, false] };
  });
  const answers = await rpc.batch([bestBlock, ...outputs, bestBlock], signal);
  const [before, after] = [answers[0], answers.at(-1)].map(hashIn);
  // Missing outputs carry no block hash, so the tip must be the same before and after.
  if (before === undefined || before !== after) return null;
  const there = outpoints.filter(
    (_, index) => resultOrNull(present(answers[index + 1], "an answer")) !== null,
  );
  return { atHash: before, outpoints: new Set(there) };
}

function hashIn(answer: RpcAnswer | undefined): string {
  return readText(resultOrNull(present(answer, "an answer")));
}
