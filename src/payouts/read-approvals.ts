import type { Principal } from "../accounts/principal.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Executor } from "../db/database.ts";
import type { ListQuery, Page } from "../kernel/list-query.ts";
import { type Actor, readMemberNames } from "./approval.store.ts";
import { type RightRefusal, whyNotApprove, whyNotCancel } from "./decide-approval-rights.ts";
import type { Payout } from "./payout.ts";
import { listPayouts, readPayout } from "./read-payouts.ts";

/** Who stands behind a payout, and what the asker may do with it. */
export type PayoutApproval = {
  readonly payout: Payout;
  readonly createdBy: Actor;
  readonly approvedBy: Actor | null;
  /** Null: the asker may. */
  readonly whyNotApprove: RightRefusal | null;
  readonly whyNotCancel: RightRefusal | null;
};

/** Of one payout that the caller may view; null and rejections as `readPayout`. */
export async function readApproval(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<PayoutApproval | null> {
  const payout = await readPayout(db, principal, id);
  if (payout === null) return null;
  const [approval = null] = await approvalsOf(db, principal, [payout]);
  return approval;
}

/** Of a page of the payouts that the caller may view. */
export async function listApprovals(
  db: Executor,
  principal: Principal,
  query: ListQuery,
  currencies: CurrencyRegistry,
): Promise<Page<PayoutApproval>> {
  const page = await listPayouts(db, principal, query, currencies);
  return { ...page, items: await approvalsOf(db, principal, page.items) };
}

async function approvalsOf(
  db: Executor,
  principal: Principal,
  payouts: readonly Payout[],
): Promise<readonly PayoutApproval[]> {
  const ids = payouts.flatMap(({ createdByMemberId, approvedByMemberId }) =>
    approvedByMemberId === null ? [createdByMemberId] : [createdByMemberId, approvedByMemberId],
  );
  const names = await readMemberNames(db, principal.accountId, ids);
  const actor = (id: string): Actor => names.get(id) ?? { id, name: "" };
  return payouts.map((payout) => ({
    payout,
    createdBy: actor(payout.createdByMemberId),
    approvedBy: payout.approvedByMemberId === null ? null : actor(payout.approvedByMemberId),
    whyNotApprove: whyNotApprove(payout, principal),
    whyNotCancel: whyNotCancel(payout, principal),
  }));
}
