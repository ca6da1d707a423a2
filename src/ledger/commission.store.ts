import { type Executor, statement } from "../platform/db/database.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import type { CommissionDirection, CommissionTerms } from "./commission.ts";

/** Columns of `termsInForce`; all null after a left join without a match. */
export type TermsRow = {
  readonly rate_ppm: number | null;
  readonly fixed_units: bigint | null;
  readonly minimum_units: bigint | null;
};

/**
 * SQL of the terms in force, at most one row. The most specific terms win: account and currency, account, currency,
 * everyone. The arguments are SQL expressions.
 */
export function termsInForce(account: string, currency: string, direction: string): string {
  return `select t.rate_ppm, t.fixed_units, t.minimum_units from commission_terms t
     where t.direction = ${direction} and (t.account_id = ${account} or t.account_id is null)
       and (t.currency = ${currency} or t.currency is null)
     order by t.account_id is null, t.currency is null limit 1`;
}

const findUncovered = statement<{ readonly currency: CurrencyId }>(
  "commission.find-uncovered",
  `select distinct asked.currency
   from unnest($1::text[]) as asked (currency)
   cross join (select null::bigint as id union select account_id from commission_terms) as account
   left join lateral (${termsInForce("account.id", "asked.currency", "'payout'")}) as terms on true
   where coalesce(terms.fixed_units, 0) = 0 and coalesce(terms.minimum_units, 0) = 0
   order by asked.currency`,
);

/** The given currencies in which some account pays out without a fixed or minimum commission. */
export async function findUncoveredPayouts(
  db: Executor,
  currencies: readonly CurrencyId[],
): Promise<readonly CurrencyId[]> {
  return (await db.query(findUncovered, [currencies])).map(({ currency }) => currency);
}

const save = statement(
  "commission.save",
  `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (account_id, currency, direction) do update
   set rate_ppm = excluded.rate_ppm, fixed_units = excluded.fixed_units, minimum_units = excluded.minimum_units`,
);

/** Without terms in force there is no commission. */
export function termsFromRow(row: TermsRow): CommissionTerms {
  return {
    ratePpm: row.rate_ppm ?? 0,
    fixedUnits: row.fixed_units ?? 0n,
    minimumUnits: row.minimum_units ?? 0n,
  };
}

/** Sets commission terms; a null account or currency applies to all. Only the percentage may be set without a currency. */
export async function saveCommissionTerms(
  db: Executor,
  scope: {
    readonly accountId: string | null;
    readonly currency: CurrencyId | null;
    readonly direction: CommissionDirection;
  },
  terms: CommissionTerms,
): Promise<void> {
  const { accountId, currency, direction } = scope;
  const { ratePpm, fixedUnits, minimumUnits } = terms;
  await db.query(save, [accountId, currency, direction, ratePpm, fixedUnits, minimumUnits]);
}
