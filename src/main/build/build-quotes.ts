import type { ChainWriter } from "../../chains/paying-port.ts";
import type { Destination } from "../../chains/port.ts";
import { createQuoteFees } from "../../payouts/create/create-quote-fees.ts";
import type { QuoteFees } from "../../payouts/create/quote-fees.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { withTimeLimit } from "../../platform/kernel/with-time-limit.ts";
import type { AccountBalance } from "../../reports/operations/list-operator-funds.ts";
import { firstAddresses } from "../../treasury/holdings/address.store.ts";
import { listSpendableCoins } from "../../treasury/holdings/coin.store.ts";
import { connectChain } from "../families/connections.ts";
import { familyOf } from "../families/families.ts";
import type { Foundation } from "./foundation.ts";
import { payeeAddressing } from "./payee-addressing.ts";

export type Quotes = {
  readonly quoteFees: QuoteFees;
  /** Balance of an account at its node's tip. Null on chains of coins, and when the node does not answer in time. */
  readonly readFunds: (
    chain: string,
    address: string,
    currency: CurrencyId,
  ) => Promise<AccountBalance | null>;
  readonly close: () => Promise<void>;
};

/** A person waits for this page, so a slow node counts as one that does not answer. */
const fundsPatienceMs = 3_000;

/**
 * Fee quotes of all configured chains, without any key. The paying account is read from the database, where the worker stores the
 * deployment's own addresses when it starts; until then a chain has no quote.
 */
export async function buildQuotes(foundation: Foundation): Promise<Quotes> {
  const connecting = Object.entries(foundation.config.chains).map(async ([chain, config]) => {
    const { createQuoter, close } = await connectChain(chain, { ...foundation, config });
    const writer = createQuoter();
    return [chain, { close, writer, quote: quoteOnceKnown(foundation, chain, writer) }] as const;
  });
  const chains = new Map(await Promise.all(connecting));
  return {
    quoteFees: async (question) => {
      const quote = await chains.get(question.chain)?.quote();
      return quote === undefined || quote === null ? null : await quote(question);
    },
    readFunds: async (chain, address, currency) => {
      const account = chains.get(chain)?.writer.account ?? null;
      if (account === null) return null;
      return withTimeLimit(foundation.clock, fundsPatienceMs, async (expired) => {
        try {
          const { latest, reserved } = await account.funds(address, currency, 1, expired);
          return { units: latest, reservedUnits: reserved };
        } catch (error) {
          if (error instanceof Unavailable || expired.aborted) return null;
          throw error;
        }
      });
    },
    close: async () => {
      await Promise.all([...chains.values()].map(({ close }) => close()));
    },
  };
}

function quoteOnceKnown(
  foundation: Foundation,
  chain: string,
  writer: ChainWriter,
): () => Promise<QuoteFees | null> {
  const { db, clock, currencies } = foundation;
  const coin = currencies.get(writer.coin);
  let known: QuoteFees | null = null;
  return async () => {
    if (known !== null) return known;
    const payer = await findPayer(foundation, chain, writer);
    if (payer === null) return null;
    known ??= createQuoteFees({
      chains: new Map([[chain, { writer, payer, blockDelay: coin.blockDelay }]]),
      spendableCoins: (id, limit) =>
        listSpendableCoins(db, id, { confirmations: coin.confirmationBlocks, limit }),
      clock,
    });
    return known;
  };
}

/** The hot account, or the change address on UTXO chains. Null until a worker has stored it. */
async function findPayer(
  foundation: Foundation,
  chain: string,
  { funding }: ChainWriter,
): Promise<Destination | null> {
  const addresses = await firstAddresses(foundation.db, familyOf(chain).keyspace.name);
  const address = addresses.get(funding === "account" ? "hot" : "change");
  if (address === undefined) return null;
  return payeeAddressing(foundation, chain)?.parse(address, null) ?? null;
}
