import { type Executor, statement } from "../platform/db/database.ts";
import { sealedColumn } from "../platform/db/sealed-column.ts";
import type { Deposit } from "./deposit.ts";

/**
 * The purpose to which a deposit's travel-rule data is sealed: the deposit, identified by its payment page's id, which is known
 * before the row exists.
 */
export function travelRuleContext(paymentPageId: string): string {
  return `deposit/${paymentPageId}/travel-rule`;
}

/** The sealed columns of deposits. */
export const depositSealedColumns = [
  sealedColumn({
    table: "deposit",
    column: "travel_rule_sealed",
    key: "payment_page_id",
    keyType: "uuid",
    context: travelRuleContext,
  }),
];

const readSealed = statement<{ readonly sealed: Uint8Array | null }>(
  "deposit.read-travel-rule",
  "select travel_rule_sealed as sealed from deposit where account_id = $1 and id = $2",
);

/** A deposit's sealed travel-rule data; null without any. */
export async function readSealedTravelRule(
  db: Executor,
  { accountId, id }: Pick<Deposit, "accountId" | "id">,
): Promise<Uint8Array | null> {
  const [row] = await db.query(readSealed, [accountId, id]);
  return row?.sealed ?? null;
}
