import { findChain } from "../../currencies/chains.ts";
import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ChainReader } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { createBalanceReader } from "./balances-at.ts";
import { headerAt, headerByHash, readTip } from "./headers.ts";
import { readLimitations } from "./node-limitations.ts";
import { payeeOfAddress, scriptOfPayee } from "./output-script.ts";
import { createPendingSpendsReader } from "./pending-spends.ts";
import { createPendingReader } from "./pending-transfers.ts";
import { type ChainRules, readBlock } from "./read-block.ts";
import { readReceiptsIn } from "./receipts-in.ts";
import { readSenders } from "./senders.ts";
import { readTransactionStatus } from "./transaction-status.ts";
import { readUnspentOutputs } from "./unspent-outputs.ts";
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
  const readBalances = createBalanceReader(rpc, clock);
  const readPending = createPendingReader(rpc, chain);
  const readWaitingUse = createPendingSpendsReader(rpc, chain, network);
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
      answered(readBlock(rpc, rules, block, signal, mayBeWatched)),
    pendingTransfers: (signal) => answered(readPending(signal)),
    pendingSpends: (isOurs, signal) => answered(readWaitingUse(isOurs, signal)),
    senders: (txids, block, signal) => answered(readSenders(rpc, network, txids, block, signal)),
    // Nodes drop transactions after two weeks.
    forgottenAfterSeconds: 14 * 24 * 3600,
    statusOf: (txid, spends, signal) =>
      answered(readTransactionStatus(rpc, rules, txid, spends, signal)),
    balancesAt: (addresses, currency, hash, signal) => {
      assert(currency === chain.currency, `${chain.chain} holds one currency`);
      return answered(readBalances(addresses.map(scriptOf), hash, signal));
    },
    receiptsIn: (txids, block, signal) =>
      answered(readReceiptsIn(rpc, rules, txids, block, signal)),
    unspentOutputs: (outpoints, signal) => answered(readUnspentOutputs(rpc, outpoints, signal)),
    waitForBlock: (timeoutMs, signal) =>
      answered(waitForOtherBlock(rpc, clock, lastTip, timeoutMs, signal)),
    limitations: (signal) => answered(readLimitations(rpc, chain, signal)),
  };
}
