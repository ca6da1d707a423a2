import { mayCreate, mayPayFrom, type Principal } from "../../accounts/principal.ts";
import type { RejectionName } from "../../platform/kernel/rejection.ts";
import { type Payout, payoutStatus } from "../payout.ts";

/** Why somebody may not approve or cancel a payout: what the attempt would be answered, and a word for programs. */
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

type Asked = Pick<Payout, "walletId" | "status" | "stage" | "createdByMemberId" | "txid">;

/** What cancelling answers once the signer was asked. */
export const maybeSigned = {
  name: "invalidValue",
  reason: "signed",
  detail: "The payout's transaction may be signed by now: it can no longer be canceled.",
} as const satisfies ActionRefusal;

/** A role that only reads. */
export const roleChangesNothing = {
  name: "permissionDenied",
  reason: "role_changes_nothing",
  detail: "Your role can't change payouts.",
} as const satisfies ActionRefusal;

/** A wallet that the caller may view but not pay from. */
export const walletNotGranted = {
  name: "payoutNotPermitted",
  reason: "wallet_not_granted",
  detail: "You can view this wallet but not pay from it.",
} as const satisfies ActionRefusal;

/**
 * Why the caller, who may view the payout, may not approve it; null: its role and wallets let it, and `whyNotTrusted` decides. An
 * approver is never the creator.
 */
export function whyNotApprove(payout: Asked, principal: Principal): ActionRefusal | null {
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
      detail: "A payout is approved by another member than its creator.",
    };
  if (payout.status !== payoutStatus.waiting)
    return {
      name: "invalidValue",
      reason: "not_waiting",
      detail: "Only a payout that waits for approval (status 1) can be approved.",
    };
  return null;
}

/**
 * The same for cancelling. One that a transaction carries of which nothing is known to be signed may still be canceled: only
 * the attempt tells.
 */
export function whyNotCancel(payout: Asked, principal: Principal): ActionRefusal | null {
  const barred = whyNotChange(payout, principal);
  if (barred !== null) return barred;
  if (
    principal.role === "withdrawals_with_approval" &&
    principal.memberId !== payout.createdByMemberId
  )
    return {
      name: "permissionDenied",
      reason: "not_own_payout",
      detail: "This role cancels its own payouts only.",
    };
  switch (payout.stage) {
    case "waiting":
    case "held":
    case "blocked":
      return null;
    case "sending":
      return payout.txid === null ? null : maybeSigned;
    case "cancelled":
      return refused("canceled", "The payout is canceled already.");
    case "failed":
      return refused("failed", "The payout has failed; its money was released.");
    case "included":
    case "confirmed":
    case "internal":
      return refused("paid", "The payout is paid already.");
  }
}

function whyNotChange(payout: Asked, principal: Principal): ActionRefusal | null {
  if (!mayCreate(principal)) return roleChangesNothing;
  return mayPayFrom(principal, payout.walletId) ? null : walletNotGranted;
}

function refused(reason: ActionRefusal["reason"], detail: string): ActionRefusal {
  return { name: "invalidValue", reason, detail };
}
