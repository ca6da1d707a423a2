import type { Principal } from "../../accounts/principal.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import { worthInFiat } from "../../currencies/rates/fiat-price.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Notice } from "../../notifications/notice.ts";
import { statedAmount } from "../../notifications/stated-amount.ts";
import type { Executor } from "../../platform/db/database.ts";
import { readMemberNames } from "../approve/approve.store.ts";
import { currentFiatPrice } from "../value-payouts.ts";
import type { PayoutBatch } from "./payout-batch.ts";

/**
 * What members are notified of a new batch whose payouts wait for approval: one notice, written with the batch, so that an interrupted upload
 * loses none. `principal` creates it and is not notified, because another member must approve it.
 */
export async function batchNotice(
  tx: Executor,
  { currencies, findRate }: { readonly currencies: CurrencyRegistry; readonly findRate: FindRate },
  { accountId, memberId }: Principal,
  batch: Pick<
    PayoutBatch,
    "id" | "reference" | "walletId" | "currency" | "rowCount" | "totalUnits"
  >,
): Promise<Notice> {
  const names = await readMemberNames(tx, accountId, [memberId]);
  const price = await currentFiatPrice(tx, { findRate }, { ...batch, accountId });
  const currency = currencies.get(batch.currency);
  const worth =
    price === null
      ? null
      : statedAmount(
          worthInFiat(batch.totalUnits, currency, price, currencies),
          currencies.get(price.currency),
        );
  return {
    audience: { accountId, walletId: batch.walletId, exceptMemberId: memberId },
    event: {
      kind: "batch_approval",
      id: batch.id,
      reference: batch.reference,
      payouts: batch.rowCount,
      amount: statedAmount(batch.totalUnits, currency),
      worth,
      by: names.get(memberId)?.name ?? "",
    },
    paidDepositId: null,
  };
}
