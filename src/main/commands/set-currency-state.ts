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
import { orNoAccount } from "./or-no-account.ts";
import { useDeployment } from "./use-deployment.ts";

/**
 * `sluice currency SWITCH ALPHA`: turns one switch of a currency, for everybody or
 * (only `unavailable` and `available`) for one account, and prints how it stands. It holds from the next request on.
 */
export async function setCurrencyState(
  configFile: string,
  options: {
    readonly switch: CurrencySwitch;
    readonly alpha: string;
    /** Null: everybody. */
    readonly accountId: string | null;
  },
  context: CommandContext,
): Promise<void> {
  await useDeployment(configFile, context, async (foundation) => {
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

/** By alpha code or id. Throws for a currency that the deployment does not know. */
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
    throw new Error(`for one account a currency is switched available or unavailable, not ${name}`);
  await orNoAccount(accountId, () =>
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
  // Of no account: the switches for everybody alone.
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
