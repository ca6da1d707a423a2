import { addSeconds, type Clock, type Instant } from "../../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../../platform/kernel/money.ts";
import type { ChainWriter } from "../../paying-port.ts";
import type { MonerodNode } from "../monerod-node.ts";
import { broadcast } from "./broadcast.ts";
import { draftSpend } from "./draft-spend.ts";
import type { FeeRates } from "./fee.ts";
import { feeRates } from "./node-questions.ts";
import { quotePayment } from "./quote-payment.ts";
import { type ClaimCoins, readKeyImages } from "./read-key-images.ts";
import { readSpendStatus } from "./spend-status.ts";
import type { ViewWallet } from "./view-wallet.ts";

export type MoneroWriterOptions = {
  readonly node: MonerodNode;
  readonly currency: CurrencyId;
  readonly clock: Clock;
  /** What drafting needs; null for quotes alone. */
  readonly drafting: {
    readonly wallet: ViewWallet;
    /** The account's own address, to which everything returns that is not paid. */
    readonly primaryAddress: string;
    /** The signer's: see `SignerClient.claimCoins`. */
    readonly claimCoins: ClaimCoins;
  } | null;
};

/** A transaction has at most 16 outputs (src/cryptonote_config.h), and one of them is change. */
const paymentsMax = 15;
/** Rates change with blocks: quotes may be this old. */
const ratesSeconds = 5;

/** Pays on a Monero network: a view-only wallet drafts, and the signer's own wallet signs. */
export function createMoneroWriter(options: MoneroWriterOptions): ChainWriter {
  const { clock, currency, drafting, node } = options;
  const refused = new Set<string>();
  let quoted: { readonly rates: FeeRates; readonly until: Instant } | null = null;

  const ratesNow = async (signal: AbortSignal): Promise<FeeRates> => {
    if (quoted !== null && clock.now() < quoted.until) return quoted.rates;
    const rates = await node.consult((ask) => ask(feeRates), signal);
    quoted = { rates, until: addSeconds(clock.now(), ratesSeconds) };
    return rates;
  };

  return {
    funding: "coins",
    coin: currency,
    paymentsMax,
    quote: async (request, signal) => quotePayment(currency, await ratesNow(signal), request),
    draft: async (request, signal) => {
      if (drafting === null) return { kind: "impossible", reason: "this process only quotes" };
      const source = { node, currency, refused, ...drafting };
      return draftSpend(source, await ratesNow(signal), request, signal);
    },
    broadcast: (raw, signal) => broadcast(node, raw, signal),
    status: (txid, draft, signal) => readSpendStatus(node, txid, draft, signal),
    isMissingUpTo: null,
    // Which output is change shows when a block brings it: outputs have no order.
    changeOf: () => [],
    account: null,
    ...(drafting === null
      ? {}
      : {
          keyImagesOf: (coins, signal) =>
            readKeyImages({ node, refused, ...drafting }, coins, signal),
        }),
  };
}
