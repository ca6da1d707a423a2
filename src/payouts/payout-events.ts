import type { NewEvent } from "../callbacks/events/new-event.ts";
import { currencyResource } from "../currencies/currency-resource.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { PayoutTransfer } from "../deposits/transfers/transfer.ts";
import { transferResource } from "../deposits/transfers/transfer-resource.ts";
import type { Notice } from "../notifications/notice.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { Payout } from "./payout.ts";
import { payoutNotice } from "./payout-notice.ts";
import { payoutResource } from "./payout-resource.ts";

export type PayoutTrigger = "confirmed" | "settled" | "failed" | "blocked" | "reversed";

/**
 * The callbacks of a change: confirmed at the client's count, settled at the currency's own count (one callback if
 * they are equal), failed with funds released, blocked by screening or policy, reversed by a reorg after a callback.
 * `before` is null for a new payout.
 */
export function payoutTriggers(
  before: Payout | null,
  after: Payout,
  ownCount: number,
): readonly PayoutTrigger[] {
  const triggers: PayoutTrigger[] = [];
  const isAgain = before === null || after.revision > before.revision;
  if (before !== null && isReversal(before, after)) triggers.push("reversed");
  const wasConfirmed = before?.isConfirmed === true && !(isAgain && after.block !== null);
  if (after.isConfirmed && !wasConfirmed) triggers.push("confirmed");
  const isSettled = after.stage === "confirmed";
  const wasSettled = before?.stage === "confirmed" && !isAgain;
  const isReportedSeparately =
    after.confirmationsNeeded !== null && after.confirmationsNeeded !== ownCount;
  if (isSettled && !wasSettled && isReportedSeparately) triggers.push("settled");
  if (after.stage === "failed" && before?.stage !== "failed") triggers.push("failed");
  if (after.stage === "blocked" && before?.stage !== "blocked") triggers.push("blocked");
  return triggers;
}

/** A confirmed payout lost its block, or a failed payout did not fail after all. */
function isReversal(before: Payout, after: Payout): boolean {
  if (before.stage === "failed") return after.stage !== "failed";
  const wasTold = before.isConfirmed || before.stage === "confirmed";
  return wasTold && before.block !== null && before.block.hash !== after.block?.hash;
}

/** The events of a change, each with the payout, its currency and its transfer after the change. `recipient` is the receiver's name; null without one. */
export function payoutEvents(
  change: { readonly before: Payout | null; readonly after: Payout },
  transfer: PayoutTransfer,
  currencies: CurrencyRegistry,
  tipHeight: number | null,
  recipient: string | null,
  now: Instant,
): readonly NewEvent[] {
  const { before, after } = change;
  const ownCount = currencies.get(after.currency).confirmationBlocks;
  return payoutTriggers(before, after, ownCount).map((trigger) => ({
    accountId: after.accountId,
    objectType: "payout",
    objectId: after.id,
    transferId: after.transferId,
    trigger,
    key: `payout:${after.id}:${trigger}:${after.revision}`,
    payload: payloadFor(after, transfer, currencies, tipHeight),
    callbackUrl: after.callbackUrl,
    endpoints: "selecting",
    credentialId: after.createdByCredentialId,
    createdAt: now,
    notice: noticeOf(trigger, after, recipient, currencies),
  }));
}

function noticeOf(
  trigger: PayoutTrigger,
  payout: Payout,
  recipient: string | null,
  currencies: CurrencyRegistry,
): Notice | null {
  if (!isNotified(trigger)) return null;
  const kind = trigger === "blocked" ? "payout_held" : "payout_failed";
  return payoutNotice(kind, payout, null, { recipient, by: null }, currencies);
}

function isNotified(trigger: PayoutTrigger): boolean {
  return trigger === "blocked" || trigger === "failed";
}

/** Whether members are notified of a change, so that the receiver's name is needed. */
export function isChangeNotified(
  { before, after }: { readonly before: Payout; readonly after: Payout },
  currencies: CurrencyRegistry,
): boolean {
  const ownCount = currencies.get(after.currency).confirmationBlocks;
  return payoutTriggers(before, after, ownCount).some(isNotified);
}

function payloadFor(
  payout: Payout,
  transfer: PayoutTransfer,
  currencies: CurrencyRegistry,
  tipHeight: number | null,
): NewEvent["payload"] {
  const data = payoutResource(payout, currencies);
  return {
    data: {
      ...data,
      relationships: {
        ...data.relationships,
        transfer: { data: { type: "transfer", id: transfer.id } },
      },
    },
    included: [
      currencyResource(currencies.get(payout.currency)),
      transferResource(transfer, currencies, tipHeight),
    ],
  };
}
