import type { AvailabilityRow } from "../../currencies/availability-row.ts";
import type { Availability } from "../../currencies/decide-availability.ts";
import { type TermsRow, termsFromRow, termsInForce } from "../../ledger/commission.store.ts";
import type { CommissionTerms } from "../../ledger/commission.ts";
import { answersByPlace } from "../../platform/db/answers-by-place.ts";
import type { Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import {
  type DepositDefaults,
  depositDefaultColumns,
  depositDefaultsFromRow,
} from "./deposit-defaults.ts";

/** The stored facts that decide about a new deposit. */
export type CreationFacts = {
  readonly walletType: number;
  readonly walletCurrency: string;
  readonly walletStatus: number;
  readonly needsActivation: boolean;
  /** Payment currency: the requested one, by default the wallet's own unless it is a Merchant wallet. */
  readonly currency: string | null;
  readonly availability: Availability;
  readonly commissionTerms: CommissionTerms;
  readonly accountHelpEmail: string | null;
  readonly defaults: DepositDefaults;
};

export type FactsKey = {
  readonly accountId: string;
  readonly walletId: string;
  readonly currency: string | null;
};

type FactsRow = AvailabilityRow &
  TermsRow & {
    readonly place: string;
    readonly type: number;
    readonly wallet_currency: string;
    readonly status: number;
    readonly needs_activation: boolean;
    readonly currency: string | null;
    readonly help_email: string | null;
  } & Row;

const readFacts = statement<FactsRow>(
  "create.read-facts",
  `select input.place, w.type, w.currency as wallet_currency, w.status, w.needs_activation, wanted.currency,
     coalesce(s.is_disabled, false) as is_disabled, coalesce(s.is_unavailable, false) as is_unavailable,
     coalesce(s.is_unpaid, false) as is_unpaid, b.currency is not null as is_blocked,
     c.rate_ppm, c.fixed_units, c.minimum_units, account.help_email, ${depositDefaultColumns}
   from unnest($1::bigint[], $2::bigint[], $3::text[]) with ordinality as input (account_id, wallet_id, currency, place)
   join wallet w on w.account_id = input.account_id and w.id = input.wallet_id
   join account on account.id = w.account_id
   cross join lateral (
     select coalesce(input.currency, case when w.type <> 1 then w.currency end) as currency) as wanted
   left join currency_state s on s.currency = wanted.currency
   left join account_currency_block b on b.account_id = w.account_id and b.currency = wanted.currency
   left join lateral (${termsInForce("w.account_id", "wanted.currency", "'deposit'")}) as c on true`,
);

/**
 * Returns the facts in the order of the keys, with null if the account has no such wallet. `judge` returns whether a currency
 * can be paid in.
 */
export async function readCreationFacts(
  db: Executor,
  keys: readonly FactsKey[],
  judge: (currency: string | null, row: AvailabilityRow) => Availability,
): Promise<readonly (CreationFacts | null)[]> {
  const rows = await db.query(readFacts, [
    keys.map((key) => key.accountId),
    keys.map((key) => key.walletId),
    keys.map((key) => key.currency),
  ]);
  return answersByPlace(keys, rows, (row) => (row === null ? null : factsFromRow(row, judge)));
}

function factsFromRow(
  row: FactsRow,
  judge: (currency: string | null, row: AvailabilityRow) => Availability,
): CreationFacts {
  return {
    walletType: row.type,
    walletCurrency: row.wallet_currency,
    walletStatus: row.status,
    needsActivation: row.needs_activation,
    currency: row.currency,
    availability: judge(row.currency, row),
    commissionTerms: termsFromRow(row),
    accountHelpEmail: row.help_email,
    defaults: depositDefaultsFromRow(row),
  };
}
