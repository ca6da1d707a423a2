import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Currency } from "../../currencies/currency.ts";
import {
  readCurrencyStates,
  saveAccountCurrencyBlock,
  saveCurrencyState,
} from "../../currencies/currency-state.store.ts";
import type { CurrencyState } from "../../currencies/decide-availability.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { CommandContext } from "./command-context.ts";
import { type CurrencySwitch, currencySwitches } from "./currency-switches.ts";
import { withDeployment } from "./with-deployment.ts";
import { withKnownAccount } from "./with-known-account.ts";

/**
 * `sluice currency SWITCH ALPHA`: sets or clears one flag of a currency, for all accounts or (only `unavailable` and
 * `available`) for one, and prints the state. Takes effect with the next request.
 */
export async function setCurrencyState(
  configFile: string,
  options: {
    readonly switch: CurrencySwitch;
    readonly alpha: string;
    /** Null for all accounts. */
    readonly accountId: string | null;
  },
  context: CommandContext,
): Promise<void> {
  await withDeployment(configFile, context, async (foundation) => {
    const { db, currencies } = foundation;
    const currency = findCurrency(currencies, options.alpha);
    if (options.accountId !== null) {
      await switchForAccount(foundation, options.accountId, currency, options.switch);
      context.print(`${currency.alpha} is ${options.switch} for account ${options.accountId}`);
      return;
    }
    const state = await db.transaction(async (tx) => {
      const changed = { ...(await stateOf(tx, currency)), ...currencySwitches[options.switch] };
      await saveCurrencyState(tx, currency.id, changed);
      return changed;
    });
    context.print(`${currency.alpha}: ${describe(state)}`);
  });
}

/** Finds a currency by alpha code or id. Throws if it is unknown. */
export function findCurrency(currencies: CurrencyRegistry, name: string): Currency {
  const currency = currencies.byAlpha(name) ?? currencies.find(name);
  if (currency === null) throw new Error(`there is no currency ${name}`);
  return currency;
}

async function switchForAccount(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  accountId: string,
  currency: Currency,
  name: CurrencySwitch,
): Promise<void> {
  if (name !== "available" && name !== "unavailable")
    throw new Error(
      `for a single account, a currency can only be made available or unavailable, not ${name}`,
    );
  await withKnownAccount(accountId, () =>
    db.transaction(async (tx) => {
      await saveAccountCurrencyBlock(tx, accountId, currency.id, name === "unavailable");
      await recordAudit(tx, {
        by: { accountId },
        action: "currency.changed",
        at: clock.now(),
        object: { type: "currency", id: currency.id },
        summary: { currency: currency.alpha, available: name === "available" },
      });
    }),
  );
}

async function stateOf(tx: Executor, currency: Currency): Promise<CurrencyState> {
  // Account 0 does not exist, so the row has only the flags that apply to every account.
  const [row] = await readCurrencyStates(tx, "0", [currency.id]);
  return {
    isDisabled: row?.is_disabled ?? false,
    isUnavailable: row?.is_unavailable ?? false,
    isUnpaid: row?.is_unpaid ?? false,
  };
}

function describe(state: CurrencyState): string {
  const faults = [
    ...(state.isDisabled ? ["disabled"] : []),
    ...(state.isUnavailable ? ["unavailable"] : []),
    ...(state.isUnpaid ? ["not paid for"] : []),
  ];
  return faults.length === 0 ? "in use" : faults.join(", ");
}
