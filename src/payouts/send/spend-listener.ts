import type { PaymentOutcome } from "../../chains/port.ts";
import { amountText } from "../../currencies/amount-text.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { ApprovedPayout, PayoutIntent } from "../../signer/intent.ts";
import { currentTxid, type Spend } from "../../treasury/spends/spend.ts";
import type { SpendListener, SpendsHandler } from "../../treasury/spends/spend-listener.ts";
import { refusalOf } from "../../treasury/spends/spend-transitions.ts";
import { changePayouts, type PayoutContext } from "../change-payouts.ts";
import { type Payout, payoutStatus } from "../payout.ts";
import { findPayoutsOfSpends } from "./send.store.ts";

/** Updates payouts when the spends that carry them change. */
export function createPayoutListener(context: PayoutContext): SpendListener {
  const onSpend =
    (apply: (payout: Payout, spend: Spend, carried: number) => Payout): SpendsHandler =>
    (tx, spends, now) =>
      enter(tx, context, spends, apply, now);
  return {
    adopted: async (tx, spend, payoutIds, now) => {
      await changePayouts(tx, context, payoutIds, (payout) => adopt(payout, spend), now);
    },
    broadcast: onSpend((payout, spend) =>
      payout.stage === "sending" ? { ...payout, txid: currentTxid(spend) } : payout,
    ),
    included: (tx, spends, now) =>
      enter(
        tx,
        context,
        spends,
        (payout, spend) =>
          payout.stage === "sending" && outcomeOf(payout, spend) === "made"
            ? {
                ...payout,
                stage: "included",
                spendId: spend.id,
                ...place(spend),
                message: deliveryNote(context.currencies, payout, spend),
              }
            : payout,
        now,
        tipsOf(spends),
      ),
    // Counted from the payout's own block, since its client may have chosen another count than the currency's.
    confirmed: onSpend((payout, spend) =>
      payout.stage === "sending" && outcomeOf(payout, spend) === "refused"
        ? {
            ...payout,
            stage: "failed",
            ...place(spend),
            message: deliveryNote(context.currencies, payout, spend) ?? refused,
          }
        : payout,
    ),
    failed: onSpend((payout, spend) => {
      if (payout.stage !== "sending") return payout;
      if (outcomeOf(payout, spend) === "undone" && canPayAgain(spend))
        return { ...payout, stage: "held", txid: null, message: null };
      const note = deliveryNote(context.currencies, payout, spend);
      const reason = spend.inclusion?.payments === undefined ? reverted : refused;
      return { ...payout, stage: "failed", ...place(spend), message: note ?? reason };
    }),
    dropped: onSpend(drop),
    dead: onSpend((payout, spend) =>
      payout.stage === "sending"
        ? {
            ...payout,
            stage: "failed",
            txid: null,
            message:
              spend.expiredBy === null
                ? "Another transaction spent the coins that funded this payout"
                : "The network did not include the transaction before it expired",
          }
        : payout,
    ),
    orphaned: onSpend((payout, spend) =>
      payout.stage === "included" ||
      payout.stage === "confirmed" ||
      payout.stage === "failed" ||
      (payout.stage === "held" && payout.spendId === spend.id)
        ? {
            ...payout,
            stage: "sending",
            block: null,
            txid: currentTxid(spend),
            message: null,
          }
        : payout,
    ),
  };
}

async function enter(
  tx: Executor,
  context: PayoutContext,
  spends: readonly Spend[],
  apply: (payout: Payout, spend: Spend, carried: number) => Payout,
  now: Instant,
  tips?: ReadonlyMap<string, number>,
): Promise<void> {
  const byId = new Map(
    spends.filter(({ kind }) => kind === "payout").map((spend) => [spend.id, spend]),
  );
  const carried = await findPayoutsOfSpends(tx, [...byId.keys()]);
  const counts = Map.groupBy(carried, ({ spendId }) => spendId);
  const paying = new Map(carried.map(({ id, spendId }) => [id, byId.get(spendId)]));
  for (const spend of byId.values()) {
    for (const id of paidBy(spend)) paying.set(id, spend);
  }
  await changePayouts(
    tx,
    context,
    [...paying.keys()],
    (payout) => {
      const spend = paying.get(payout.id);
      return spend === undefined ? payout : apply(payout, spend, counts.get(spend.id)?.length ?? 0);
    },
    now,
    tips,
  );
}

const reverted = "The chain reverted the transaction";
const refused = "The chain refused this payment";

/** What became of the payout's payment in a block; its spend may have made others. */
function outcomeOf(payout: Payout, { inclusion, purpose }: Spend): PaymentOutcome {
  assert(inclusion !== null, `the spend of payout ${payout.id} is not in a block`);
  const shared = inclusion.hasSucceeded ? "made" : "refused";
  const place = paidInOrder(purpose).indexOf(payout.id);
  return inclusion.payments?.[place] ?? shared;
}

/** The ids of a spend's payouts in the order of its payments, where it makes several. */
function paidInOrder({ payouts, payoutIds }: Spend["purpose"]): readonly string[] {
  // An adopted spend stores what it was signed for, of which the database may have lost some.
  if (Array.isArray(payouts)) return (payouts as unknown as PayoutIntent[]).map(idOf);
  return Array.isArray(payoutIds) ? (payoutIds as string[]) : [];
}

function idOf({ payoutId }: PayoutIntent): string {
  return payoutId;
}

/** Whether the transaction that failed left numbers of its claims, with which what it undid can be paid again (`pay-again.ts`). */
function canPayAgain({ attempts, inclusion }: Spend): boolean {
  const mined = attempts.find(({ number }) => number === inclusion?.attempt);
  return mined !== undefined && mined.draft.claims.length > 1;
}

/**
 * The height up to which included payouts are counted for now, by chain: at most their own block, since a deeper
 * count requires that the outcome was read again (`confirmed`).
 */
function tipsOf(spends: readonly Spend[]): ReadonlyMap<string, number> {
  const tips = new Map<string, number>();
  for (const { chain, inclusion, dueHeight } of spends) {
    const known = tips.get(chain) ?? Number.POSITIVE_INFINITY;
    const beforeDue = (dueHeight ?? Number.POSITIVE_INFINITY) - 1;
    tips.set(chain, Math.min(known, present(inclusion, "the block").height, beforeDue));
  }
  return tips;
}

/** Payouts that an adopted, successful spend pays, even if another signed spend carried them until now. */
function paidBy({ inclusion, purpose }: Spend): readonly string[] {
  const ids = purpose["payoutIds"];
  return inclusion?.hasSucceeded === true && Array.isArray(ids) ? (ids as string[]) : [];
}

/**
 * Returns a payout to `held`. If the signer refused a spend of this payout alone, it is blocked; with several
 * payouts, each has to be tried alone first. A spend that was to pay again what another undid is tried again, unless the signer
 * refused it: nothing else can pay these payouts.
 */
function drop(payout: Payout, spend: Spend, carried: number): Payout {
  if (payout.stage !== "sending") return payout;
  const refusal = refusalOf(spend);
  const { undoneBy } = spend.purpose;
  if (typeof undoneBy === "string") {
    const back = { ...payout, spendId: undoneBy, txid: null };
    return refusal === null
      ? { ...back, stage: "held" }
      : { ...back, stage: "failed", message: `The signer rejected this payout: ${refusal}` };
  }
  const freed = { ...payout, spendId: null, txid: null };
  return refusal === null || carried > 1
    ? { ...freed, stage: "held" }
    : { ...freed, stage: "blocked", message: `The signer rejected this payout: ${refusal}` };
}

/**
 * The payout is signed, so its funds are on the way whatever the database recorded. A payout that another signed
 * spend carries stays with it until a block decides: both share a claim, or the signer would have refused the second.
 */
function adopt(payout: Payout, spend: Spend): Payout {
  assert(!payout.isInternal, `payout ${payout.id} was signed, and paid internally`);
  const isFree = ["failed", "blocked", "held"].includes(payout.stage);
  if (payout.spendId !== null && !isFree) return payout;
  return {
    ...payout,
    stage: "sending",
    status: payoutStatus.approved,
    approval: payout.approval ?? approvalIn(spend, payout.id),
    spendId: spend.id,
    txid: currentTxid(spend),
    block: null,
    message: null,
  };
}

/** The approval with which the payout was signed: a restored database may know it as waiting. Null if only a chain named the transaction. */
function approvalIn({ purpose: { payouts } }: Spend, payoutId: string): Uint8Array | null {
  if (!Array.isArray(payouts)) return null;
  const own = (payouts as unknown as ApprovedPayout[]).find((one) => one.payoutId === payoutId);
  return own === undefined ? null : Buffer.from(own.approval, "base64");
}

/** A note for people about what the token contract moved instead of the requested amount; null if it moved exactly that. */
function deliveryNote(
  currencies: CurrencyRegistry,
  payout: Payout,
  { inclusion, purpose }: Spend,
): string | null {
  const at = paidInOrder(purpose).indexOf(payout.id);
  const own = inclusion?.deliveries?.find((one) => one.place === at);
  const delivery = own ?? inclusion?.delivery ?? null;
  if (delivery === null) return null;
  const text = (units: bigint): string => amountText(units, currencies.get(delivery.currency));
  const { requestedUnits, receivedUnits, sentUnits } = delivery;
  return `The token's contract delivered ${text(receivedUnits)} of ${text(requestedUnits)} to the receiver and debited ${text(sentUnits)}`;
}

/** The transaction and block of an included spend. */
function place(spend: Spend): Pick<Payout, "txid" | "block"> {
  const { inclusion } = spend;
  assert(inclusion !== null, `spend ${spend.id} is not in a block`);
  return { txid: currentTxid(spend), block: { height: inclusion.height, hash: inclusion.hash } };
}
