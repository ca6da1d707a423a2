import type { Currency } from "../../currencies/currency.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { type Clock, instantFromSeconds, microsPerSecond } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type {
  AccountBatch,
  AccountDraftOutcome,
  Draft,
  DraftOutcome,
  DraftRequest,
  FeeCeiling,
  FeeQuote,
  Payment,
  QuoteRequest,
} from "../paying-port.ts";
import { newAccountUnits, readAccountState, spendable } from "./account-state.ts";
import { native } from "./asset.ts";
import { feeOf, operationsIn, type StellarCall, writeBody } from "./build-transaction.ts";
import { type Channels, findNextChannels } from "./channels.ts";
import { currentFees, type Fees, networkSeconds } from "./pay-questions.ts";
import { findFull, readReceivers } from "./receiver-state.ts";
import type { AskStellar, StellarNode } from "./stellar-node.ts";
import { findNextTrustLine } from "./trust-lines.ts";

export type StellarDrafting = {
  readonly node: StellarNode;
  readonly coin: CurrencyId;
  readonly currencies: readonly Currency[];
  /** The name of each currency's asset. */
  readonly assetOf: (currency: CurrencyId) => string;
  /** The assets that the paying account should be able to hold, besides coin. */
  readonly tokens: readonly string[];
  /** The accounts whose sequences its transactions may use as well, whether they exist or not. */
  readonly channels: Channels;
  readonly clock: Clock;
};

/**
 * How long a transaction is valid: long enough for a failed node to come back and for others of the account to precede it, but short, since
 * the money of a lost transaction cannot be paid again before.
 */
export const validitySeconds = 600;

/** What a transaction can offer: its field has 32 bits. */
const feeUnitsMax = 2n ** 32n - 1n;

/** A fee above a tenth of the amount counts as large. */
const largeFeeTimes = 10n;

/** The current fees of a payment: of one operation. */
export async function quotePayment(
  { node, coin }: StellarDrafting,
  { payment }: QuoteRequest,
  signal: AbortSignal,
): Promise<FeeQuote> {
  const { low, medium, high } = await node.consult((ask) => ask(currentFees), signal);
  const { currency, units } = payment.amount;
  const isLarge = currency === coin && medium * largeFeeTimes > units;
  return { low, medium, high, dust: 0n, warning: isLarge ? 1 : null };
}

/**
 * Drafts payments, or, without a payment, the transaction that uses up sequences and makes a trust line, or channels, if some are missing. A
 * draft that replaces an expired one has the same sequences.
 */
export async function draftPayments(
  drafting: StellarDrafting,
  { payments, funds, feeTarget, feeCeiling }: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  assert(funds.kind === "account", "an account pays on this chain");
  const { address: from, sequence, through, lender } = funds;
  const outcome = await drafting.node.consult(async (ask) => {
    const terms = await readTerms(drafting, ask);
    return await draftOne(drafting, ask, terms, {
      from,
      payments,
      feeTarget,
      ceiling: { units: feeCeiling },
      usesMore: through !== undefined,
      isLent: lender !== undefined,
    });
  }, signal);
  return outcome.kind === "draft"
    ? { kind: "draft", draft: outcome.withSequence(sequence, through, lender) }
    : outcome;
}

/** Transactions drafted at a time. */
const atOnce = 8;

/** Drafts several transactions of an account. Each is checked independently against the account's whole balance. */
export async function draftEach(
  drafting: StellarDrafting,
  from: string,
  batches: readonly AccountBatch[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (batches.length === 0) return [];
  const { node } = drafting;
  const terms = await node.consult((ask) => readTerms(drafting, ask), signal);
  const outcomes: AccountDraftOutcome[] = [];
  for (let start = 0; start < batches.length; start += atOnce) {
    const part = batches.slice(start, start + atOnce).map(async (batch) => {
      const { payments, feeTarget, lender, numbers = payments.length } = batch;
      const isLent = lender !== undefined || drafting.channels.lending.length > 0;
      const request = { from, payments, feeTarget, ceiling, usesMore: numbers > 1, isLent };
      try {
        return await node.consult((ask) => draftOne(drafting, ask, terms, request), signal);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return { kind: "unanswered", cause: error } as const;
      }
    });
    outcomes.push(...(await Promise.all(part)));
  }
  return outcomes;
}

/** What the next transactions depend on. */
type Terms = {
  readonly fees: Fees;
  /** The last second in which a ledger may contain them. */
  readonly until: number;
};

/** The network's time may be ahead of ours. */
async function readTerms({ clock }: StellarDrafting, ask: AskStellar): Promise<Terms> {
  const [fees, closed] = await Promise.all([ask(currentFees), ask(networkSeconds)]);
  const now = Math.floor(clock.now() / microsPerSecond);
  return { fees, until: Math.max(now, closed) + validitySeconds };
}

type Unsequenced = Exclude<AccountDraftOutcome, { readonly kind: "unanswered" }>;
type Obstacle = Exclude<DraftOutcome, { readonly kind: "draft" }>;

type OneRequest = {
  readonly from: string;
  /** Without any, the transaction uses sequences, and sets the account up. */
  readonly payments: readonly Payment[];
  readonly feeTarget: bigint | null;
  readonly ceiling: FeeCeiling;
  /** It uses more sequences than its own if it succeeds, which takes an operation. */
  readonly usesMore: boolean;
  /** It may use the sequence of a channel. */
  readonly isLent: boolean;
};

async function draftOne(
  drafting: StellarDrafting,
  ask: AskStellar,
  { fees, until }: Terms,
  { from, payments, feeTarget, ceiling, usesMore, isLent }: OneRequest,
): Promise<Unsequenced> {
  const setUp =
    payments.length === 0 ? await setUpCalls(drafting, ask, from, { fees, ceiling }) : null;
  const own = setUp === null ? payments.length : Math.max(1, operationsIn(setUp));
  // A transaction with the sequence of a channel is in a fee-bump transaction, which counts as one more.
  const operations = BigInt(own + (usesMore ? 1 : 0) + (isLent ? 1 : 0));
  const [low, medium] = [fees.low * operations, fees.medium * operations];
  // The network charges its base fee, and more only while its ledgers are full. The payouts' fees cover as much as they can.
  const wanted = feeTarget !== null && feeTarget > medium ? feeTarget : medium;
  const limit = "units" in ceiling ? ceiling.units : fees.high * operations * ceiling.timesHigh;
  if (low > limit) return { kind: "tooExpensive", feeUnits: low };
  const affordable = wanted > limit ? limit : wanted;
  const feeUnits = affordable > feeUnitsMax ? feeUnitsMax : affordable;
  const found = setUp ?? (await paymentCalls(drafting, ask, from, payments, feeUnits));
  if ("kind" in found) return found;
  const memo = payments[0]?.destination.tag ?? null;
  return {
    kind: "draft",
    feeUnits,
    withSequence: (given, through = given ?? undefined, lender): Draft => {
      const sequence = present(given, "the sequence of a transaction of this chain");
      const last = present(through, "its last sequence");
      const channel =
        lender === undefined
          ? null
          : present(drafting.channels.find(lender), `the channel ${lender}`);
      const calls = withSequences(found, sequence, last);
      assert(operationsIn(calls) <= Number(operations), "more operations than the fee is for");
      const maxTime = BigInt(until);
      const numbers = Array.from({ length: Number(last - sequence) + 1 }, (_, at) => BigInt(at));
      return {
        body: writeBody({ from, channel, calls, memo, fee: feeUnits, sequence, maxTime }),
        claims: numbers.map((at) => `${lender ?? from}#${sequence + at}`),
        feeUnits: feeOf(feeUnits, calls, channel !== null).whole,
        validity: { kind: "time", until: instantFromSeconds(until) },
      };
    },
  };
}

/** The calls, and what uses the sequences up to the last one; at least one call. */
function withSequences(
  calls: readonly StellarCall[],
  sequence: bigint,
  through: bigint,
): readonly StellarCall[] {
  if (through > sequence) return [...calls, { type: "useSequence", through }];
  return calls.length > 0 ? calls : [{ type: "useSequence", through: null }];
}

/** A trust line if one is missing; otherwise channels, if some are: as many as the ceiling allows at the usual fee. */
async function setUpCalls(
  { tokens, channels }: StellarDrafting,
  ask: AskStellar,
  from: string,
  { fees: { high, medium }, ceiling }: { readonly fees: Fees; readonly ceiling: FeeCeiling },
): Promise<readonly StellarCall[]> {
  // A second operation may use further sequences.
  const asset = await findNextTrustLine(ask, from, tokens, 2n * high);
  if (asset !== null) return [{ type: "changeTrust", asset }];
  const account = await readAccountState(ask, from, native);
  const missing = await findNextChannels(ask, account, channels.lending, high);
  const payable = "units" in ceiling ? Number(ceiling.units / medium) : Infinity;
  const count = Math.max(1, Math.floor((payable - 1) / operationsIn([{ type: "createChannel" }])));
  return missing.slice(0, count).map((to) => ({ type: "createChannel", to }));
}

/** What makes the payments, or why the chain would refuse one of them. */
async function paymentCalls(
  drafting: StellarDrafting,
  ask: AskStellar,
  from: string,
  payments: readonly Payment[],
  feeUnits: bigint,
): Promise<readonly StellarCall[] | Obstacle> {
  const { currencies, assetOf } = drafting;
  if (payments.some(({ destination }) => destination.address === from))
    return { kind: "impossible", reason: "the hot account cannot pay itself" };
  const lack = await findLack(drafting, ask, from, payments, feeUnits);
  if (lack !== null) return lack;
  const receivers = payments.map(({ destination, amount: { currency, units } }) => {
    const { alpha: code } = present(
      currencies.find(({ id }) => id === currency),
      "the paid currency",
    );
    return { destination, asset: assetOf(currency), code, units };
  });
  const found = await readReceivers(ask, receivers);
  const paid = receivers.map((receiver, place) => ({
    ...receiver,
    ...present(found[place], "a receiver's state"),
  }));
  const full = findFull(paid);
  if (full !== null)
    return {
      kind: "impossible",
      reason: `The receiver's trust line cannot hold that much more ${full.code}.`,
    };
  const created = new Set<string>();
  const calls: StellarCall[] = [];
  for (const { destination, asset, state, units } of paid) {
    const { address: to } = destination;
    if (state.kind === "impossible") return { kind: "impossible", reason: state.reason };
    // The first payment to a new account creates it for the others.
    if (state.kind === "ready" || created.has(to)) {
      calls.push({ type: "payment", to, asset, units });
      continue;
    }
    if (units < newAccountUnits)
      return { kind: "impossible", reason: "a new account needs at least 1 XLM" };
    created.add(to);
    calls.push({ type: "createAccount", to, units });
  }
  return calls;
}

/**
 * What the account lacks for the payments and their fee, or why it may not pay them; null if nothing. What it may not spend is no part of its
 * funds either (`AccountFunds.reserved`), so that payouts of it wait before they are drafted. What has to be drafted now does not: a payment that
 * waits with its sequence holds up all later ones.
 */
async function findLack(
  { coin, currencies, assetOf }: StellarDrafting,
  ask: AskStellar,
  from: string,
  payments: readonly Payment[],
  feeUnits: bigint,
): Promise<Obstacle | null> {
  const sums = new Map<CurrencyId, bigint>([[coin, feeUnits]]);
  for (const { amount } of payments)
    sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + amount.units);
  for (const [currency, units] of sums) {
    const asset = assetOf(currency);
    const payer = await readAccountState(ask, from, asset);
    const holding = asset === native ? payer?.coin : payer?.token;
    if (asset !== native && payer !== null && payer.token?.isAuthorized !== true) {
      const code = currencies.find(({ id }) => id === currency)?.alpha ?? asset;
      return {
        kind: "impossible",
        reason: `The paying account is currently not authorized to hold ${code}.`,
      };
    }
    const missing = units - spendable(holding ?? null);
    if (missing > 0n) return { kind: "insufficient", currency, missing };
  }
  return null;
}
