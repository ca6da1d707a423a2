import type { UtxoNetwork, UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ChainWriter, Coin, Draft } from "../paying-port.ts";
import type { OutgoingTransaction } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { readActionRates } from "./action-rates.ts";
import { broadcast } from "./broadcast.ts";
import { createBlockSource } from "./create-block-source.ts";
import { readBody } from "./draft-body.ts";
import { draftSpend } from "./draft-spend.ts";
import { type FeeRates, readFeeRates, readOneRate } from "./fee-rates.ts";
import { isMissingUpTo } from "./missing-transaction.ts";
import { quotePayment } from "./quote-payment.ts";
import type { ChainRules } from "./read-block.ts";
import { readSpendStatus } from "./spend-status.ts";
import type { UtxoChain } from "./utxo-chain.ts";

export type UtxoWriterOptions = {
  readonly chain: UtxoChain;
  readonly network: UtxoNetworkName;
  /** The chain's nodes; created with `verifyUtxoNode`, each is verified before it is used. */
  readonly rpc: JsonRpc;
  readonly clock: Clock;
};

/** 100 outputs of 34 bytes are a thirtieth of the size that nodes relay. */
const paymentsMax = 100;
/** Estimates change with blocks, and the mempool's minimum slowly: quotes may be this old. */
const ratesSeconds = 5;

/**
 * Pays on a chain of the Bitcoin family through Bitcoin Core 0.21 or later, or one of its forks. Needs no keys, not even public
 * ones.
 */
export function createUtxoWriter({ chain, clock, network, rpc }: UtxoWriterOptions): ChainWriter {
  let quoted: { readonly rates: FeeRates; readonly until: Instant } | null = null;

  const ratesNow = async (signal: AbortSignal): Promise<FeeRates> => {
    if (quoted !== null && clock.now() < quoted.until) return quoted.rates;
    const rates = await (chain.feeRule === "zip317"
      ? readActionRates(rpc, signal)
      : chain.hasOneEstimate === true
        ? readOneRate(rpc, signal)
        : readFeeRates(rpc, network, signal, chain));
    quoted = { rates, until: addSeconds(clock.now(), ratesSeconds) };
    return rates;
  };

  /** Turns an unexpected error answer into `Unavailable`. */
  const answered = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof RpcError) throw new Unavailable(chain.chain, error.message, error);
      throw error;
    }
  };

  const its = chain.networks[network];
  const rules: ChainRules = { chain, network: its };
  const source = createBlockSource(rpc, rules);
  return {
    funding: "coins",
    coin: chain.currency,
    paymentsMax,
    quote: async (request, signal) =>
      quotePayment(chain, its, await answered(ratesNow(signal)), request),
    draft: (request, signal) => answered(draftSpend(chain, its, rpc, request, signal)),
    broadcast: (raw, signal) => answered(broadcast(rpc, source, chain, raw, signal)),
    status: (txid, draft, signal) =>
      answered(readSpendStatus(rpc, source, rules, txid, draft, signal)),
    isMissingUpTo:
      chain.expiryBlocks === null
        ? null
        : (txid, _draft, block, signal) =>
            answered(isMissingUpTo(rpc, source, txid, block, signal)),
    isEquivalent: (draft, transaction) => isEquivalent(its, draft, transaction),
    changeOf: (txid, draft) => changeOf(its, txid, draft.body),
    account: null,
  };
}

/** Miners and nodes can alter signatures outside witnesses, which are part of the id; signatures cover all inputs and outputs. */
function isEquivalent(
  network: UtxoNetwork,
  draft: Draft,
  { claims, payments }: OutgoingTransaction,
): boolean {
  const { outputs } = readBody(network, draft.body);
  const spent = new Set(claims);
  return (
    spent.size === draft.claims.length &&
    draft.claims.every((claim) => spent.has(claim)) &&
    payments.length === outputs.length &&
    payments.every(({ to, units }, place) => {
      const output = outputs[place];
      return output !== undefined && to === output.script && units === output.units;
    })
  );
}

/** The change outputs of a draft's transaction, as the coins that they are once it is in a block. */
function changeOf(network: UtxoNetwork, txid: string, body: JsonObject): readonly Coin[] {
  return readBody(network, body).outputs.flatMap(({ units, change }, vout) =>
    change === null ? [] : [{ claim: `${txid}:${vout}`, units, branch: 1 as const, ...change }],
  );
}
