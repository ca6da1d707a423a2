import { assertMayView } from "../../accounts/assert-may-view.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import type { Deposit } from "../deposit.ts";
import { readDepositRow } from "../deposit-list.store.ts";
import { depositStatus } from "../deposit-status.ts";
import { isBlocked } from "../payments/decide-transfer.ts";
import { readTransferRows } from "../payments/incoming.store.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { decidePartial, missingUnits, type PartialDecision } from "./decide-partial.ts";
import { bidForDecision, revalueWaiting } from "./revalue-transfers.ts";

/** Funds at a deposit's address that are not credited to the wallet and can be refunded. */
export type Refundable = {
  readonly depositId: string;
  readonly walletId: string;
  readonly currency: CurrencyId | null;
  /** The refunded units of each payment. */
  readonly paidBack: ReadonlyMap<string, bigint>;
  /** Their sum. */
  readonly units: bigint;
  /** The payments whose remaining part is accepted, which makes the deposit Paid. Null if there is none. */
  readonly accepted: readonly string[] | null;
  /** The bid at which a decision revalues the kept part once its rate lock has expired; null: the values stay. */
  readonly bid: Rate | null;
  /** The sender of all of it; null when the chain names several senders or none. */
  readonly sender: string | null;
  /** Why it cannot be refunded now; null: it can. */
  readonly obstacle: string | null;
};

/** The funds on hold in a deposit. Null: the account has no such deposit. Rejects with noPermissionToView. */
export async function findUnresolvedFunds(
  db: Executor,
  principal: Principal,
  depositId: string,
): Promise<Refundable | null> {
  const found = await findWaiting(db, principal, depositId);
  if (found === null) return null;
  const { deposit, waiting } = found;
  return {
    depositId,
    walletId: deposit.walletId,
    currency: deposit.currency,
    ...moneyOf(waiting, wholeOf(waiting)),
    accepted: null,
    bid: null,
    obstacle: obstacleOf(deposit, waiting),
  };
}

export type PriceContext = {
  readonly db: Executor;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly findRate: FindRate;
};

/**
 * The refunded part of the funds on hold when `keepUnits` of the wallet's currency are kept (null: the missing part of the
 * requested amount). Null: the account has no such deposit.
 * Rejects with noPermissionToView, rateUnavailable.
 */
export async function findSurplusFunds(
  context: PriceContext,
  principal: Principal,
  depositId: string,
  keepUnits: bigint | null,
): Promise<Refundable | null> {
  const found = await findWaiting(context.db, principal, depositId);
  if (found === null) return null;
  const { deposit, payments } = found;
  const now = context.clock.now();
  const bid = await bidForDecision(context, { deposit, transfers: found.waiting }, now);
  const facts = { deposit, transfers: found.waiting };
  const waiting = revalueWaiting(facts, bid, now, context.currencies);
  const keep = keepUnits ?? missingUnits(deposit.targetAmountRequested, payments);
  const decision = keep === null ? null : decidePartial(waiting, keep);
  const paidBack = decision?.kind === "split" ? decision.paidBack : new Map<string, bigint>();
  return {
    depositId,
    walletId: deposit.walletId,
    currency: deposit.currency,
    ...moneyOf(waiting, paidBack),
    accepted: waiting.map(({ id }) => id),
    bid,
    obstacle: obstacleOf(deposit, waiting) ?? noSplit(decision),
  };
}

function noSplit(decision: PartialDecision | null): string | null {
  switch (decision?.kind) {
    case undefined:
      return "The deposit requested no amount. Enter the amount to keep.";
    case "keepsNothing":
      return "The requested amount was already received. Refund these payments instead.";
    case "keepsAll":
      return "That keeps the full amount. Accept the payments instead.";
    case "split":
      return null;
  }
}

type Waiting = {
  readonly deposit: Deposit;
  /** All payments that count, and those of them that are on hold. */
  readonly payments: readonly TransferRecord[];
  readonly waiting: readonly TransferRecord[];
};

async function findWaiting(
  db: Executor,
  principal: Principal,
  depositId: string,
): Promise<Waiting | null> {
  const deposit = await readDepositRow(db, principal.accountId, depositId);
  if (deposit === null) return null;
  assertMayView(principal, deposit, "deposit");
  const payments = await readTransferRows(db, [], [deposit]);
  return { deposit, payments, waiting: payments.filter(isUnresolved) };
}

/** A payment that screening has blocked. Null: the account has no such transfer of a deposit. Rejects with noPermissionToView. */
export async function findBlockedFunds(
  db: Executor,
  principal: Principal,
  transferId: string,
): Promise<Refundable | null> {
  const [transfer] = await readTransferRows(db, [transferId], []);
  if (transfer?.accountId !== principal.accountId) return null;
  assertMayView(principal, transfer, "transfer");
  const { depositId, walletId, currency } = transfer;
  return {
    depositId,
    walletId,
    currency,
    ...moneyOf([transfer], wholeOf([transfer])),
    accepted: null,
    bid: null,
    obstacle: isHeldByScreening(transfer) ? null : "The transfer is not blocked.",
  };
}

function obstacleOf(deposit: Deposit, waiting: readonly TransferRecord[]): string | null {
  if (deposit.status !== depositStatus.unresolved) {
    return "Only an Unresolved deposit can be resolved.";
  }
  if (waiting.length === 0) return "This deposit has no funds on hold.";
  return waiting.every((transfer) => transfer.isSettled) ? null : notFinal;
}

export const notFinal =
  "Some of these funds are not final yet. They can be refunded once they have the currency's required confirmations.";

/** Whether the transfer is on hold. */
export function isUnresolved(transfer: TransferRecord): boolean {
  return transfer.disposition === "unresolved";
}

/** Whether screening holds a payment; dust and other assets are never held. */
export function isHeldByScreening(transfer: TransferRecord): boolean {
  return transfer.disposition === "blocked" && isBlocked(transfer) && transfer.refund === null;
}

function wholeOf(transfers: readonly TransferRecord[]): ReadonlyMap<string, bigint> {
  return new Map(transfers.map(({ id, units }) => [id, units]));
}

function moneyOf(
  transfers: readonly TransferRecord[],
  paidBack: ReadonlyMap<string, bigint>,
): Pick<Refundable, "paidBack" | "units" | "sender"> {
  const senders = new Set(transfers.flatMap(({ from }) => from));
  const [sender = null] = senders;
  return {
    paidBack,
    units: [...paidBack.values()].reduce((sum, units) => sum + units, 0n),
    sender: senders.size === 1 ? sender : null,
  };
}
