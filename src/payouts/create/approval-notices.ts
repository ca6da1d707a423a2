import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Notice } from "../../notifications/notice.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { readMemberNames } from "../approve/approve.store.ts";
import type { Payout } from "../payout.ts";
import { payoutNotice } from "../payout-notice.ts";
import { findPayoutFiat } from "../value-payouts.ts";
import { readRecipientNames } from "./recipient-names.store.ts";

/**
 * What members are notified of new payouts that need approval, each with the names of its receiver and its creator, and its value in the
 * account's fiat currency (`fiatOf`) now. It is valued permanently when it is approved.
 */
export async function approvalNotices(
  tx: Executor,
  waiting: readonly { readonly payout: Payout; readonly findRate: FindRate }[],
  fiatOf: ReadonlyMap<string, CurrencyId>,
  currencies: CurrencyRegistry,
): Promise<readonly Notice[]> {
  if (waiting.length === 0) return [];
  const prices = await findPayoutFiat(waiting, fiatOf);
  const payouts = waiting.map(({ payout }) => payout);
  const names = await readRecipientNames(tx, payouts);
  const creators = await readCreators(tx, payouts);
  return payouts.map((payout, index) => {
    const price = prices.get(payout.id)?.amount ?? null;
    const by = creators.get(payout.createdByMemberId)?.name ?? null;
    return payoutNotice(
      "payout_approval",
      payout,
      price,
      { recipient: names[index] ?? null, by },
      currencies,
    );
  });
}

/** The members who created the payouts, by id. */
async function readCreators(tx: Executor, payouts: readonly Payout[]) {
  const accounts = Map.groupBy(payouts, ({ accountId }) => accountId);
  const found = await Promise.all(
    [...accounts].map(([accountId, own]) =>
      readMemberNames(
        tx,
        accountId,
        own.map(({ createdByMemberId }) => createdByMemberId),
      ),
    ),
  );
  return new Map(found.flatMap((members) => [...members]));
}
