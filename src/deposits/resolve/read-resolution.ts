import { assertMayView } from "../../accounts/assert-may-view.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import type { Rate } from "../../platform/kernel/rate.ts";
import { Rejected } from "../../platform/kernel/rejection.ts";
import type { Deposit } from "../deposit.ts";
import { readDepositRow } from "../deposit-list.store.ts";
import { isBlocked } from "../payments/decide-transfer.ts";
import { readTransferRows } from "../payments/incoming.store.ts";
import { type TransferRecord, unrefundedPart } from "../transfers/transfer.ts";
import { missingUnits } from "./decide-partial.ts";
import { isUnresolved } from "./refundable.ts";
import { bidForDecision, revaluedFrom, revalueWaiting } from "./revalue-transfers.ts";

/** What accepting the funds on hold in a deposit would credit now, and what earlier decisions refunded and kept. */
export type Resolution = {
  readonly deposit: Deposit;
  /** Units of the wallet's currency, after commission. Null if nothing is on hold or there is no fresh price. */
  readonly creditedUnits: bigint | null;
  /** Their value before commission, at which `partial` splits them; null as above. */
  readonly heldUnits: bigint | null;
  /** The missing part of the requested amount, which `partial` keeps; null without a requested amount. */
  readonly missingUnits: bigint | null;
  /** Null: the funds on hold keep their own value. */
  readonly rate: Rate | null;
  /** When `accept` starts to use the current price; null if never. */
  readonly revaluedFrom: Instant | null;
  /** Of the confirmed payments that were decided on, in units of the wallet's currency at their own price, before commission. */
  readonly refundedUnits: bigint;
  readonly keptUnits: bigint;
};

/** Null: the account has no such deposit. Rejects with noPermissionToView. */
export async function readResolution(
  context: {
    readonly db: Executor;
    readonly clock: Clock;
    readonly currencies: CurrencyRegistry;
    readonly findRate: FindRate;
  },
  principal: Principal,
  id: string,
): Promise<Resolution | null> {
  const deposit = await readDepositRow(context.db, principal.accountId, id);
  if (deposit === null) return null;
  assertMayView(principal, deposit, "deposit");
  const now = context.clock.now();
  const all = await readTransferRows(context.db, [], [deposit]);
  const transfers = all.filter(isUnresolved);
  const ends = transfers.flatMap((transfer) => revaluedFrom(transfer, deposit) ?? []);
  const none = {
    deposit,
    creditedUnits: null,
    heldUnits: null,
    missingUnits: missingUnits(deposit.targetAmountRequested, all),
    rate: null,
    revaluedFrom: ends.toSorted((a, b) => a - b)[0] ?? null,
    ...decidedUnits(all),
  };
  if (transfers.length === 0) return none;
  try {
    const rate = await bidForDecision(context, { deposit, transfers }, now);
    const valued = revalueWaiting({ deposit, transfers }, rate, now, context.currencies);
    const creditedUnits = valued.reduce(
      (sum, { targetUnits, targetCommissionUnits }) => sum + targetUnits - targetCommissionUnits,
      0n,
    );
    const heldUnits = valued.reduce((sum, { targetUnits }) => sum + targetUnits, 0n);
    return { ...none, creditedUnits, heldUnits, rate };
  } catch (error) {
    if (error instanceof Rejected) return none;
    throw error;
  }
}

/** Refunds in force and what was credited, of payments that count as received: both add up to the decided part of the amount received. */
function decidedUnits(
  transfers: readonly TransferRecord[],
): Pick<Resolution, "refundedUnits" | "keptUnits"> {
  let [refundedUnits, keptUnits] = [0n, 0n];
  for (const transfer of transfers) {
    const isDecided = transfer.disposition === "refunded" || transfer.disposition === "credited";
    if (!isDecided || isBlocked(transfer)) continue;
    const kept = unrefundedPart(transfer).targetUnits;
    keptUnits += kept;
    refundedUnits += transfer.targetUnits - kept;
  }
  return { refundedUnits, keptUnits };
}
