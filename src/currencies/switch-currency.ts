import type { Executor } from "../platform/db/database.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { saveAccountCurrencyBlock, saveCurrencyState } from "./currency-state.store.ts";
import type { CurrencyState } from "./decide-availability.ts";

/** The operator's switches of a currency, for everybody: disabled (6002), unavailable (6015), unpaid (6017). */
export async function switchCurrency(
  db: Executor,
  currency: CurrencyId,
  state: CurrencyState,
): Promise<void> {
  await saveCurrencyState(db, currency, state);
}

/** Makes a currency unavailable (6015) for one account, or available again. */
export async function blockCurrencyForAccount(
  db: Executor,
  accountId: string,
  currency: CurrencyId,
  isBlocked: boolean,
): Promise<void> {
  await saveAccountCurrencyBlock(db, accountId, currency, isBlocked);
}
