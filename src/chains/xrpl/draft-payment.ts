import { assert, present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type {
  AccountDraftOutcome,
  AccountPayment,
  Draft,
  DraftOutcome,
  DraftRequest,
  FeeCeiling,
  FeeQuote,
  Payment,
  QuoteRequest,
} from "../paying-port.ts";
import { reservedOf } from "./account-funds.ts";
import type { XrplCall } from "./build-transaction.ts";
import { writeBody } from "./draft-body.ts";
import type { XrplNetwork } from "./network.ts";
import { currentFees, currentReserves, type Fees } from "./pay-questions.ts";
import { accountIn, validatedHeader } from "./questions.ts";
import type { AskRippled, RippledNode } from "./rippled-node.ts";

export type XrplDrafting = {
  readonly node: RippledNode;
  readonly network: XrplNetwork;
  readonly coin: CurrencyId;
};

/**
 * How long a transaction is valid, in ledgers of three to four seconds: long enough for a failed node to come back, but short, since the
 * money of a lost transaction cannot be paid again before.
 */
export const validityLedgers = 150;

/** Networks up to this number are not named by their transactions. */
const unnamedNetworkMax = 1024;

/** A fee above a tenth of the amount counts as large. */
const largeFeeTimes = 10n;
/** The high quote: what the open ledger may ask for after it filled up for some ledgers. */
const highTimes = 10n;

/** What the next transactions of an account depend on. */
type Terms = {
  readonly tipHeight: number;
  readonly fees: Fees;
  /** What the account can send, without its reserve; 0 for an account that does not exist. */
  readonly spendable: bigint;
};

async function readTerms(ask: AskRippled, account: string): Promise<Terms> {
  const [tip, fees, root, reserves] = await Promise.all([
    ask(validatedHeader),
    ask(currentFees),
    ask(accountIn("validated", account)),
    ask(currentReserves),
  ]);
  const spendable = root === null ? 0n : root.balance - reservedOf(root, reserves);
  return { tipHeight: tip.height, fees, spendable: spendable > 0n ? spendable : 0n };
}

/** The current fees of a payment. Every transaction of one signature costs the same. */
export async function quotePayment(
  { node }: XrplDrafting,
  { payment }: QuoteRequest,
  signal: AbortSignal,
): Promise<FeeQuote> {
  const { minimum, openLedger } = await node.consult((ask) => ask(currentFees), signal);
  const isLarge = openLedger * largeFeeTimes > payment.amount.units;
  return {
    low: minimum,
    medium: openLedger,
    high: openLedger * highTimes,
    dust: 0n,
    warning: isLarge ? 1 : null,
  };
}

/**
 * Drafts one payment, or, without a payment, the transaction that uses up a sequence: it makes the account require tags. A draft that
 * replaces an expired one has the same sequence.
 */
export async function draftPayment(
  drafting: XrplDrafting,
  { payments, funds, feeCeiling }: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  assert(funds.kind === "account", "an account pays on this chain");
  assert(payments.length <= 1, "one payment in a transaction of this chain");
  const from = funds.address;
  const terms = await drafting.node.consult((ask) => readTerms(ask, from), signal);
  const outcome = draftOne(drafting, terms, callOf(from, payments[0]), { units: feeCeiling });
  return outcome.kind === "draft"
    ? { kind: "draft", draft: outcome.withSequence(funds.sequence) }
    : outcome;
}

/** Drafts several payments of an account. Each is checked independently against the account's whole balance. */
export async function draftEach(
  drafting: XrplDrafting,
  from: string,
  payments: readonly AccountPayment[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (payments.length === 0) return [];
  const terms = await drafting.node.consult((ask) => readTerms(ask, from), signal);
  return payments.map(({ payment }) => draftOne(drafting, terms, callOf(from, payment), ceiling));
}

function callOf(from: string, payment: Payment | undefined): XrplCall {
  if (payment === undefined) return { type: "requireTag", from };
  const { amount, destination } = payment;
  const { address: to, tag } = destination;
  return { type: "payment", from, to, tag, units: amount.units };
}

function draftOne(
  { coin, network: { networkId } }: XrplDrafting,
  { fees, spendable, tipHeight }: Terms,
  call: XrplCall,
  ceiling: FeeCeiling,
): Exclude<AccountDraftOutcome, { readonly kind: "unanswered" }> {
  if (call.type === "payment" && call.to === call.from)
    return { kind: "impossible", reason: "an account cannot send XRP to itself" };
  const feeUnits = fees.openLedger;
  const limit = "units" in ceiling ? ceiling.units : feeUnits * highTimes * ceiling.timesHigh;
  if (feeUnits > limit) return { kind: "tooExpensive", feeUnits };
  // A transaction that sends nothing may take its fee from the reserve.
  const needed = call.type === "payment" ? call.units + feeUnits : 0n;
  if (needed > spendable)
    return { kind: "insufficient", currency: coin, missing: needed - spendable };
  const lastLedger = tipHeight + validityLedgers;
  return {
    kind: "draft",
    feeUnits,
    withSequence: (sequence): Draft => {
      const used = present(sequence, "the sequence of a transaction of this chain");
      const body = writeBody({
        call,
        sequence: used,
        feeUnits,
        lastLedger,
        networkId: networkId > unnamedNetworkMax ? networkId : null,
      });
      const claims = [`${call.from}#${used}`];
      return { body, claims, feeUnits, validity: { kind: "height", last: lastLedger } };
    },
  };
}
