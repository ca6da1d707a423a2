import { createHash } from "node:crypto";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import { findChain } from "../../currencies/chains.ts";
import type { Currency } from "../../currencies/currency.ts";
import { paymentUri } from "../../currencies/payment-uri.ts";
import type { CurrentRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import type { Deposit } from "../deposit.ts";
import { depositStatus } from "../deposit-status.ts";
import { asksByCurrentRate } from "../payments/rate-lock.ts";
import { type Received, receivedOf } from "../payments/received.ts";
import { requotedAmountOf, sourceAmountOf } from "../payments/source-amount.ts";
import { leastPayableOf } from "../payments/tolerance.ts";
import { brandOf } from "../storefront/brand.ts";
import type {
  CheckoutChoice,
  CheckoutPayment,
  CheckoutState,
  CheckoutTagType,
} from "./checkout-state.ts";
import { decideStage, type StageDecision } from "./decide-stage.ts";
import { describeArrivals } from "./describe-arrivals.ts";
import { describeCurrency } from "./describe-currency.ts";
import { mayMailReceipt } from "./may-mail-receipt.ts";
import type { PageRecord } from "./page-record.ts";

export type StateContext = {
  readonly currencies: CurrencyRegistry;
  readonly drawQr: (text: string) => readonly string[];
  /** EIP-155 chain id; null outside the EVM family. */
  readonly evmChainIdOf: (chain: string) => number | null;
  /** Null for a chain that is not followed. */
  readonly findAddressing: (chain: string) => PayeeAddressing | null;
  /** Address of a transaction in a public explorer, up to its id; null on private and test networks. */
  readonly explorerOf: (chain: string) => string | null;
  /** Chains whose currencies have no real value. */
  readonly simulatedChains: ReadonlySet<string>;
  /** Whether all chains of this deployment are simulated. */
  readonly isSandbox: boolean;
  /** Whether the deployment has a mail server. */
  readonly sendsEmail: boolean;
};

/** A page's state, and the next instant at which it changes through time alone; null if never. */
export type ComposedState = { readonly state: CheckoutState; readonly changesAt: Instant | null };

/**
 * Builds the public state of a deposit. Pure. `choices` are the currencies offered before the choice; `current` is the market rate
 * for a deposit without a locked rate, null if there is no fresh price.
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
  const least = leastPayableOf(page.deposit, page.deposit.rate, context.currencies);
  const decision = decideStage(page.deposit, received, now, least);
  const quoted = decision.isPayable ? current : null;
  const deposit = requoted(page.deposit, received, quoted, context.currencies);
  const content = {
    id: deposit.paymentPageId,
    stage: decision.stage,
    reason: decision.reason,
    isSandbox: context.isSandbox,
    shop: page.shopName,
    brand: brandOf(page),
    order: orderOf(page),
    description: page.deposit.description,
    helpEmail: page.helpEmail,
    embedders: page.frameAncestors,
    redirect:
      deposit.paymentPageRedirectUrl === null
        ? null
        : { url: deposit.paymentPageRedirectUrl, text: deposit.paymentPageButtonText },
    price: priceOf(deposit, context.currencies),
    choices: decision.stage === "choose" ? choices : null,
    payment: paymentOf(deposit, received, decision, context, now),
    arrivals: describeArrivals(deposit, page.arrivals, context),
    expiresAt: formatTimestampOrNull(deposit.expiresAt),
    receipt: {
      isShown: page.showsReceipt,
      note: page.receiptNote,
      isMailed:
        context.sendsEmail &&
        page.showsReceipt &&
        (decision.stage === "paid" || decision.stage === "seen") &&
        mayMailReceipt(page.deposit),
    },
    refund: {
      isAsked:
        deposit.status === depositStatus.unresolved &&
        transfers.some(({ disposition }) => disposition === "unresolved"),
      tagType: tagTypeOn(chainOf(page.deposit, context.currencies)),
      address: page.refundAddress,
      tag: page.refundTag,
    },
  };
  const version = digest(content);
  return {
    state: {
      ...content,
      version,
      payment: withQr(content.payment, context),
      now: formatTimestamp(now),
    },
    changesAt: nextChange(deposit, decision, quoted, now),
  };
}

/** Other wallets' deposits are addresses of customers, and their tracking IDs the shop's own names for these. */
function orderOf({ showsOrderReference, deposit }: PageRecord): string | null {
  return showsOrderReference && deposit.walletType === walletType.merchant
    ? deposit.trackingId
    : null;
}

/** A deposit without a locked rate requests the remaining amount at the current rate. */
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

function digest(content: object): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 16);
}

function priceOf(
  { walletCurrency, targetAmountRequested }: Deposit,
  currencies: CurrencyRegistry,
): CheckoutState["price"] {
  if (targetAmountRequested === null) return null;
  const { alpha, exp } = currencies.get(walletCurrency);
  return { amount: formatDecimal(targetAmountRequested, exp), code: alpha, precision: exp };
}

type PaymentWithoutQr = Omit<CheckoutPayment, "qr">;

function withQr(payment: PaymentWithoutQr | null, context: StateContext): CheckoutPayment | null {
  if (payment === null) return null;
  return { ...payment, qr: payment.uri === "" ? [] : context.drawQr(payment.uri) };
}

function paymentOf(
  deposit: Deposit,
  received: Received,
  decision: StageDecision,
  context: StateContext,
  now: Instant,
): PaymentWithoutQr | null {
  if (deposit.currency === null || deposit.address === null) return null;
  const currency = context.currencies.get(deposit.currency);
  const named = describeCurrency(currency, context.simulatedChains);
  const amount = (units: bigint): string => formatDecimal(units, currency.exp);
  const missing = missingOf(deposit, received, decision, currency, context.currencies);
  const evmChainId = context.evmChainIdOf(named.chain);
  const { address, tag } = deposit;
  const combined = addressWithTag(deposit, context.findAddressing(named.chain));
  const request = { currency, address, tag, combined, units: missing, evmChainId };
  return {
    ...named,
    precision: currency.exp,
    address: deposit.address,
    addressType: deposit.addressType,
    tag:
      deposit.tag === null
        ? null
        : {
            type: present(tagTypeOn(named.chain), `the tags of ${named.chain}`),
            value: deposit.tag,
          },
    account: accountBesideTag(deposit, context.findAddressing(named.chain)),
    combined,
    requested:
      deposit.sourceAmountRequested === null ? null : amount(deposit.sourceAmountRequested),
    received: amount(received.source),
    refunded: received.sourceRefunded === 0n ? null : amount(received.sourceRefunded),
    pending: amount(received.sourcePending),
    missing: missing === null ? null : amount(missing),
    rate: rateOf(deposit, decision, now),
    uri: decision.isPayable ? paymentUri(request) : "",
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

/** For wallets that do not know addresses with a tag. */
function accountBesideTag(
  { address, tag }: Deposit,
  addressing: PayeeAddressing | null,
): string | null {
  if (address === null || tag === null) return null;
  const account = addressing?.parse(address, tag)?.address ?? address;
  return account === address ? null : account;
}

/** For wallets that know addresses with a tag, so that payers cannot forget it. */
function addressWithTag(
  { address, tag }: Deposit,
  addressing: PayeeAddressing | null,
): string | null {
  const destination = address === null ? null : (addressing?.parse(address, tag) ?? null);
  const combined = destination === null ? null : (addressing?.combine?.(destination) ?? null);
  return combined === address ? null : combined;
}

function chainOf({ currency }: Deposit, currencies: CurrencyRegistry): string | null {
  return currency === null ? null : currencies.get(currency).chain;
}

/** Null on a chain whose receivers each have an address of their own. */
function tagTypeOn(chain: string | null): CheckoutTagType | null {
  const kind = findChain(chain ?? "")?.tag ?? null;
  return kind === "destination-tag" ? "destination_tag" : kind;
}

/** Amount remaining in units of the payment currency, computed from value, so that it completes the request at the locked rate. */
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
  if (rest <= 0n) return 0n;
  const units = sourceAmountOf(rest, walletCurrency, deposit.rate, currency);
  // Less would not be credited.
  return units < currency.minimalTransferUnits ? currency.minimalTransferUnits : units;
}

/** The rate matters to the payer only if it determines a requested amount. */
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

/** The next expiry of the rate lock, of the market rate, or of the payment. */
function nextChange(
  deposit: Deposit,
  { isPayable, stage }: StageDecision,
  current: CurrentRate | null,
  now: Instant,
): Instant | null {
  if (!isPayable && stage !== "choose") return null;
  const isLocked = deposit.targetAmountRequested !== null;
  const upcoming = [
    deposit.expiresAt,
    isLocked ? deposit.rateExpiresAt : null,
    current?.expiresAt ?? null,
  ].flatMap((at) => (at !== null && at > now ? [at] : []));
  const [first = null] = upcoming.toSorted((a, b) => a - b);
  return first;
}
