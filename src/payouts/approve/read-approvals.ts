import { readAccessOrigins } from "../../accounts/members/read-access-origins.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import type { Payout } from "../payout.ts";
import { listPayouts, readPayout } from "../read-payouts.ts";
import { type Actor, readMemberNames } from "./approve.store.ts";
import { type ActionRefusal, whyNotApprove, whyNotCancel } from "./decide-approval-rights.ts";
import { type ApproverRules, whyNotTrusted } from "./decide-approver.ts";

export type ApprovalContext = ApproverRules & { readonly db: Executor; readonly clock: Clock };

/** Who created and approved a payout, and what the caller may do with it. */
export type PayoutApproval = {
  readonly payout: Payout;
  readonly createdBy: Actor;
  readonly approvedBy: Actor | null;
  /** Null if the caller may approve. */
  readonly whyNotApprove: ActionRefusal | null;
  readonly whyNotCancel: ActionRefusal | null;
};

/** The approval state of one payout. Returns null and rejects like `readPayout`. */
export async function readApproval(
  context: ApprovalContext,
  principal: Principal,
  id: string,
): Promise<PayoutApproval | null> {
  const payout = await readPayout(context.db, principal, id);
  if (payout === null) return null;
  const [approval = null] = await approvalsOf(context, principal, [payout]);
  return approval;
}

/** The approval states of a page of payouts that the caller may view. */
export async function listApprovals(
  context: ApprovalContext & { readonly currencies: CurrencyRegistry },
  principal: Principal,
  query: ListQuery,
): Promise<Page<PayoutApproval>> {
  const page = await listPayouts(context.db, principal, query, {
    currencies: context.currencies,
    // Approvals are not filtered by address.
    readAddresses: () => [],
  });
  return { ...page, items: await approvalsOf(context, principal, page.items) };
}

async function approvalsOf(
  context: ApprovalContext,
  principal: Principal,
  payouts: readonly Payout[],
): Promise<readonly PayoutApproval[]> {
  const ids = payouts.flatMap(({ createdByMemberId, approvedByMemberId }) =>
    approvedByMemberId === null ? [createdByMemberId] : [createdByMemberId, approvedByMemberId],
  );
  if (payouts.length === 0) return [];
  const { db, clock } = context;
  const [names, origins] = await Promise.all([
    readMemberNames(db, principal.accountId, ids),
    readAccessOrigins(db, principal.accountId),
  ]);
  const now = clock.now();
  const actor = (id: string): Actor => names.get(id) ?? { id, name: "" };
  return payouts.map((payout) => ({
    payout,
    createdBy: actor(payout.createdByMemberId),
    approvedBy: payout.approvedByMemberId === null ? null : actor(payout.approvedByMemberId),
    whyNotApprove:
      whyNotApprove(payout, principal) ?? whyNotTrusted(payout, principal, origins, context, now),
    whyNotCancel: whyNotCancel(payout, principal),
  }));
}
