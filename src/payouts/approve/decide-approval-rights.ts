import { mayCreate, mayPayFrom, type Principal } from "../../accounts/principal.ts";
import type { RejectionName } from "../../platform/kernel/rejection.ts";
import { type Payout, payoutStatus } from "../payout.ts";

/** Why a member may not approve or cancel a payout: the rejection that an attempt would get, and a machine-readable reason. */
export type ActionRefusal = {
  readonly name: RejectionName;
  readonly reason:
    | "role_changes_nothing"
    | "wallet_not_granted"
    | "role_approves_none"
    | "own_payout"
    | "not_own_payout"
    | "not_waiting"
    | "too_young"
    | "made_by_creator"
    | "not_confirmed"
    | "credential_of_another"
    | "creator_not_confirmed"
    | "canceled"
    | "failed"
    | "paid"
    | "signed";
  readonly detail: string;
};

type ApprovablePayout = Pick<
  Payout,
  "walletId" | "status" | "stage" | "createdByMemberId" | "txid"
>;

/** The refusal to cancel once the signer has been asked. */
export const maybeSigned = {
  name: "invalidValue",
  reason: "signed",
  detail: "The payout's transaction may already be signed, so it can no longer be canceled.",
} as const satisfies ActionRefusal;

/** The caller's role may cancel only what it created. */
export const notOwnPayout = {
  name: "permissionDenied",
  reason: "not_own_payout",
  detail: "Your role can cancel only payouts that you created.",
} as const satisfies ActionRefusal;

/** The role is read-only. */
export const roleChangesNothing = {
  name: "permissionDenied",
  reason: "role_changes_nothing",
  detail: "Your role can't change payouts.",
} as const satisfies ActionRefusal;

/** The caller may view the wallet but not pay from it. */
export const walletNotGranted = {
  name: "payoutNotPermitted",
  reason: "wallet_not_granted",
  detail: "You can view this wallet but not pay from it.",
} as const satisfies ActionRefusal;

/** The caller may not even view the account's wallet, so the refusal says nothing else about it. */
export const walletHidden = {
  name: "payoutNotPermitted",
  detail: "You don't have access to this wallet, so you can't pay from it.",
} as const satisfies Pick<ActionRefusal, "name" | "detail">;

/**
 * Why the caller, who may view the payout, may not approve it; null if its role and wallets allow it (`whyNotTrusted`
 * decides the rest). The creator never approves.
 */
export function whyNotApprove(
  payout: ApprovablePayout,
  principal: Principal,
): ActionRefusal | null {
  const barred = whyNotChange(payout, principal);
  if (barred !== null) return barred;
  if (principal.role === "withdrawals_with_approval")
    return {
      name: "permissionDenied",
      reason: "role_approves_none",
      detail: "Your role can't approve payouts. Ask an Owner or Admin.",
    };
  if (principal.memberId === payout.createdByMemberId)
    return {
      name: "permissionDenied",
      reason: "own_payout",
      detail: "You created this payout, so another member must approve it.",
    };
  if (payout.status !== payoutStatus.waiting)
    return {
      name: "invalidValue",
      reason: "not_waiting",
      detail: "Only a payout that is waiting for approval (status 1) can be approved.",
    };
  return null;
}

/**
 * Why the caller may not cancel the payout; null if it may. A payout that is being sent may still be cancelable while
 * nothing is known to be signed; only an attempt can tell.
 */
export function whyNotCancel(payout: ApprovablePayout, principal: Principal): ActionRefusal | null {
  const barred = whyNotChange(payout, principal);
  if (barred !== null) return barred;
  if (!mayCancelOf(payout, principal)) return notOwnPayout;
  switch (payout.stage) {
    case "waiting":
    case "held":
    case "blocked":
      return null;
    case "sending":
      return payout.txid === null ? null : maybeSigned;
    case "cancelled":
      return refused("canceled", "The payout has already been canceled.");
    case "failed":
      return refused("failed", "The payout failed and its funds were released.");
    case "included":
    case "confirmed":
    case "internal":
      return refused("paid", "The payout has already been paid.");
  }
}

/** Whether the caller's role may cancel what this member created. */
export function mayCancelOf(
  { createdByMemberId }: Pick<Payout, "createdByMemberId">,
  { role, memberId }: Principal,
): boolean {
  return role !== "withdrawals_with_approval" || memberId === createdByMemberId;
}

function whyNotChange(payout: ApprovablePayout, principal: Principal): ActionRefusal | null {
  if (!mayCreate(principal)) return roleChangesNothing;
  return mayPayFrom(principal, payout.walletId) ? null : walletNotGranted;
}

function refused(reason: ActionRefusal["reason"], detail: string): ActionRefusal {
  return { name: "invalidValue", reason, detail };
}
