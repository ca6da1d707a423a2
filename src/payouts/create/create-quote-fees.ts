import type { ChainWriter, Coin, FeeQuote, Funds } from "../../chains/paying-port.ts";
import type { Destination } from "../../chains/port.ts";
import type { ChainId } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { singleFlight } from "../../platform/kernel/single-flight.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { FeeQuestion, QuoteFees } from "./quote-fees.ts";

/** A chain that is paid on from here. */
export type QuotedChain = {
  readonly writer: ChainWriter;
  /** Who pays on account chains (the hot account), or where change goes on chains of coins. */
  readonly payer: Destination;
  /** Seconds between two blocks. */
  readonly blockDelay: number;
};

export type QuoteFeesContext = {
  readonly chains: ReadonlyMap<ChainId, QuotedChain>;
  /** Coins that could pay, the most worth first; asked for chains of coins only. */
  readonly spendableCoins: (chain: ChainId, limit: number) => Promise<readonly Coin[]>;
  readonly clock: Clock;
};

/** More than one transaction takes. */
const coinsMax = 200;
/** Different questions that are remembered per chain. */
const questionsMax = 1_000;
/** A client does not wait longer for a node. */
const timeoutMs = 10_000;
/** An answer is never older, however slow the chain's blocks are. */
const secondsMax = 5;

/**
 * Live fees from the chains' writers. What is asked again within half a block (at most 5 s) is answered from what is known, and
 * what is asked at the same moment is asked once, whatever the amounts on account chains: any number of requests cost a node
 * few questions. A node that cannot say has no quote (null); throws `Unavailable` where it answers with an error of its own.
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
      if (error instanceof Unavailable && error.what !== "database" && !isNodeError(error))
        return null;
      throw error;
    }
  };
}

/** The node understood the question and answered with an error: another thing than silence, and told apart on the wire. */
function isNodeError({ cause }: Unavailable): boolean {
  return cause instanceof Error && cause.name === "RpcError";
}

type Ask = (question: FeeQuestion) => Promise<FeeQuote>;

function createQuoter(
  { clock, spendableCoins }: QuoteFeesContext,
  chain: ChainId,
  { writer, payer, blockDelay }: QuotedChain,
): Ask {
  const seconds = Math.min(blockDelay / 2, secondsMax);
  const fundsOf = createFunds(writer, payer, () =>
    singleFlight(() => spendableCoins(chain, coinsMax), clock, seconds),
  );
  const ask: Ask = async ({ payment, balance }) => {
    const funds = await fundsOf();
    return withTimeout(clock, (signal) => writer.quote({ payment, funds, balance }, signal));
  };
  const askBehind = leadFirst(ask, clock, seconds);
  const isAccount = writer.funding === "account";
  const known = new Map<string, () => Promise<FeeQuote>>();
  return async (question) => {
    const name = cacheKeyOf(question, isAccount);
    let shared = known.get(name);
    if (shared === undefined) {
      shared = singleFlight(() => askBehind(question), clock, seconds);
      evictOldest(known);
      known.set(name, shared);
    }
    const quote = await shared();
    return isAccount
      ? { ...quote, warning: warningOfAccount(quote, question, writer.coin) }
      : quote;
  };
}

/** A fee of more than a tenth of the amount is large beside it. */
const largeFeeTimes = 10n;

/**
 * The interface's warning for a payment from an account: 2 where the balance does not hold the least fee beside the
 * amount; 1 for a large fee; 3 where what remains is less than the least fee. A token's fee is in another currency
 * than its amount: nothing can be said.
 */
function warningOfAccount(
  { low, medium }: Pick<FeeQuote, "low" | "medium">,
  { payment, balance }: Pick<FeeQuestion, "payment" | "balance">,
  coin: CurrencyId,
): FeeQuote["warning"] {
  const { currency, units } = payment.amount;
  if (currency !== coin) return null;
  if (balance - units < low) return 2;
  if (medium * largeFeeTimes > units) return 1;
  const left = balance - units - medium;
  return left > 0n && left < low ? 3 : null;
}

/**
 * After a while without answers one question goes ahead and the others of the moment wait for it, so that they find what the
 * writer then remembers of the newest block.
 */
function leadFirst(ask: Ask, clock: Clock, seconds: number): Ask {
  let leader: Promise<unknown> | null = null;
  let followedUntil: Instant | null = null;
  return async (question) => {
    if (leader !== null) {
      await leader.catch(() => null);
      return ask(question);
    }
    if (followedUntil !== null && clock.now() < followedUntil) return ask(question);
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

/** What an answer depends on. On account chains an amount costs what any other does; only the warning tells them apart. */
function cacheKeyOf({ payment, balance }: FeeQuestion, isAccount: boolean): string {
  const { destination, amount } = payment;
  const whom = [amount.currency, destination.address, destination.addressType];
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
    // A fee does not depend on the nonce.
    const funds: Funds = { kind: "account", address: payer.address, nonce: 0 };
    return () => Promise.resolve(funds);
  }
  const coins = shareCoins();
  const change = {
    address: payer.address,
    addressType: present(payer.addressType, "address type of change"),
    keyIndex: 0,
  };
  return async () => ({ kind: "coins", coins: await coins(), change });
}

async function withTimeout<Answer>(
  clock: Clock,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const [late, done] = [new AbortController(), new AbortController()];
  void clock.sleep(timeoutMs, done.signal).then(() => {
    late.abort();
  });
  try {
    return await work(late.signal);
  } finally {
    done.abort();
  }
}
