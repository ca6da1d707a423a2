import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import type { ReservedIds } from "../create/create.store.ts";
import type { IncomingFunds } from "../create/incoming-funds.ts";
import { type Payout, type PayoutTerms, payoutStatus } from "../payout.ts";
import { payoutTravelRuleContext } from "../sealed.store.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import { type ApprovePayout, payoutIntent } from "./payout-intent.ts";

export type BuildContext = {
  readonly currencies: CurrencyRegistry;
  readonly seal: Seal;
  readonly approve: ApprovePayout;
};

/**
 * Builds a new payout: waiting for approval, internal, or held for sending with the approval that the signer
 * requires. Seals its travel-rule data for this payout alone.
 */
export function buildPayout(
  { currencies, seal, approve }: BuildContext,
  {
    terms,
    travelRule,
    incoming,
  }: {
    readonly terms: PayoutTerms;
    readonly travelRule: TravelRuleInfo;
    readonly incoming: IncomingFunds | null;
  },
  { payoutId, transferId }: ReservedIds,
  { isWaiting, isAboveLimit }: Pick<Payout, "isAboveLimit"> & { readonly isWaiting: boolean },
  now: Instant,
): Payout {
  const payout: Payout = {
    ...terms,
    id: payoutId,
    transferId,
    status: isWaiting ? payoutStatus.waiting : payoutStatus.approved,
    stage: isWaiting ? "waiting" : terms.isInternal ? "internal" : "held",
    travelRuleSealed: seal.seal(
      new TextEncoder().encode(JSON.stringify(travelRule)),
      payoutTravelRuleContext(payoutId),
    ),
    isRefund: incoming !== null,
    revision: 0,
    risk: null,
    releasedAt: null,
    message: null,
    userMessage: null,
    approval: null,
    approvedByMemberId: null,
    approvedAt: isWaiting ? null : now,
    spendId: null,
    txid: null,
    block: null,
    dueHeight: null,
    isConfirmed: !isWaiting && terms.isInternal,
    isAboveLimit,
    createdAt: now,
    updatedAt: now,
  };
  if (payout.stage !== "held") return payout;
  const intent = payoutIntent(payout, currencies.get(payout.currency));
  return { ...payout, approval: approve(intent) };
}
