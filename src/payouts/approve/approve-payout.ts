import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { readAccessOrigins } from "../../accounts/members/read-access-origins.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { FindRate, FreezeRates } from "../../currencies/rates/current-rate.ts";
import { enforcePositionLimits, type PositionLimits } from "../../ledger/position-limits.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import { changePayouts, type PayoutContext } from "../change-payouts.ts";
import { readWalletPause } from "../controls/kill-switch.store.ts";
import { readPauses } from "../controls/pause.store.ts";
import { pauseFaults, walletPauseFaults } from "../controls/pause.ts";
import type { PayInternally } from "../create/internal-payment.ts";
import { lockInternalTarget } from "../create/internal-target.store.ts";
import { isUnlisted } from "../create/payout-protection.store.ts";
import { type Payout, payoutStatus } from "../payout.ts";
import { findForChange } from "../send/find-for-change.ts";
import { type ApprovePayout, payoutIntent } from "../send/payout-intent.ts";
import { valueApproved } from "../value-payouts.ts";
import { type ActionRefusal, whyNotApprove } from "./decide-approval-rights.ts";
import { type ApproverRules, whyNotTrusted } from "./decide-approver.ts";
import { type RevaluationContext, revalueCharge } from "./revalue-payout.ts";

export type ApproveContext = PayoutContext &
  RevaluationContext &
  ApproverRules & {
    readonly db: Database;
    readonly clock: Clock;
    /** Signs the approval that the signer requires. */
    readonly approve: ApprovePayout;
    readonly payInternally: PayInternally;
    readonly freezeRates: FreezeRates;
    readonly positions: PositionLimits;
  };

/**
 * Approves a waiting payout. The approver must not be its creator, and the creator must not have given the approver
 * access. An external payout is then sent, once payouts of its chain are not paused; an internal one is paid at once
 * and is rejected while payouts are paused. An internal payout, and one in another currency than its wallet's that
 * has waited too long, is charged at the current ask. Rejects with permissionDenied, noPermissionToView,
 * payoutNotPermitted, invalidValue, insufficientFunds, addressRefused, payoutsBlocked, feeUnavailable. Null if the account has no
 * such payout.
 */
export async function approvePayout(
  context: ApproveContext,
  principal: Principal,
  id: string,
): Promise<Payout | null> {
  const findRate = await context.freezeRates();
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const found = await findForChange(tx, principal, id);
    if (found === null) return null;
    refuse(whyNotApprove(found, principal));
    const origins = await readAccessOrigins(tx, principal.accountId);
    refuse(whyNotTrusted(found, principal, origins, context, now));
    const approve = () => approveLocked(tx, { ...context, findRate }, principal, found, now);
    const isBounded = found.isInternal || found.walletCurrency !== found.currency;
    return isBounded ? enforcePositionLimits(tx, context.positions, approve) : approve();
  });
}

async function approveLocked(
  tx: Executor,
  context: ApproveContext & { readonly findRate: FindRate },
  principal: Principal,
  found: Payout,
  now: Instant,
): Promise<Payout> {
  if (found.isInternal) await refusePaused(tx, context, found, now);
  await refuseUnlisted(tx, found);
  const target = await lockInternalTarget(tx, found);
  const charge = await revalueCharge(tx, context, found.id, now);
  const [change] = await changePayouts(
    tx,
    context,
    [found.id],
    (payout): Payout => {
      refuse(whyNotApprove(payout, principal));
      const approved = {
        ...payout,
        rate: charge?.rate ?? payout.rate,
        chargedUnits: charge?.chargedUnits ?? payout.chargedUnits,
        status: payoutStatus.approved,
        approvedByMemberId: principal.memberId,
        approvedAt: now,
      };
      if (payout.isInternal) return { ...approved, stage: "internal" };
      const intent = payoutIntent(payout, context.currencies.get(payout.currency));
      return { ...approved, stage: "held", approval: context.approve(intent) };
    },
    now,
  );
  const { after } = present(change, "the payout just locked");
  await valueApproved(tx, after, context.findRate);
  if (after.isInternal) {
    const receiver = present(target, `target of payout ${after.id}`);
    await context.payInternally(tx, after, receiver, context.findRate, now);
  }
  await recordAudit(tx, {
    by: principal,
    action: "payout.approved",
    at: now,
    object: { type: "payout", id: after.id },
    summary: {},
  });
  return after;
}

/** An address may have been removed from the allowlist, or the allowlist required, while the payout waited. */
async function refuseUnlisted(tx: Executor, payout: Payout): Promise<void> {
  if (await isUnlisted(tx, payout))
    reject(
      "addressRefused",
      "This account can pay only allowlisted addresses. Cancel the payout, or allow its address first.",
    );
}

/** An internal payout moves its funds on approval, so pauses apply as they do on creation. */
async function refusePaused(
  tx: Executor,
  { currencies }: ApproveContext,
  payout: Payout,
  now: Instant,
): Promise<void> {
  const wallet = await readWalletPause(tx, payout);
  const pauses = await readPauses(tx, payout.chain, now);
  const currency = currencies.get(payout.currency);
  const [fault] = [
    ...walletPauseFaults("payoutsBlocked", wallet),
    ...pauseFaults("payoutsBlocked", pauses, currency, { kind: "internal" }),
  ];
  if (fault !== undefined) throw new Rejected(fault);
}

function refuse(refusal: ActionRefusal | null): void {
  if (refusal !== null) reject(refusal.name, refusal.detail);
}
