import { type Currency, contractAmong } from "../../currencies/currency.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type {
  AccountDraftOutcome,
  AccountPayment,
  Draft,
  DraftOutcome,
  DraftRequest,
  FeeCeiling,
  Payment,
} from "../paying-port.ts";
import type { BlockRef } from "../port.ts";
import { accountAt, tokenBalanceAt } from "./account.ts";
import { refBlockOf, type TronCall } from "./build-transaction.ts";
import { writeBody } from "./draft-body.ts";
import { currentPrices, type Prices, simulatedTransfer } from "./pay-questions.ts";
import { type Cost, feeBound, tokenCost, transferCost } from "./payment-cost.ts";
import { newestHeader } from "./questions.ts";
import type { TronNode } from "./tron-node.ts";

export type TronDrafting = {
  readonly node: TronNode;
  readonly coin: CurrencyId;
  /** The chain's currencies that can be paid. */
  readonly currencies: readonly Currency[];
  /** Returns a new timestamp for each transaction, so that two equal payments are two transactions. */
  readonly nextTimestamp: () => bigint;
};

/** Timestamps in milliseconds by the clock, each later than the one before. */
export function createTimestamps(clock: Clock): () => bigint {
  let last = 0n;
  return () => {
    const now = BigInt(Math.floor(clock.now() / microsPerMilli));
    last = now > last ? now : last + 1n;
    return last;
  };
}

const microsPerMilli = 1_000;

/**
 * How long a transaction is valid, from the time of the newest block: long enough for a failed node to come back, but short, since
 * the money of a lost transaction cannot be paid again before.
 */
export const validitySeconds = 600;

/** The block that a transaction refers to, when it expires, and the current prices. */
export type Terms = { readonly solid: BlockRef; readonly until: Instant; readonly prices: Prices };

/** Reads the terms of the next transactions. */
export async function readTerms(node: TronNode, signal: AbortSignal): Promise<Terms> {
  return await node.consult(async (ask) => {
    const [solid, newest, prices] = await Promise.all([
      ask(newestHeader("walletsolidity")),
      ask(newestHeader("wallet")),
      ask(currentPrices),
    ]);
    if (solid === null || newest === null)
      throw new Unavailable(node.chain, "the node has no newest block");
    return { solid, until: addSeconds(newest.time, validitySeconds), prices };
  }, signal);
}

/** Drafts one payment from the hot account. Accounts number no transactions, so nothing is replaced and no gap is filled. */
export async function draftPayment(
  drafting: TronDrafting,
  { payments, funds, replaces, feeCeiling }: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  assert(funds.kind === "account", "an account pays on this chain");
  assert(payments.length <= 1, "one payment in a transaction of this chain");
  const [payment] = payments;
  if (replaces !== null || payment === undefined)
    return { kind: "impossible", reason: "a transaction of this chain is never replaced" };
  const terms = await readTerms(drafting.node, signal);
  const ceiling = { units: feeCeiling };
  const outcome = await draftOne(
    drafting,
    terms,
    { from: funds.address, payment, ceiling },
    signal,
  );
  return outcome.kind === "draft" ? { kind: "draft", draft: outcome.withSequence(null) } : outcome;
}

/** Payments drafted concurrently. */
const atOnce = 8;

/** Drafts several payments of an account. Each is checked independently against the account's whole balance. */
export async function draftEach(
  drafting: TronDrafting,
  from: string,
  payments: readonly AccountPayment[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (payments.length === 0) return [];
  const terms = await readTerms(drafting.node, signal);
  const outcomes: AccountDraftOutcome[] = [];
  for (let start = 0; start < payments.length; start += atOnce) {
    const part = payments.slice(start, start + atOnce).map(async ({ payment }) => {
      try {
        return await draftOne(drafting, terms, { from, payment, ceiling }, signal);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return { kind: "unanswered", cause: error } as const;
      }
    });
    outcomes.push(...(await Promise.all(part)));
  }
  return outcomes;
}

type Unsequenced = Exclude<AccountDraftOutcome, { readonly kind: "unanswered" }>;
type Obstacle = Exclude<DraftOutcome, { readonly kind: "draft" }>;

async function draftOne(
  drafting: TronDrafting,
  terms: Terms,
  request: { readonly from: string; readonly payment: Payment; readonly ceiling: FeeCeiling },
  signal: AbortSignal,
): Promise<Unsequenced> {
  const { node, coin } = drafting;
  const { from, payment, ceiling } = request;
  const call = callOf(drafting, from, payment);
  const { spendable } =
    (await node.consult((ask) => ask(accountAt("wallet", from)), signal)) ?? nothingHeld;
  const lacking = (units: bigint): Obstacle | null =>
    units > spendable ? { kind: "insufficient", currency: coin, missing: units - spendable } : null;
  const moved = call.type === "transfer" ? call.units : 0n;
  const tooLittle = lacking(moved);
  if (tooLittle !== null) return tooLittle;
  const cost = await findCost(drafting, terms.prices, call, payment, signal);
  if ("kind" in cost) return cost;
  const { expected, most } = cost;
  const bound = feeBound(call, cost, terms.prices);
  const limit = "units" in ceiling ? ceiling.units : maxBigInt(most * ceiling.timesHigh, bound);
  if (bound > limit) return { kind: "tooExpensive", feeUnits: expected > limit ? expected : bound };
  return (
    lacking(moved + most) ?? {
      kind: "draft",
      feeUnits: bound,
      withSequence: () => draftOf(drafting, terms, call, cost, null),
    }
  );
}

const nothingHeld = { spendable: 0n };

/** The call that makes the payment. */
export function callOf(
  { currencies }: Pick<TronDrafting, "currencies">,
  from: string,
  { destination, amount }: Payment,
): Extract<TronCall, { readonly type: "transfer" | "token" }> {
  const contract = contractAmong(currencies, amount.currency);
  const moved = { from, to: destination.address, units: amount.units };
  return contract === null ? { type: "transfer", ...moved } : { type: "token", contract, ...moved };
}

/** What the call costs, or why the chain would refuse it at any cost. */
async function findCost(
  { node }: TronDrafting,
  prices: Prices,
  call: ReturnType<typeof callOf>,
  { amount }: Payment,
  signal: AbortSignal,
): Promise<Cost | Obstacle> {
  if (call.type === "transfer") {
    const receiver = await node.consult((ask) => ask(accountAt("wallet", call.to)), signal);
    if (receiver?.isContract === true) return { kind: "impossible", reason: contractRefusesCoin };
    if (call.to === call.from)
      return { kind: "impossible", reason: "an account cannot send coin to itself" };
    return transferCost(call, prices, receiver === null);
  }
  const simulation = await node.consult((ask) => ask(simulatedTransfer(call)), signal);
  if (simulation.kind === "succeeds") return tokenCost(call, prices, simulation);
  const held = await node.consult(
    (ask) => ask(tokenBalanceAt("wallet", call.contract, call.from)),
    signal,
  );
  return held < call.units
    ? { kind: "insufficient", currency: amount.currency, missing: call.units - held }
    : { kind: "impossible", reason: `the token refuses it: ${simulation.reason}` };
}

/** `TransferContract` to a contract is invalid (`getForbidTransferToContract`); its code would not run anyway. */
export const contractRefusesCoin = "The receiver is a contract, and contracts cannot be sent TRX.";

/** A draft of the call, to be signed by a deposit address (`keyIndex`) or by the hot or gas account (null). It claims nothing. */
export function draftOf(
  { nextTimestamp }: Pick<TronDrafting, "nextTimestamp">,
  { solid, until, prices }: Terms,
  call: TronCall,
  cost: Cost,
  keyIndex: number | null,
): Draft {
  const body = writeBody({
    call,
    refBlock: refBlockOf(solid),
    expiration: BigInt(until / microsPerMilli),
    timestamp: nextTimestamp(),
    feeLimit: cost.feeLimit,
    keyIndex,
  });
  const feeUnits = feeBound(call, cost, prices);
  return { body, claims: [], feeUnits, validity: { kind: "time", until } };
}
