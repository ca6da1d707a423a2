import type { Database } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { operatorAccountId, systemAccount } from "./ledger-account.ts";
import { post } from "./post.ts";
import { postingsBetween } from "./posting.ts";
import { lockDifference, settleDifference } from "./reconcile.store.ts";

/**
 * Records the difference of the last reconciliation as the operator's gain or loss, once its cause is understood: a
 * killed node contradicts its own blocks, or someone moved funds manually. Resolves with the units added to the
 * ledger (negative: removed), or 0 if nothing differed. The next reconciliation shows whether a difference remains. With `gainMost` nobody
 * was asked: then only a gain of at most so much is recorded.
 */
export function adjustBooks(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  chain: string,
  currency: CurrencyId,
  gainMost: bigint | null = null,
): Promise<bigint> {
  return db.transaction(async (tx) => {
    const found = await lockDifference(tx, chain, currency);
    if (found === null) return 0n;
    const units = found.chainUnits - found.ledgerUnits;
    if (gainMost !== null && (units <= 0n || units > gainMost)) return 0n;
    const now = clock.now();
    await post(
      tx,
      [
        {
          accountId: operatorAccountId,
          cause: `${gainMost === null ? "adjustment" : "gain"}:${chain}:${found.height}`,
          postings: postingsBetween(
            [],
            [
              { account: systemAccount("chain", currency), currency, units },
              { account: systemAccount("equity", currency), currency, units: -units },
            ],
          ),
        },
      ],
      now,
    );
    await settleDifference(tx, chain, currency);
    return units;
  });
}
