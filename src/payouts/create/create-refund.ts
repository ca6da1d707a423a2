import type { Principal } from "../../accounts/principal.ts";
import { mayIncludeFee } from "../../currencies/chains.ts";
import type { Currency } from "../../currencies/currency.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { pointerOf, Rejected, type Rejection } from "../../platform/kernel/rejection.ts";
import { emptyPayoutRequest } from "../payout-documents.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import {
  type CalculateContext,
  type Calculation,
  type CalculationRequest,
  calculatePayout,
} from "./calculate.ts";
import { type CreatedPayout, type CreatePayoutContext, createPayout } from "./create-payout.ts";
import type { IncomingFunds } from "./incoming-funds.ts";

/** A refund request and the funds it refunds. */
export type RefundOrder = {
  readonly incoming: IncomingFunds;
  /** The wallet that the payment was made to. */
  readonly walletId: string;
  readonly currencyId: string | null;
  readonly address: string | null;
  readonly tag: string | null;
  readonly tagType: string | null;
  /** Decimal text. */
  readonly feeAmount: string | null;
  readonly callbackUrl: string | null;
  readonly travelRule: TravelRuleInfo | null;
  /** True if an operator has accepted this receiver's risk: the payout is not screened again. */
  readonly isRiskAccepted: boolean;
  /** Faults of the document, and reasons why the funds cannot be refunded. */
  readonly faults: readonly Rejection[];
  /** Lower-case UUID. */
  readonly idempotencyKey: string;
  /** SHA-256 of the request. */
  readonly fingerprint: Uint8Array;
};

/**
 * Refunds a payment that was never credited, by an ordinary payout of its wallet: the funds are credited and the
 * payout is created in one transaction. The fee comes out of the funds where both are in the same coin; no commission
 * is charged. Rejects like createPayout, with pointers into this request.
 */
export async function createRefund(
  context: CreatePayoutContext,
  principal: Principal,
  order: RefundOrder,
): Promise<CreatedPayout> {
  const { walletId, currencyId, idempotencyKey, fingerprint, faults, incoming } = order;
  const currency = currencyId === null ? null : context.currencies.find(currencyId);
  const settings = order.isRiskAccepted ? { ...context, isScreened: false } : context;
  return withRefundPointers(() =>
    createPayout(settings, principal, {
      idempotencyKey,
      fingerprint,
      faults,
      incoming,
      request: {
        ...emptyPayoutRequest,
        wallet: walletId,
        currency: currencyId,
        fee_amount: order.feeAmount,
        address: order.address,
        tag: order.tag,
        tag_type: order.tagType,
        is_fee_included: currency !== null && mayIncludeFee(currency),
        callback_url: order.callbackUrl,
        travelRule: order.travelRule,
      },
    }),
  );
}

/** The receiver whose refund is quoted. */
export type RefundReceiver = Pick<CalculationRequest, "toAddress" | "tag" | "tagType">;

/** What refunding `units` to an address would cost now. Rejects like calculatePayout, with pointers into this request. */
export function quoteRefund(
  context: CalculateContext,
  principal: Principal,
  order: Pick<RefundOrder, "walletId"> & {
    readonly currency: Currency;
    readonly units: bigint;
  } & RefundReceiver,
): Promise<Calculation> {
  const { walletId, currency, units, toAddress, tag, tagType } = order;
  return withRefundPointers(() =>
    calculatePayout(context, principal, {
      walletId,
      toAddress,
      tag,
      tagType,
      currencyId: currency.id,
      isIncoming: true,
      amount: formatDecimal(units, currency.exp),
    }),
  );
}

async function withRefundPointers<Result>(make: () => Promise<Result>): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const [first, ...others] = error.rejections.map(withoutForeignPointer);
    throw first === undefined ? error : new Rejected(first, ...others);
  }
}

/** Members of a payout document that a refund request lacks; their faults concern the funds, so they get no pointer. */
const foreign = /^\/data\/(relationships|attributes\/(amount|is_fee_included|force_blockchain))/;

function withoutForeignPointer(rejection: Rejection): Rejection {
  const { source, ...placeless } = rejection;
  const isForeign = source !== undefined && foreign.test(pointerOf(rejection) ?? "");
  return isForeign ? placeless : rejection;
}
