import { assertMayView } from "../../accounts/assert-may-view.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { mayCreate, type Principal } from "../../accounts/principal.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { enforcePositionLimits } from "../../ledger/position-limits.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Deposit } from "../deposit.ts";
import { readDepositRow } from "../deposit-list.store.ts";
import { depositStatus } from "../deposit-status.ts";
import { bidForDecision, revalueWaiting } from "../resolve/revalue-transfers.ts";
import { decisionInstant } from "./decision-instant.ts";
import { lockDepositRows, readTransferRows } from "./incoming.store.ts";
import { saveChangedDeposit } from "./outcome.store.ts";
import { type DepositContext, type Facts, reconsider } from "./reconsider.ts";

/**
 * The fields that a client may change; undefined: unchanged, null: cleared. `timeLimit` in seconds. `isWhole`: the client sent the whole
 * deposit back, so an equal time limit is no new one.
 */
export type DepositPatch = {
  readonly label: string | null | undefined;
  readonly trackingId: string | null | undefined;
  readonly timeLimit: number | null | undefined;
  readonly isWhole?: boolean;
};

type Context = DepositContext & { readonly db: Database; readonly clock: Clock };

/**
 * Changes label, tracking_id or time_limit. A given time limit starts now, also an equal one, unless the client sent the whole deposit
 * back; a new one is rejected once the deposit has ended. Rejects with
 * permissionDenied, noPermissionToView, invalidValue. Null: the account has no such deposit.
 */
export async function changeDeposit(
  context: Context,
  principal: Principal,
  id: string,
  patch: DepositPatch,
): Promise<Deposit | null> {
  assertMayChange(principal);
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const deposit = await lockOwn(tx, principal, id);
    if (deposit === null) return null;
    const changed = applyPatch(deposit, patch, now);
    await saveChangedDeposit(tx, changed, now);
    return { ...changed, updatedAt: now };
  });
}

function applyPatch(deposit: Deposit, patch: DepositPatch, now: Instant): Deposit {
  const changed = {
    ...deposit,
    label: patch.label === undefined ? deposit.label : patch.label,
    trackingId: patch.trackingId === undefined ? deposit.trackingId : patch.trackingId,
  };
  const isEqual = patch.timeLimit === deposit.timeLimit;
  if (patch.timeLimit === undefined || (isEqual && patch.isWhole === true)) return changed;
  const source = { pointer: "/data/attributes/time_limit" };
  const isMerchant = deposit.walletType === walletType.merchant;
  if (!isMerchant || deposit.status !== depositStatus.created) {
    if (isEqual) return changed;
    reject(
      "invalidValue",
      isMerchant
        ? "time_limit can be changed only while the deposit is Created."
        : "time_limit is for deposits of Merchant wallets only.",
      source,
    );
  }
  return {
    ...changed,
    timeLimit: patch.timeLimit,
    invoiceUpdatedAt: patch.timeLimit === null ? null : now,
    expiresAt: patch.timeLimit === null ? null : addSeconds(now, patch.timeLimit),
    expiryConcludedAt: null,
  };
}

/**
 * Cancels a deposit of a Merchant wallet; with booked payments it becomes Unresolved instead. Canceling a deposit that is
 * Canceled, Unresolved or resolved has no effect. Rejects with permissionDenied, noPermissionToView, invalidValue. Null: the
 * account has no such deposit.
 */
export function cancelDeposit(
  context: Context,
  principal: Principal,
  id: string,
): Promise<Deposit | null> {
  const cancel: Change = ({ deposit, transfers }, at) => {
    if (deposit.walletType !== walletType.merchant) {
      reject("invalidValue", "Only deposits of Merchant wallets can be canceled.");
    }
    const isOver =
      deposit.status === depositStatus.canceled ||
      deposit.status === depositStatus.unresolved ||
      deposit.acceptedAt !== null;
    return { transfers, deposit: isOver ? deposit : { ...deposit, cancelledAt: at } };
  };
  return act(context, principal, id, "deposit.canceled", () => Promise.resolve(cancel));
}

/**
 * Accepts the funds on hold in an Unresolved deposit: it becomes Paid and they are credited, at the current bid once the lock
 * that valued them has expired. Rejects with permissionDenied, noPermissionToView, invalidValue, rateUnavailable, feeUnavailable.
 * Null: the account has no such deposit.
 */
export function acceptDeposit(
  context: Context,
  principal: Principal,
  id: string,
): Promise<Deposit | null> {
  return act(context, principal, id, "deposit.accepted", async (tx, deposit, now) => {
    if (deposit.status !== depositStatus.unresolved) {
      reject("invalidValue", "Only an Unresolved deposit can be resolved.");
    }
    const transfers = await readTransferRows(tx, [], [deposit]);
    const bid = await bidForDecision(context, { deposit, transfers }, now);
    return (facts, at) => ({
      deposit: { ...facts.deposit, acceptedAt: at },
      transfers: revalueWaiting(facts, bid, now, context.currencies),
    });
  });
}

/** Applies a user's action to a deposit and its transfers; `at` is the time that counts for it. */
type Change = (facts: Facts, at: Instant) => Facts;

/** `prepare` reads what the action needs while the deposit's row is locked. */
async function act(
  context: Context,
  principal: Principal,
  id: string,
  action: "deposit.canceled" | "deposit.accepted",
  prepare: (tx: Executor, deposit: Deposit, now: Instant) => Promise<Change>,
): Promise<Deposit | null> {
  assertMayChange(principal);
  const now = context.clock.now();
  return context.db.transaction((tx) => {
    const work = () => actOn(tx, { context, principal, id, action, prepare }, now);
    return action === "deposit.accepted"
      ? enforcePositionLimits(tx, context.positions, work)
      : work();
  });
}

async function actOn(
  tx: Executor,
  {
    context,
    principal,
    id,
    action,
    prepare,
  }: {
    readonly context: Context;
    readonly principal: Principal;
    readonly id: string;
    readonly action: "deposit.canceled" | "deposit.accepted";
    readonly prepare: (tx: Executor, deposit: Deposit, now: Instant) => Promise<Change>;
  },
  now: Instant,
): Promise<Deposit | null> {
  const before = await lockOwn(tx, principal, id);
  if (before === null) return null;
  const change = await prepare(tx, before, now);
  const [decision] = await reconsider(
    tx,
    context,
    { depositIds: [id], transferIds: [], tips: new Map(), now, isWhole: true },
    (facts) => change(facts, decisionInstant(facts.transfers, now)),
  );
  if (decision === undefined) return null;
  if (decision.deposit.status !== before.status)
    await recordAudit(tx, {
      by: principal,
      action,
      object: { type: "deposit", id },
      summary: {},
      at: now,
    });
  return decision.deposit;
}

/** Rejects with `permissionDenied` for a Read only member. */
export function assertMayChange(principal: Principal): void {
  if (!mayCreate(principal)) reject("permissionDenied", "Your role can't change deposits.");
}

/** Locks a deposit of the caller's account, after checking that the caller may view it. */
async function lockOwn(tx: Executor, principal: Principal, id: string): Promise<Deposit | null> {
  const seen = await readDepositRow(tx, principal.accountId, id);
  if (seen === null) return null;
  assertMayView(principal, seen, "deposit");
  const [deposit] = await lockDepositRows(tx, [id]);
  return deposit ?? null;
}
