import type { AccountCharge, BlockRef } from "../../chains/port.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

export type BookedCharge = Pick<AccountCharge, "txid" | "amount">;

type ChargeColumns = {
  readonly txid: string;
  readonly currency: string;
  readonly units: bigint;
};

const columns = "txid, currency, units";

const includeStatement = statement<ChargeColumns>(
  "account-charge.include",
  `insert into account_charge as known (chain, txid, currency, units, block_height, block_hash, created_at)
   select $1::text, found.*, $2::bigint, $3::text, $4::timestamptz
   from unnest($5::text[], $6::text[], $7::numeric[]) as found
   on conflict (chain, txid) do update
     set block_height = excluded.block_height, block_hash = excluded.block_hash, units = excluded.units,
       currency = excluded.currency
     where known.block_height is null
   returning ${columns}`,
);

/** Stores the charges of a block; returns those that were in no block before. */
export async function includeCharges(
  tx: Executor,
  chain: string,
  block: BlockRef,
  charges: readonly BookedCharge[],
  now: Instant,
): Promise<readonly BookedCharge[]> {
  if (charges.length === 0) return [];
  const rows = await tx.query(includeStatement, [
    ...[chain, block.height, block.hash, formatTimestamp(now)],
    charges.map(({ txid }) => txid),
    charges.map(({ amount }) => amount.currency),
    charges.map(({ amount }) => amount.units),
  ]);
  return rows.map(chargeFromRow);
}

const orphanStatement = statement<ChargeColumns>(
  "account-charge.orphan",
  `update account_charge set block_height = null, block_hash = null
   where chain = $1 and block_height = $2
   returning ${columns}`,
);

/** Removes the block at this height from its charges; returns these. */
export async function orphanCharges(
  tx: Executor,
  chain: string,
  height: number,
): Promise<readonly BookedCharge[]> {
  return (await tx.query(orphanStatement, [chain, height])).map(chargeFromRow);
}

function chargeFromRow({ currency, txid, units }: ChargeColumns): BookedCharge {
  return { txid, amount: { units, currency: currency as CurrencyId } };
}
