import { assert, present } from "../../platform/kernel/assert.ts";
import { instantFromSeconds, microsPerSecond } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type {
  AccountDraftOutcome,
  Draft,
  DraftOutcome,
  DraftRequest,
  FeeCeiling,
  FeeQuote,
  Payment,
  QuoteRequest,
} from "../paying-port.ts";
import { newestBlock, type WatchedAccounts } from "./block-activity.ts";
import { type TonPayment, writeBody } from "./build-order.ts";
import { type FeeBounds, feeBoundsAt, feesOf, jettonValueRange, networkFeeRange } from "./fees.ts";
import { readCoinFunds, readJettonFunds } from "./funds.ts";
import { timeoutSeconds } from "./highload-wallet.ts";
import { inParts } from "./in-parts.ts";
import type { NetworkPrices } from "./network-prices.ts";
import { type AccountState, accountState } from "./questions.ts";
import type { AskToncenter, ToncenterNode } from "./toncenter-node.ts";

export type TonDrafting = {
  readonly node: ToncenterNode;
  readonly watched: WatchedAccounts;
  /** The public key of the hot wallet, which its first message needs; null for a writer that only quotes. */
  readonly hotKey: Uint8Array | null;
  /** Of the network, at most some seconds old. */
  readonly prices: () => Promise<NetworkPrices>;
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

/** A fee above a tenth of the amount counts as large. */
const largeFeeTimes = 10n;

/** What a payment costs at the network's current prices. Rejects with `FeesTooHigh` if the signer would not sign that. */
export async function quotePayment(
  { node, prices, watched }: TonDrafting,
  { payment }: QuoteRequest,
): Promise<FeeQuote> {
  const { currency, units } = payment.amount;
  const isCoin = currency === watched.coin;
  const fees = feesOf(node.chain, await prices(), isCoin ? "coin" : "jetton", payment);
  return {
    ...fees,
    dust: 0n,
    warning: isCoin && fees.medium * largeFeeTimes > units ? 1 : null,
  };
}

/** Drafts the payments of one message. A draft that replaces an expired one has the same number. */
export async function draftPayments(
  drafting: TonDrafting,
  { payments, funds, feeCeiling, replaces }: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  assert(funds.kind === "account", "an account pays on this chain");
  const request = {
    from: funds.address,
    payments,
    ceiling: { units: feeCeiling },
    isRepeated: replaces !== null,
  };
  const outcome = await drafting.node.consult(async (ask) => {
    const terms = await readTerms(ask, drafting, funds.address);
    return await draftOne(ask, drafting, terms, request);
  }, signal);
  return outcome.kind === "draft"
    ? { kind: "draft", draft: outcome.withSequence(funds.sequence) }
    : outcome;
}

/** Drafts several messages of an account. Each is checked independently against the account's whole balance. */
export async function draftEach(
  drafting: TonDrafting,
  from: string,
  batches: readonly (readonly Payment[])[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (batches.length === 0) return [];
  const { node } = drafting;
  const terms = await node.consult((ask) => readTerms(ask, drafting, from), signal);
  return await inParts(batches, async (payments) => {
    try {
      return await node.consult(
        (ask) => draftOne(ask, drafting, terms, { from, payments, ceiling, isRepeated: false }),
        signal,
      );
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return { kind: "unanswered", cause: error } as const;
    }
  });
}

/** What the next messages of an account depend on. */
type Terms = {
  /** Seconds since 1970: that of the newest block, since no block takes a message from its future. */
  readonly createdAt: number;
  /** Nanotons that the account can send. */
  readonly spendable: bigint;
  /** The public key for an account whose code is missing; otherwise null. */
  readonly deploys: Uint8Array | null;
  readonly bounds: FeeBounds;
};

async function readTerms(
  ask: AskToncenter,
  { hotKey, prices }: TonDrafting,
  from: string,
): Promise<Terms> {
  const [{ time }, { units, reserved }, { kind }, current] = await Promise.all([
    newestBlock(ask),
    readCoinFunds(ask, from),
    ask(accountState(from, null)),
    prices(),
  ]);
  return {
    createdAt: Math.floor(time / microsPerSecond),
    spendable: units - reserved,
    deploys: kind === "active" ? null : present(hotKey, "the public key of the hot wallet"),
    bounds: feeBoundsAt(current),
  };
}

type OneRequest = {
  readonly from: string;
  readonly payments: readonly Payment[];
  readonly ceiling: FeeCeiling;
  /** The signer has signed these payments before, so none of them can be left out: what cannot be paid comes back. */
  readonly isRepeated: boolean;
};

async function draftOne(
  ask: AskToncenter,
  { watched }: TonDrafting,
  { bounds: { jettonValue, networkFee }, createdAt, deploys, spendable }: Terms,
  { ceiling, from, isRepeated, payments }: OneRequest,
): Promise<Exclude<AccountDraftOutcome, { readonly kind: "unanswered" }>> {
  assert(payments.length > 0, "a message of this chain pays someone");
  const { coin } = watched;
  if (payments.some(({ destination }) => destination.address === from))
    return { kind: "impossible", reason: "the hot account cannot pay itself" };
  const jettons = payments.filter(({ amount }) => amount.currency !== coin);
  const count = BigInt(payments.length);
  const feeUnits = count * networkFee + BigInt(jettons.length) * jettonValue;
  const limit = "units" in ceiling ? ceiling.units : feeUnits * ceiling.timesHigh;
  const isBeyondSigner =
    networkFee > networkFeeRange.most ||
    (jettons.length > 0 && jettonValue > jettonValueRange.most);
  if (feeUnits > limit || isBeyondSigner) return { kind: "tooExpensive", feeUnits };
  const units = sumOf(payments.filter(({ amount }) => amount.currency === coin));
  const missing = feeUnits + units - spendable;
  if (missing > 0n) return { kind: "insufficient", currency: coin, missing };
  const receivers = await inParts(payments, ({ destination }) =>
    ask(accountState(destination.address, null)),
  );
  const refused = receivers.map(refusalOf).find((reason) => reason !== null);
  if (refused !== undefined && !(isRepeated && payments.length > 1))
    return { kind: "impossible", reason: refused };
  const jettonWallets = new Map<CurrencyId, string>();
  for (const [currency, each] of Map.groupBy(jettons, ({ amount }) => amount.currency)) {
    const jettonWallet = await watched.wallets.walletOf(ask, from, currency);
    const lacking = sumOf(each) - (await readJettonFunds(ask, jettonWallet));
    if (lacking > 0n) return { kind: "insufficient", currency, missing: lacking };
    jettonWallets.set(currency, jettonWallet);
  }
  const ordered = payments.map((payment, place) =>
    orderOf(payment, jettonWallets, jettonValue, present(receivers[place], "a receiver")),
  );
  return {
    kind: "draft",
    feeUnits,
    withSequence: (given): Draft => {
      const sequence = present(given, "the number of a message of this chain");
      return {
        body: writeBody({ from, payments: ordered, sequence, createdAt, deploys, networkFee }),
        claims: [`${from}#${sequence}`],
        feeUnits,
        validity: { kind: "time", until: instantFromSeconds(endOf(createdAt)) },
      };
    },
  };
}

function sumOf(payments: readonly Payment[]): bigint {
  return payments.reduce((sum, { amount }) => sum + amount.units, 0n);
}

function orderOf(
  { amount, destination }: Payment,
  jettonWallets: ReadonlyMap<CurrencyId, string>,
  jettonValue: bigint,
  receiver: AccountState,
): TonPayment {
  const { units } = amount;
  const { address: to, tag: comment } = destination;
  const jettonWallet = jettonWallets.get(amount.currency);
  // Money for an account without a contract would come back. A wallet of a jetton has one.
  return jettonWallet === undefined
    ? { call: { type: "coin", to, units }, comment, bounces: receiver.kind !== "uninitialized" }
    : {
        call: { type: "jetton", jettonWallet, value: jettonValue, to, units },
        comment,
        bounces: true,
      };
}

/** Why an account cannot be paid, as a sentence; null if it can. */
export function refusalOf({ kind }: Pick<AccountState, "kind">): string | null {
  return kind === "frozen" ? "The receiver's account is frozen." : null;
}
