import type { AccessOrigins } from "../../accounts/members/access-origins.ts";
import { listMembers } from "../../accounts/members/find-member.ts";
import { readAccessOrigins } from "../../accounts/members/read-access-origins.ts";
import { mayAdministerAccount, type Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { needsAnotherMember } from "./ask-for-change.ts";
import { type ChangeRefusal, whyNotApproveChange } from "./decide-approval.ts";
import { listChangeRows, readAllowlistState, readChangeRow } from "./protection-change.store.ts";
import type { ProtectionChange } from "./protection-change.ts";
import { type ProtectionContext, requireProtector } from "./protection-context.ts";

/** A change, and why the caller may not approve it; null: it may. */
export type ShownChange = {
  readonly change: ProtectionChange;
  readonly whyNotApprove: ChangeRefusal | null;
};

/** A page of the account's changes. Rejects with permissionDenied unless the caller is Owner or Admin and sees all wallets. */
export async function listChanges(
  context: ProtectionContext,
  principal: Principal,
  query: ListQuery,
): Promise<Page<ShownChange>> {
  requireProtector(principal);
  const { db, clock } = context;
  const [page, origins] = await Promise.all([
    listChangeRows(db, principal.accountId, query),
    readAccessOrigins(db, principal.accountId),
  ]);
  const now = clock.now();
  return {
    ...page,
    items: page.items.map((change) => show(context, change, principal, origins, now)),
  };
}

/** One change; null when the caller's account has none, or the caller may not view it. */
export async function findChange(
  context: ProtectionContext,
  principal: Principal,
  id: string,
): Promise<ShownChange | null> {
  if (!mayAdministerAccount(principal)) return null;
  const change = await readChangeRow(context.db, principal.accountId, id);
  return change === null ? null : showChange(context, context.db, principal, change);
}

/** How an account is protected, and what loosening waits for. */
export type Protection = {
  readonly isAllowlistEnforced: boolean;
  /** Whether what the caller loosens waits for another member; otherwise for `looseningWaitSeconds`. */
  readonly needsApproval: boolean;
};

/** Reads how the caller's account is protected. Rejects with permissionDenied as `listChanges` does. */
export async function readProtection(
  { db, clock }: ProtectionContext,
  principal: Principal,
): Promise<Protection> {
  requireProtector(principal);
  const { accountId } = principal;
  const [{ isEnforced }, members] = await Promise.all([
    readAllowlistState(db, accountId, { chain: null, address: null, tag: null }),
    listMembers({ db }, principal, accountId),
  ]);
  const needsApproval = await needsAnotherMember(db, principal, members, clock.now());
  return { isAllowlistEnforced: isEnforced, needsApproval };
}

/** The change as the caller sees it. */
export async function showChange(
  context: ProtectionContext,
  db: Executor,
  principal: Principal,
  change: ProtectionChange,
): Promise<ShownChange> {
  const origins = await readAccessOrigins(db, principal.accountId);
  return show(context, change, principal, origins, context.clock.now());
}

function show(
  { people }: ProtectionContext,
  change: ProtectionChange,
  principal: Principal,
  origins: AccessOrigins,
  now: Instant,
): ShownChange {
  return { change, whyNotApprove: whyNotApproveChange(change, principal, origins, people, now) };
}
