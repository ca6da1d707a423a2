import { type Executor, statement } from "../platform/db/database.ts";
import type { AvailabilityRow } from "./availability-row.ts";
import type { CurrencyState } from "./decide-availability.ts";

export type CurrencyStateRow = AvailabilityRow & { readonly currency: string };

const read = statement<CurrencyStateRow>(
  "currency-state.read",
  `select wanted.currency,
     coalesce(state.is_disabled, false) as is_disabled,
     coalesce(state.is_unavailable, false) as is_unavailable,
     coalesce(state.is_unpaid, false) as is_unpaid,
     block.currency is not null as is_blocked
   from unnest($2::text[]) as wanted (currency)
   left join currency_state state on state.currency = wanted.currency
   left join account_currency_block block on block.account_id = $1 and block.currency = wanted.currency`,
);

const save = statement(
  "currency-state.save",
  `insert into currency_state (currency, is_disabled, is_unavailable, is_unpaid) values ($1, $2, $3, $4)
   on conflict (currency) do update set is_disabled = excluded.is_disabled,
     is_unavailable = excluded.is_unavailable, is_unpaid = excluded.is_unpaid`,
);

const block = statement(
  "currency-state.block",
  `insert into account_currency_block (account_id, currency) values ($1, $2) on conflict do nothing`,
);

const unblock = statement(
  "currency-state.unblock",
  `delete from account_currency_block where account_id = $1 and currency = $2`,
);

/** Returns one row per requested currency, even if no flag was ever set. */
export function readCurrencyStates(
  db: Executor,
  accountId: string,
  currencies: readonly string[],
): Promise<readonly CurrencyStateRow[]> {
  return db.query(read, [accountId, currencies]);
}

/** Sets the flags that apply to every account. */
export async function saveCurrencyState(
  db: Executor,
  currency: string,
  state: CurrencyState,
): Promise<void> {
  await db.query(save, [currency, state.isDisabled, state.isUnavailable, state.isUnpaid]);
}

/** Makes a currency unavailable (6015) or available for one account. */
export async function saveAccountCurrencyBlock(
  db: Executor,
  accountId: string,
  currency: string,
  isBlocked: boolean,
): Promise<void> {
  await db.query(isBlocked ? block : unblock, [accountId, currency]);
}
