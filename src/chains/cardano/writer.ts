import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainWriter, Coin } from "../paying-port.ts";
import { broadcast } from "./broadcast.ts";
import type { CardanoNode } from "./cardano-node.ts";
import { readBody } from "./draft-body.ts";
import { type DraftContext, draftSpend } from "./draft-spend.ts";
import { isMissingUpTo } from "./missing-transaction.ts";
import { type CardanoParameters, readParameters } from "./parameters.ts";
import { quotePayment } from "./quote-payment.ts";
import { readSpendStatus } from "./spend-status.ts";

export type CardanoWriterOptions = {
  readonly node: CardanoNode;
  readonly network: CardanoNetworkId;
  readonly currency: CurrencyId;
  readonly clock: Clock;
};

/** 100 outputs of at most 70 bytes take less than half of a transaction's 16 kB. */
const paymentsMax = 100;
/** Parameters change between epochs of five days. */
const parametersSeconds = 60;

/** Pays on one network of Cardano through Ogmios and Kupo. Needs no keys, not even public ones. */
export function createCardanoWriter(options: CardanoWriterOptions): ChainWriter {
  const { clock, currency, network, node } = options;
  const context: DraftContext = { chain: node.chain, network, currency, clock };
  let quoted: { readonly parameters: CardanoParameters; readonly until: Instant } | null = null;

  const parametersNow = async (signal: AbortSignal): Promise<CardanoParameters> => {
    if (quoted !== null && clock.now() < quoted.until) return quoted.parameters;
    const parameters = await node.consult(readParameters, signal);
    quoted = { parameters, until: addSeconds(clock.now(), parametersSeconds) };
    return parameters;
  };

  return {
    funding: "coins",
    coin: currency,
    paymentsMax,
    quote: async (request, signal) => quotePayment(network, await parametersNow(signal), request),
    draft: (request, signal) => node.consult((link) => draftSpend(context, link, request), signal),
    broadcast: (raw, signal) => node.command((link) => broadcast(link, raw), signal),
    status: (txid, draft, signal) =>
      node.consult((link) => readSpendStatus(link, network, txid, draft), signal),
    isMissingUpTo: (txid, draft, block, signal) =>
      node.consult((link) => isMissingUpTo(link, network, txid, draft, block), signal),
    changeOf: (txid, draft) => changeOf(network, txid, draft.body),
    account: null,
  };
}

/** The change outputs of a draft's transaction, as the coins that they are once it is in a block. */
function changeOf(network: CardanoNetworkId, txid: string, body: JsonObject): readonly Coin[] {
  return readBody(network, body).outputs.flatMap(({ change, units }, index): readonly Coin[] =>
    change === null
      ? []
      : [
          {
            claim: `${txid}:${index}`,
            units,
            addressType: "",
            branch: 1,
            keyIndex: change.keyIndex,
          },
        ],
  );
}
