import { present } from "../../../src/platform/kernel/assert.ts";
import type { Resource } from "./api-client.ts";
import type { TestSite } from "./test-site.ts";

/** What a cause moved in the ledger, units by account, debits positive. */
export async function bookedFor(
  { sql }: TestSite,
  cause: string,
): Promise<Readonly<Record<string, bigint>>> {
  const rows = await sql<{ readonly account: string; readonly units: bigint }>(
    `select account, sum(units) as units from (
       select debit as account, units from posting where cause = $1
       union all select credit, -units from posting where cause = $1) as side
     group by account having sum(units) <> 0`,
    [cause],
  );
  return Object.fromEntries(rows.map(({ account, units }) => [account, units]));
}

/** Whether money was ever pending in a wallet: where blocks arrive automatically, it may be credited before the first read. */
export async function wasPending({ sql }: TestSite, wallet: string): Promise<boolean> {
  const rows = await sql("select from posting where $1 in (debit, credit) limit 1", [
    `wallet/${wallet}/pending`,
  ]);
  return rows.length > 0;
}

/** The transaction of ours that pays a payout, by its name in the ledger. */
export async function spendOf({ sql }: TestSite, { id }: Resource): Promise<string> {
  const [row] = await sql<{ readonly spend: string }>(
    "select spend_id as spend from payout where id = $1 and spend_id is not null",
    [id],
  );
  return `spend:${present(row, `what pays payout ${id}`).spend}`;
}
