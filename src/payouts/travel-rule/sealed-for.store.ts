import type { Role } from "../../accounts/principal.ts";
import { type Executor, statement } from "../../platform/db/database.ts";

type SealedFor = { readonly travelRuleSealed: Uint8Array; readonly role: Role };

const read = statement<SealedFor>(
  "sealed-for.read",
  `select p.travel_rule_sealed as "travelRuleSealed", m.role
   from payout p join member m on m.account_id = p.account_id and m.id = $2
   where p.account_id = $1 and p.id = $3`,
);

/** A payout's sealed travel-rule data, and the role of the member who may be shown them; null if the account has no such payout. */
export async function readSealedFor(
  db: Executor,
  { accountId, memberId }: { readonly accountId: string; readonly memberId: string },
  payoutId: string,
): Promise<SealedFor | null> {
  const [row] = await db.query(read, [accountId, memberId, payoutId]);
  return row ?? null;
}
