import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Payout } from "../payout.ts";

const insert = statement<never>(
  "credit-wallet.insert-top-up",
  `insert into transfer (
     account_id, op_type, status, wallet_id, payout_id, currency, units, cleared_units, fee_currency, chain,
     first_seen_at, disposition, is_confirmed, confirmed_at, is_settled, created_at, updated_at)
   values ($1, 14, 2, $2, $3, $4, $5, $5, $4, $6, $7, 'payout', true, $7, true, $7, $7)`,
);

/** Inserts the transfer (op_type 14) that shows an internal payout in the receiving wallet. */
export async function insertTopUp(
  tx: Executor,
  payout: Payout,
  credited: {
    readonly walletId: string;
    readonly currency: CurrencyId;
    readonly units: bigint;
  },
  now: Instant,
): Promise<void> {
  const { walletId, currency, units } = credited;
  const { accountId, id, chain } = payout;
  await tx.query(insert, [accountId, walletId, id, currency, units, chain, formatTimestamp(now)]);
}
