import type { FreezeRates } from "../../currencies/rates/current-rate.ts";
import { worthInFiat } from "../../currencies/rates/fiat-price.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { recordNotices } from "../../notifications/record-notices.ts";
import { statedAmount } from "../../notifications/stated-amount.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { readMemberNames } from "../approve/approve.store.ts";
import { currentFiatPrice } from "../value-payouts.ts";
import { readShownRows } from "./payout-batch.store.ts";
import type { PayoutBatch } from "./payout-batch.ts";

type NoticeContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly freezeRates: FreezeRates;
};

/**
 * Notifies members of the payouts of a batch that wait for approval, in one notice, after an upload has created what it could. An upload
 * that is interrupted notifies nobody; the one that continues it does. The only creator of all of them is not notified, because another
 * member must approve them.
 */
export async function tellOfWaiting(
  context: NoticeContext,
  accountId: string,
  batch: Pick<PayoutBatch, "id" | "reference" | "walletId" | "currency">,
): Promise<void> {
  const { db, clock, currencies } = context;
  const findRate = await context.freezeRates();
  await db.transaction(async (tx) => {
    const waiting = (await readShownRows(tx, accountId, batch.id)).flatMap(({ payout }) =>
      payout?.state === "needs_approval" ? [payout] : [],
    );
    if (waiting.length === 0) return;
    const creators = [...new Set(waiting.map(({ createdByMemberId }) => createdByMemberId))];
    const names = await readMemberNames(tx, accountId, creators);
    const price = await currentFiatPrice(tx, { findRate }, { ...batch, accountId });
    const currency = currencies.get(batch.currency);
    const units = waiting.reduce((sum, payout) => sum + payout.units, 0n);
    const worth =
      price === null
        ? null
        : statedAmount(
            worthInFiat(units, currency, price, currencies),
            currencies.get(price.currency),
          );
    const notice = {
      audience: {
        accountId,
        walletId: batch.walletId,
        exceptMemberId: creators.length === 1 ? (creators[0] ?? null) : null,
      },
      event: {
        kind: "batch_approval",
        id: batch.id,
        reference: batch.reference,
        payouts: waiting.length,
        amount: statedAmount(units, currency),
        worth,
        by: creators.flatMap((id) => names.get(id)?.name ?? []).join(", "),
      },
      paidDepositId: null,
    } as const;
    await recordNotices(tx, [notice], clock.now());
  });
}
