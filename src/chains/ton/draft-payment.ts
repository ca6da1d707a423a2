import { assert, present } from "../../platform/kernel/assert.ts";
import { instantFromSeconds, microsPerSecond } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
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
import { newestBlock, type WatchedAccounts } from "./block-activity.ts";
import { type TonCall, writeBody } from "./build-order.ts";
import { readCoinFunds, readJettonFunds } from "./funds.ts";
import { timeoutSeconds } from "./highload-wallet.ts";
import { type AccountState, accountState } from "./questions.ts";
import type { AskToncenter, ToncenterNode } from "./toncenter-node.ts";

export type TonDrafting = {
  readonly node: ToncenterNode;
  readonly watched: WatchedAccounts;
  /** The public key of the hot wallet, which its first message needs; null for a writer that only quotes. */
  readonly hotKey: Uint8Array | null;
};

/**
 * The blocks of a shard are known to the network once a masterchain block refers to them, seconds after their own time. So a message may be
 * in a masterchain block whose time is so much after the end of the message's own.
 */
const shardDelaySeconds = 60;

/** When no later masterchain block brings the message any more, in seconds since 1970. */
export function endOf(createdAt: number): number {
  return createdAt + timeoutSeconds + shardDelaySeconds;
}

/** What a message of the hot wallet costs at most: import, gas, rent and delivery. */
const networkFeeMax = 20_000_000n;
/** What goes along with a jetton's transfer. Its contracts keep what they need, less than half of it, and return the rest. */
const jettonValue = 100_000_000n;

/** Fees of the network are fixed by its configuration, and the same for every payment of a kind; docs/decisions/ton-payments.md derives these. */
const quotes = {
  coin: { low: 5_000_000n, medium: 8_000_000n, high: networkFeeMax },
  jetton: { low: 45_000_000n, medium: 60_000_000n, high: networkFeeMax + jettonValue },
};

/** A fee above a tenth of the amount counts as large. */
const largeFeeTimes = 10n;

/** What a payment costs. */
export function quotePayment({ watched }: TonDrafting, { payment }: QuoteRequest): FeeQuote {
  const { currency, units } = payment.amount;
  const isCoin = currency === watched.coin;
  const quote = isCoin ? quotes.coin : quotes.jetton;
  return {
    ...quote,
    dust: 0n,
    warning: isCoin && quote.medium * largeFeeTimes > units ? 1 : null,
  };
}

/** Drafts one payment. A draft that replaces an expired one has the same number. */
export async function draftPayment(
  drafting: TonDrafting,
  { payments, funds, feeCeiling }: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  assert(funds.kind === "account", "an account pays on this chain");
  assert(payments.length === 1, "one payment in a message of this chain");
  const request = {
    from: funds.address,
    payment: present(payments[0], "a payment"),
    ceiling: { units: feeCeiling },
  };
  const outcome = await drafting.node.consult(async (ask) => {
    const terms = await readTerms(ask, drafting, funds.address);
    return await draftOne(ask, drafting, terms, request);
  }, signal);
  return outcome.kind === "draft"
    ? { kind: "draft", draft: outcome.withSequence(funds.sequence) }
    : outcome;
}

/** Payments drafted at a time. */
const atOnce = 8;

/** Drafts several payments of an account. Each is checked independently against the account's whole balance. */
export async function draftEach(
  drafting: TonDrafting,
  from: string,
  payments: readonly AccountPayment[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (payments.length === 0) return [];
  const { node } = drafting;
  const terms = await node.consult((ask) => readTerms(ask, drafting, from), signal);
  const outcomes: AccountDraftOutcome[] = [];
  for (let start = 0; start < payments.length; start += atOnce) {
    const part = payments.slice(start, start + atOnce).map(async ({ payment }) => {
      try {
        return await node.consult(
          (ask) => draftOne(ask, drafting, terms, { from, payment, ceiling }),
          signal,
        );
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return { kind: "unanswered", cause: error } as const;
      }
    });
    outcomes.push(...(await Promise.all(part)));
  }
  return outcomes;
}

/** What the next messages of an account depend on. */
type Terms = {
  /** Seconds since 1970: that of the newest block, since no block takes a message from its future. */
  readonly createdAt: number;
  /** Nanotons that the account can send. */
  readonly spendable: bigint;
  /** The public key for an account whose code is missing; otherwise null. */
  readonly deploys: Uint8Array | null;
};

async function readTerms(ask: AskToncenter, { hotKey }: TonDrafting, from: string): Promise<Terms> {
  const [{ time }, { units, reserved }, { kind }] = await Promise.all([
    newestBlock(ask),
    readCoinFunds(ask, from),
    ask(accountState(from, null)),
  ]);
  return {
    createdAt: Math.floor(time / microsPerSecond),
    spendable: units - reserved,
    deploys: kind === "active" ? null : present(hotKey, "the public key of the hot wallet"),
  };
}

type OneRequest = {
  readonly from: string;
  readonly payment: Payment;
  readonly ceiling: FeeCeiling;
};

async function draftOne(
  ask: AskToncenter,
  { watched }: TonDrafting,
  { createdAt, deploys, spendable }: Terms,
  { ceiling, from, payment }: OneRequest,
): Promise<Exclude<AccountDraftOutcome, { readonly kind: "unanswered" }>> {
  const { amount, destination } = payment;
  const { currency, units } = amount;
  const { address: to, tag: comment } = destination;
  if (to === from) return { kind: "impossible", reason: "the hot account cannot pay itself" };
  const isCoin = currency === watched.coin;
  const feeUnits = isCoin ? networkFeeMax : networkFeeMax + jettonValue;
  const { high } = isCoin ? quotes.coin : quotes.jetton;
  const limit = "units" in ceiling ? ceiling.units : high * ceiling.timesHigh;
  if (feeUnits > limit) return { kind: "tooExpensive", feeUnits };
  const missing = feeUnits + (isCoin ? units : 0n) - spendable;
  if (missing > 0n) return { kind: "insufficient", currency: watched.coin, missing };
  const receiver = await ask(accountState(to, null));
  const refused = refusalOf(receiver);
  if (refused !== null) return { kind: "impossible", reason: refused };
  let call: TonCall = { type: "coin", to, units };
  if (!isCoin) {
    const jettonWallet = await watched.wallets.walletOf(ask, from, currency);
    const held = await readJettonFunds(ask, jettonWallet);
    if (held < units) return { kind: "insufficient", currency, missing: units - held };
    call = { type: "jetton", jettonWallet, value: jettonValue, to, units };
  }
  // Money for an account without a contract would come back. A wallet of a jetton has one.
  const bounces = !isCoin || receiver.kind === "active";
  return {
    kind: "draft",
    feeUnits,
    withSequence: (given): Draft => {
      const sequence = present(given, "the number of a message of this chain");
      return {
        body: writeBody({ from, call, comment, bounces, sequence, createdAt, deploys }),
        claims: [`${from}#${sequence}`],
        feeUnits,
        validity: { kind: "time", until: instantFromSeconds(endOf(createdAt)) },
      };
    },
  };
}

/** Why an account cannot be paid, as a sentence; null if it can. */
export function refusalOf({ kind }: Pick<AccountState, "kind">): string | null {
  return kind === "frozen" ? "The receiver's account is frozen." : null;
}
