import type { Principal } from "../../accounts/principal.ts";
import { mayIncludeFee } from "../../currencies/chains.ts";
import type { Currency } from "../../currencies/currency.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { pointerOf, Rejected, type Rejection } from "../../platform/kernel/rejection.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import { type CalculateContext, type Calculation, calculatePayout } from "./calculate.ts";
import { type CreatedPayout, type CreatePayoutContext, createPayout } from "./create-payout.ts";
import type { IncomingFunds } from "./incoming-funds.ts";

/** What a client says of a payment that is to be paid back, and the money itself. */
export type RefundOrder = {
  readonly incoming: IncomingFunds;
  /** The wallet that the money was paid to. */
  readonly walletId: string;
  readonly currencyId: string | null;
  readonly address: string | null;
  readonly tag: string | null;
  readonly tagType: string | null;
  /** Decimal text. */
  readonly feeAmount: string | null;
  readonly callbackUrl: string | null;
  readonly travelRule: TravelRuleInfo | null;
  /** True where somebody has judged the very risk of this receiver: it is not screened again. */
  readonly isRiskAccepted: boolean;
  /** What could not be read of the document, and what stands in the way of the money. */
  readonly faults: readonly Rejection[];
  /** Lower-case UUID. */
  readonly idempotencyKey: string;
  /** SHA-256 of what was asked for. */
  readonly fingerprint: Uint8Array;
};

/**
 * Pays money back that was never credited, by a payout of its wallet like any other: the money is credited and the payout made
 * in one transaction, or neither. The fee comes out of the money where it is paid in its coin; neither side is charged
 * commission. Rejects as createPayout does, with places of this request only.
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
        walletId,
        currencyId,
        amount: null,
        feeAmount: order.feeAmount,
        address: order.address,
        tag: order.tag,
        tagType: order.tagType,
        targetDeposit: null,
        targetWallet: null,
        targetWalletPointer: "",
        isFeeIncluded: currency !== null && mayIncludeFee(currency),
        forceBlockchain: false,
        label: null,
        trackingId: null,
        confirmationsNeeded: null,
        callbackUrl: order.callbackUrl,
        travelRule: order.travelRule,
      },
    }),
  );
}

/** What paying `units` of a currency back to an address would cost now. Rejects as calculatePayout does, with places of this request only. */
export function quoteRefund(
  context: CalculateContext,
  principal: Principal,
  order: Pick<RefundOrder, "walletId"> & {
    readonly currency: Currency;
    readonly units: bigint;
    readonly toAddress: string;
  },
): Promise<Calculation> {
  const { walletId, currency, units, toAddress } = order;
  return withRefundPointers(() =>
    calculatePayout(context, principal, {
      walletId,
      toAddress,
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

/** Members of a payout's document that this one lacks: what is wrong with them lies with the money, not with the request. */
const foreign = /^\/data\/(relationships|attributes\/(amount|is_fee_included|force_blockchain))/;

function withoutForeignPointer(rejection: Rejection): Rejection {
  const { source, ...placeless } = rejection;
  const isForeign = source !== undefined && foreign.test(pointerOf(rejection) ?? "");
  return isForeign ? placeless : rejection;
}
