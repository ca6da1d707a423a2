import { type TermsRow, termsFromRow, termsInForce } from "../../src/ledger/commission.store.ts";
import type { CommissionDirection, CommissionTerms } from "../../src/ledger/commission.ts";
import { type Executor, statement } from "../../src/platform/db/database.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";

const none = { rate_ppm: null, fixed_units: null, minimum_units: null };
const find = statement<TermsRow>("commission.find", termsInForce("$1", "$2", "$3"));

/** The commission terms that apply to an account's deposits or payouts in a currency. */
export async function findCommissionTerms(
  db: Executor,
  accountId: string,
  currency: CurrencyId,
  direction: CommissionDirection,
): Promise<CommissionTerms> {
  const [row = none] = await db.query(find, [accountId, currency, direction]);
  return termsFromRow(row);
}
