import { findChain } from "../../currencies/chains.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ChainReader } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/rpc-error.ts";
import { createBalanceReader } from "./balances-at.ts";
import { headerAt, headerOf, tipOf } from "./headers.ts";
import { blindSpotsOf } from "./node-limitations.ts";
import { payeeOfAddress, scriptOfPayee } from "./output-script.ts";
import { createWaitingUse } from "./pending-spends.ts";
import { createPendingReader } from "./pending-transfers.ts";
import { transfersIn } from "./read-block.ts";
import { minedAmong } from "./receipts-in.ts";
import { originsOf } from "./senders.ts";
import { fateOf } from "./transaction-status.ts";
import { unspentAmong } from "./unspent-outputs.ts";
import type { UtxoChain, UtxoNetwork } from "./utxo-chain.ts";
import { verifyUtxoNode } from "./verify-network.ts";
import { waitForOtherBlock } from "./wait-for-block.ts";

/** Reads a chain from Bitcoin Core and its kin; 0.21 and later. */
export function createUtxoReader(
  chain: UtxoChain,
  network: UtxoNetwork,
  rpc: JsonRpc,
  clock: Clock,
): ChainReader {
  const readBalances = createBalanceReader(rpc, clock);
  const readPending = createPendingReader(rpc, chain);
  const readWaitingUse = createWaitingUse(rpc, chain, network);
  const scriptOf = (address: string): string =>
    scriptOfPayee(present(payeeOfAddress(network, address), `an address of ${chain.chain}`));
  const reorgLimit = present(findChain(chain.chain)?.reorgLimit, `re-org limit of ${chain.chain}`);
  let lastTip: string | null = null;

  /** An error of the node's own that no question expects means that this node cannot say. */
  const said = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
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
      said(verifyUtxoNode(network)((method, params) => rpc.call(method, params, signal))),
    tip: async (signal) => {
      const tip = await said(tipOf(rpc, signal));
      lastTip = tip.hash;
      return tip;
    },
    headerAt: (height, signal) => said(headerAt(rpc, height, signal)),
    headerByHash: (hash, signal) => said(headerOf(rpc, hash, signal)),
    readBlock: (block, signal, mayBeWatched) =>
      said(transfersIn(rpc, chain, network, block, signal, mayBeWatched)),
    pendingTransfers: (signal) => said(readPending(signal)),
    pendingSpends: (isOurs, signal) => said(readWaitingUse(isOurs, signal)),
    senders: (txids, block, signal) => said(originsOf(rpc, network, txids, block, signal)),
    statusOf: (txid, spends, signal) => said(fateOf(rpc, txid, spends, signal)),
    balancesAt: (addresses, currency, hash, signal) => {
      assert(currency === chain.currency, `${chain.chain} holds one currency`);
      return said(readBalances(addresses.map(scriptOf), hash, signal));
    },
    receiptsIn: (txids, block, signal) => said(minedAmong(rpc, txids, block, signal)),
    unspentOutputs: (outpoints, signal) => said(unspentAmong(rpc, outpoints, signal)),
    waitForBlock: (timeoutMs, signal) =>
      said(waitForOtherBlock(rpc, clock, lastTip, timeoutMs, signal)),
    limitations: (signal) => said(blindSpotsOf(rpc, chain, signal)),
  };
}
