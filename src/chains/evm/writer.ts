import { type Currency, coinAmong, listedTokens } from "../../currencies/currency.ts";
import type { ChainWriter } from "../paying-port.ts";
import { nextNonceOf, readFunds } from "./account-funds.ts";
import { createEvmBatching } from "./batching.ts";
import { broadcast, broadcastEach } from "./broadcast.ts";
import { draftEach } from "./draft-each.ts";
import { draftTransaction } from "./draft-transaction.ts";
import type { EvmChain, EvmNetwork } from "./evm-chain.ts";
import type { EvmNode } from "./evm-node.ts";
import { createFeeMarket } from "./fee-market.ts";
import { quotePayment } from "./quote-payment.ts";
import { readSpendStatus } from "./spend-status.ts";
import { createUpToDateNode, type UpToDateNode } from "./up-to-date-node.ts";

export type EvmWriterOptions = {
  readonly record: EvmChain;
  readonly network: EvmNetwork;
  readonly node: EvmNode;
  /** Asked what the account has, and for drafts. Absent: created from `node`. */
  readonly upToDate?: UpToDateNode;
  /** Those of this chain: its coin, and the tokens that have a contract. */
  readonly currencies: readonly Currency[];
  /** The hot account, lower case; null if only fees are queried. */
  readonly hot: string | null;
  /** The account that pays for sweeps, lower case; null if only fees are queried. */
  readonly gasAccount: string | null;
};

/** Most payments of a batch, of 256 that its last log has bits for: more save less than 300 gas each. */
const batchMax = 64;

/** Pays on one EVM chain through its nodes' standard JSON-RPC. Needs no key: each request names the paying account. */
export function createEvmWriter(options: EvmWriterOptions): ChainWriter {
  const { record, node, currencies } = options;
  const coin = coinAmong(currencies);
  const { node: current, excludeBehind } = options.upToDate ?? createUpToDateNode(node);
  const drafting = { ...options, node: current, coin, market: createFeeMarket(current, record) };
  const hasBatches = record.paysTogether && options.gasAccount !== null;
  const tokens = { listed: listedTokens(currencies), hot: options.hot };
  return {
    funding: "account",
    coin,
    paymentsMax: hasBatches ? batchMax : 1,
    quote: (request, signal) => quotePayment(drafting, request, signal),
    draft: (request, signal) => draftTransaction(drafting, request, signal),
    broadcast: (raw, signal) => broadcast(node, raw, signal),
    status: (txid, draft, signal) => readSpendStatus(node, tokens, txid, draft, signal),
    isMissingUpTo: null,
    changeOf: null,
    account: {
      excludeBehind,
      nextSequence: async (address, signal) =>
        BigInt(await current.ask(nextNonceOf(address), signal)),
      funds: (address, currency, confirmations, signal) =>
        readFunds(current, currencies, { address, currency, confirmations }, signal),
      receiver: null,
      ...(hasBatches ? { batching: createEvmBatching(drafting) } : {}),
      draftEach: (address, payments, ceiling, signal) =>
        draftEach(drafting, address, payments, ceiling, signal),
      broadcastEach: (raws, signal) => broadcastEach(node, raws, signal),
    },
  };
}
