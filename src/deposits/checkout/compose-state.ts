import { createHash } from "node:crypto";
import type { Currency } from "../../currencies/currency.ts";
import { paymentUri } from "../../currencies/payment-uri.ts";
import type { CurrentRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { type Deposit, depositStatus } from "../deposit.ts";
import { asksByCurrentRate } from "../payments/rate-lock.ts";
import { type Received, receivedOf } from "../payments/received.ts";
import { requotedAmountOf, sourceAmountOf } from "../payments/source-amount.ts";
import type { CheckoutChoice, CheckoutPayment, CheckoutState } from "./checkout-state.ts";
import { decideStage, type StageDecision } from "./decide-stage.ts";
import { describeArrivals } from "./describe-arrivals.ts";
import { describeCurrency } from "./describe-currency.ts";
import type { PageRecord } from "./page-record.ts";

export type StateContext = {
  readonly currencies: CurrencyRegistry;
  readonly drawQr: (text: string) => readonly string[];
  /** EIP-155 id of the network that is followed; null for a chain outside the EVM family. */
  readonly evmChainIdOf: (chain: string) => number | null;
  /** Chains whose money is play money. */
  readonly simulatedChains: ReadonlySet<string>;
  /** All of this deployment's chains are of that kind. */
  readonly isSandbox: boolean;
};

/** What is composed of a page, and the next instant at which time alone changes it; null: none does. */
export type ComposedState = { readonly state: CheckoutState; readonly changesAt: Instant | null };

/**
 * What a payer may know of a deposit. Pure; `choices` are those of a page on which nothing is chosen yet, `current` is the rate by
 * which a deposit asks that holds none, null where there is no fresh price.
 */
export function composeState(
  page: PageRecord,
  choices: readonly CheckoutChoice[] | null,
  current: CurrentRate | null,
  context: StateContext,
  now: Instant,
): ComposedState {
  const transfers = page.arrivals.map(({ transfer }) => transfer);
  const received = receivedOf(page.deposit, transfers);
  const decision = decideStage(page.deposit, received, now);
  const quoted = decision.isPayable ? current : null;
  const deposit = requoted(page.deposit, received, quoted, context.currencies);
  const shown = {
    id: deposit.paymentPageId,
    stage: decision.stage,
    reason: decision.reason,
    isSandbox: context.isSandbox,
    shop: page.shopName,
    helpEmail: page.helpEmail,
    redirect:
      deposit.paymentPageRedirectUrl === null
        ? null
        : { url: deposit.paymentPageRedirectUrl, text: deposit.paymentPageButtonText },
    price: priceOf(deposit, context.currencies),
    choices: decision.stage === "choose" ? choices : null,
    payment: paymentOf(deposit, received, decision, context, now),
    arrivals: describeArrivals(deposit, page.arrivals, context.currencies),
    expiresAt: formatTimestampOrNull(deposit.expiresAt),
    refund: {
      isAsked:
        deposit.status === depositStatus.unresolved &&
        transfers.some(({ disposition }) => disposition === "unresolved"),
      address: page.refundAddress,
    },
  };
  const version = digest(shown);
  return {
    state: {
      ...shown,
      version,
      payment: drawn(shown.payment, context),
      now: formatTimestamp(now),
    },
    changesAt: nextChange(deposit, decision, quoted, now),
  };
}

/** A deposit whose rate is not held asks for what is missing at the current one. */
function requoted(
  deposit: Deposit,
  received: Received,
  current: CurrentRate | null,
  currencies: CurrencyRegistry,
): Deposit {
  if (current === null) return deposit;
  const rate = current.bid;
  return {
    ...deposit,
    rate,
    sourceAmountRequested: requotedAmountOf(deposit, received, rate, currencies),
  };
}

function digest(shown: object): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 16);
}

function priceOf(
  { walletCurrency, targetAmountRequested }: Deposit,
  currencies: CurrencyRegistry,
): CheckoutState["price"] {
  if (targetAmountRequested === null) return null;
  const { alpha, exp } = currencies.get(walletCurrency);
  return { amount: formatDecimal(targetAmountRequested, exp), code: alpha, precision: exp };
}

type UndrawnPayment = Omit<CheckoutPayment, "qr">;

function drawn(payment: UndrawnPayment | null, context: StateContext): CheckoutPayment | null {
  if (payment === null) return null;
  return { ...payment, qr: payment.uri === "" ? [] : context.drawQr(payment.uri) };
}

function paymentOf(
  deposit: Deposit,
  received: Received,
  decision: StageDecision,
  context: StateContext,
  now: Instant,
): UndrawnPayment | null {
  if (deposit.currency === null || deposit.address === null) return null;
  const currency = context.currencies.get(deposit.currency);
  const named = describeCurrency(currency, context.simulatedChains);
  const amount = (units: bigint): string => formatDecimal(units, currency.exp);
  const missing = missingOf(deposit, received, decision, currency, context.currencies);
  const evmChainId = context.evmChainIdOf(named.chain);
  const asked = { currency, address: deposit.address, units: missing, evmChainId };
  return {
    ...named,
    precision: currency.exp,
    address: deposit.address,
    addressType: deposit.addressType,
    tag: deposit.tag === null ? null : { type: tagType(named.chain), value: deposit.tag },
    requested:
      deposit.sourceAmountRequested === null ? null : amount(deposit.sourceAmountRequested),
    received: amount(received.source),
    pending: amount(received.sourcePending),
    missing: missing === null ? null : amount(missing),
    rate: rateOf(deposit, decision, now),
    uri: decision.isPayable ? paymentUri(asked) : "",
    evm:
      evmChainId === null
        ? null
        : {
            chainId: evmChainId,
            token: currency.token?.contract ?? null,
            units: missing === null ? null : missing.toString(),
          },
  };
}

/** In the words of the chain's own wallets. */
function tagType(chain: string): string {
  return chain === "XRP" ? "destination_tag" : "memo";
}

/** What is still to be paid, units of the payment currency: by worth, so that it completes the amount at the rate locked now. */
function missingOf(
  deposit: Deposit,
  received: Received,
  { isPayable }: StageDecision,
  currency: Currency,
  currencies: CurrencyRegistry,
): bigint | null {
  if (deposit.targetAmountRequested === null || deposit.rate === null) return null;
  if (!isPayable) return 0n;
  const rest = deposit.targetAmountRequested - received.target - received.targetPending;
  const walletCurrency = currencies.get(deposit.walletCurrency);
  return rest <= 0n ? 0n : sourceAmountOf(rest, walletCurrency, deposit.rate, currency);
}

/** Only a rate by which an amount is asked for concerns the payer. */
function rateOf(
  deposit: Deposit,
  { isPayable }: StageDecision,
  now: Instant,
): CheckoutPayment["rate"] {
  const { rate, rateExpiresAt, targetAmountRequested } = deposit;
  if (rate === null || targetAmountRequested === null) return null;
  return {
    value: formatDecimal(rate.units, rate.exp),
    expiresAt: formatTimestampOrNull(rateExpiresAt),
    isHeld: !asksByCurrentRate(deposit),
    isExpired: isPayable && rateExpiresAt !== null && rateExpiresAt <= now,
  };
}

/** Time ends the lock of a rate, a rate that is not held, and the payment; the page shows each at that moment. */
function nextChange(
  deposit: Deposit,
  { isPayable, stage }: StageDecision,
  current: CurrentRate | null,
  now: Instant,
): Instant | null {
  if (!isPayable && stage !== "choose") return null;
  const isLocked = deposit.targetAmountRequested !== null;
  const coming = [
    deposit.expiresAt,
    isLocked ? deposit.rateExpiresAt : null,
    current?.expiresAt ?? null,
  ].flatMap((at) => (at !== null && at > now ? [at] : []));
  const [first = null] = coming.toSorted((one, other) => one - other);
  return first;
}
