import type { Database } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { operatorAccountId, systemAccount } from "./ledger-account.ts";
import { post } from "./post.ts";
import { postingsBetween } from "./posting.ts";
import { lockDifference, settleDifference } from "./reconcile.store.ts";

/**
 * Books what the last comparison found different as the operator's own gain or loss, once somebody has understood it: a node
 * that was killed contradicts its own blocks, money was moved by hand. Resolves with the units added to the books (negative:
 * taken), 0 where nothing differed. The next comparison says whether that was all.
 */
export function adjustBooks(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  chain: string,
  currency: CurrencyId,
): Promise<bigint> {
  return db.transaction(async (tx) => {
    const found = await lockDifference(tx, chain, currency);
    if (found === null) return 0n;
    const units = found.chainUnits - found.ledgerUnits;
    const now = clock.now();
    await post(
      tx,
      [
        {
          accountId: operatorAccountId,
          cause: `adjustment:${chain}:${found.height}`,
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
