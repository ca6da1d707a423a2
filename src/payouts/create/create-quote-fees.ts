import {
  type AccountFunds,
  type ChainWriter,
  type Coin,
  type FeeQuote,
  FeesTooHigh,
  type Funds,
  type Payment,
  type ReceiverState,
} from "../../chains/paying-port.ts";
import type { Destination } from "../../chains/port.ts";
import type { ChainId } from "../../currencies/currency.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { singleFlight } from "../../platform/kernel/single-flight.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { withTimeLimit } from "../../platform/kernel/with-time-limit.ts";
import type { FeeQuestion, PaymentQuote, QuoteFees } from "./quote-fees.ts";

/** A chain on which this deployment pays out. */
export type QuotedChain = {
  readonly writer: ChainWriter;
  /** The hot account on account chains, or the change address on UTXO chains. */
  readonly payer: Destination;
  /** Seconds between two blocks. */
  readonly blockDelay: number;
};

export type QuoteFeesContext = {
  readonly chains: ReadonlyMap<ChainId, QuotedChain>;
  /** Spendable coins, largest first. Used on UTXO chains only. */
  readonly spendableCoins: (chain: ChainId, limit: number) => Promise<readonly Coin[]>;
  readonly clock: Clock;
};

/** More than a transaction uses. */
const coinsMax = 200;
/** Distinct questions cached per chain. */
const questionsMax = 1_000;
/** How long a client waits for a node. */
const timeoutMs = 10_000;
/** Maximum age of a cached quote, however slow the chain's blocks are. */
const secondsMax = 5;

/**
 * Creates the function that quotes live fees from the chains' writers. Answers are cached for half a block (at most 5
 * s), renewed without waiting in the second half of that time while they are asked for, and concurrent questions share one request; on account chains the amount does not matter. So many requests cost
 * a node few questions. Null if the node cannot give a quote; throws `Unavailable` if the node responds with an
 * error, and `FeesTooHigh` if the network asks more than the signer signs.
 */
export function createQuoteFees(context: QuoteFeesContext): QuoteFees {
  const quoters = new Map(
    [...context.chains].map(([chain, quoted]) => [chain, createQuoter(context, chain, quoted)]),
  );
  return async (question) => {
    const quote = quoters.get(question.chain);
    if (quote === undefined) return null;
    try {
      return await quote(question);
    } catch (error) {
      if (error instanceof FeesTooHigh) throw error;
      if (error instanceof Unavailable && error.what !== "database" && !isNodeError(error))
        return null;
      throw error;
    }
  };
}

/** Whether the node responded with an error of its own, which the wire distinguishes from no response. */
function isNodeError({ cause }: Unavailable): boolean {
  return cause instanceof Error && cause.name === "RpcError";
}

type Ask = (question: FeeQuestion) => Promise<PaymentQuote>;

function createQuoter(
  { clock, spendableCoins }: QuoteFeesContext,
  chain: ChainId,
  { writer, payer, blockDelay }: QuotedChain,
): Ask {
  const seconds = Math.min(blockDelay / 2, secondsMax);
  const fundsOf = createFunds(writer, payer, () =>
    singleFlight(() => spendableCoins(chain, coinsMax), clock, seconds, seconds / 2),
  );
  const ask: Ask = async ({ payment, balance }) => {
    const funds = await fundsOf();
    const [fees, receiver, holding] = await withTimeLimit(clock, timeoutMs, (signal) =>
      Promise.all([
        writer.quote({ payment, funds, balance }, signal),
        receiverOf(writer, payment, signal),
        holdingOf(writer, payer, payment, signal),
      ]),
    );
    return {
      ...fees,
      receiver: fees.receiver ?? receiver,
      ...(holding === null ? {} : { payer: holding }),
    };
  };
  const askBehind = leadFirst(ask, clock, seconds);
  const isAccount = writer.funding === "account";
  const known = new Map<string, () => Promise<PaymentQuote>>();
  return async (question) => {
    const name = cacheKeyOf(question, isAccount);
    let shared = known.get(name);
    if (shared === undefined) {
      shared = singleFlight(() => askBehind(question), clock, seconds, seconds / 2);
      evictOldest(known);
      known.set(name, shared);
    }
    const quote = await shared();
    return isAccount
      ? { ...quote, warning: warningOfAccount(quote, question, writer.coin) }
      : quote;
  };
}

async function receiverOf(
  { account }: ChainWriter,
  { destination, amount }: Payment,
  signal: AbortSignal,
): Promise<ReceiverState> {
  const ask = account?.receiver ?? null;
  return ask === null ? { kind: "ready" } : await ask(destination, amount.currency, signal);
}

/** Null on chains whose accounts need nothing, and keep nothing back. */
async function holdingOf(
  { account }: ChainWriter,
  { address }: Destination,
  { amount: { currency } }: Payment,
  signal: AbortSignal,
): Promise<AccountFunds | null> {
  if (account === null) return null;
  if (account.readiness === undefined && account.keepsReserve === undefined) return null;
  const holding = await account.funds(address, currency, 1, signal);
  return holding.reserved === 0n ? null : holding;
}

/** A fee above a tenth of the amount is large. */
const largeFeeTimes = 10n;

/** Whether the interface's warning 1 applies; both in units of the same coin. */
export function isLargeFee(feeUnits: bigint, units: bigint): boolean {
  return feeUnits * largeFeeTimes > units;
}

/**
 * The interface's warning for a payment from an account: 2 if the balance does not cover the amount and the low fee,
 * 1 for a large fee, 3 if the remainder is below the low fee. Null for tokens, whose fee is in another currency.
 */
function warningOfAccount(
  { low, medium }: Pick<FeeQuote, "low" | "medium">,
  { payment, balance }: Pick<FeeQuestion, "payment" | "balance">,
  coin: CurrencyId,
): FeeQuote["warning"] {
  const { currency, units } = payment.amount;
  if (currency !== coin) return null;
  if (balance - units < low) return 2;
  if (isLargeFee(medium, units)) return 1;
  const left = balance - units - medium;
  return left > 0n && left < low ? 3 : null;
}

/**
 * After a quiet period, one question runs first and concurrent ones wait for it, so that they benefit from what the
 * writer then knows of the newest block. While questions keep coming, nobody waits: any of them renews what the writer knows.
 */
function leadFirst(ask: Ask, clock: Clock, seconds: number): Ask {
  let leader: Promise<unknown> | null = null;
  let followedUntil: Instant | null = null;
  return async (question) => {
    if (followedUntil !== null && clock.now() < followedUntil) {
      const quote = await ask(question);
      followedUntil = addSeconds(clock.now(), seconds);
      return quote;
    }
    if (leader !== null) {
      await leader.catch(() => null);
      return ask(question);
    }
    const own = ask(question);
    leader = own;
    try {
      const quote = await own;
      followedUntil = addSeconds(clock.now(), seconds);
      return quote;
    } finally {
      leader = null;
    }
  };
}

/** What a quote depends on. On account chains the amount affects only the warning. */
function cacheKeyOf({ payment, balance }: FeeQuestion, isAccount: boolean): string {
  const { destination, amount } = payment;
  const { address, addressType, tag } = destination;
  const whom = [amount.currency, address, addressType, tag];
  return (isAccount ? whom : [...whom, amount.units, balance]).join(" ");
}

function evictOldest(known: Map<string, unknown>): void {
  if (known.size < questionsMax) return;
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}

function createFunds(
  { funding }: ChainWriter,
  payer: Destination,
  shareCoins: () => () => Promise<readonly Coin[]>,
): () => Promise<Funds> {
  if (funding === "account") {
    // Fees do not depend on the sequence number.
    const funds: Funds = { kind: "account", address: payer.address, sequence: null };
    return () => Promise.resolve(funds);
  }
  const coins = shareCoins();
  const change = {
    address: payer.address,
    // Chains with a single type have no name for it.
    addressType: payer.addressType ?? "",
    keyIndex: 0,
  };
  return async () => ({ kind: "coins", coins: await coins(), change });
}
