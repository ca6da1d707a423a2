import type { Currency } from "../../currencies/currency.ts";
import type { FindAvailability } from "../../currencies/find-availability.ts";
import type { FindKeyspace } from "../../currencies/keyspace.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { type Rate, rateOfOne } from "../../platform/kernel/rate.ts";
import type { Deposit } from "../deposit.ts";
import { sourceAmountOf } from "../payments/source-amount.ts";
import type { CheckoutChoice } from "./checkout-state.ts";
import { describeCurrency } from "./describe-currency.ts";
import type { FindPausedChains } from "./find-paused-chains.ts";

export type ListChoicesContext = {
  readonly db: Executor;
  readonly currencies: CurrencyRegistry;
  readonly findAvailability: FindAvailability;
  readonly findKeyspace: FindKeyspace;
  readonly findRate: FindRate;
  readonly findPausedChains: FindPausedChains;
  /** Chains whose currencies have no real value. */
  readonly simulatedChains: ReadonlySet<string>;
};

type ChoiceRequest = Pick<Deposit, "accountId" | "walletCurrency" | "targetAmountRequested">;

/** Creates a function that lists the currencies an account accepts with current prices. Pages of one batch share the lookups. */
export function createListChoices(
  context: ListChoicesContext,
): (request: ChoiceRequest) => Promise<readonly CheckoutChoice[]> {
  const accepted = new Map<string, Promise<readonly Currency[]>>();
  const rates = new Map<string, Promise<Rate | null>>();
  const paused = once(context.findPausedChains);
  const acceptedBy = (accountId: string) =>
    getOrFind(accepted, accountId, () => findAccepted(context, accountId));
  const rateOf = (currency: Currency, target: CurrencyId) =>
    getOrFind(rates, `${currency.id} ${target}`, async () =>
      currency.id === target
        ? rateOfOne
        : ((await context.findRate(currency.id, target))?.bid ?? null),
    );
  return async (request) => {
    const pausedChains = await paused();
    const currencies = inOrder(await acceptedBy(request.accountId), request.walletCurrency);
    return Promise.all(
      currencies.map(async (currency) =>
        describeChoice(
          context,
          request,
          currency,
          await rateOf(currency, request.walletCurrency),
          pausedChains,
        ),
      ),
    );
  };
}

function getOrFind<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  find: () => Promise<Value>,
): Promise<Value> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

function once<Value>(find: () => Promise<Value>): () => Promise<Value> {
  let found: Promise<Value> | null = null;
  return () => (found ??= find());
}

/** Currencies with a chain and addresses that are disabled neither globally nor for the account. */
async function findAccepted(
  context: ListChoicesContext,
  accountId: string,
): Promise<readonly Currency[]> {
  const payable = context.currencies.all.filter(
    ({ id, chain }) => chain !== null && context.findKeyspace(id) !== null,
  );
  const availability = await context.findAvailability(context.db, accountId, payable);
  return payable.filter((_currency, index) => availability[index] === "available");
}

/** Sorts the price's own currency first, then coins, then tokens, otherwise in registry order. */
function inOrder(currencies: readonly Currency[], walletCurrency: string): readonly Currency[] {
  const rank = ({ id, kind }: Currency): number =>
    id === walletCurrency ? 0 : kind === "coin" ? 1 : 2;
  return currencies.toSorted((a, b) => rank(a) - rank(b));
}

function describeChoice(
  context: ListChoicesContext,
  { walletCurrency, targetAmountRequested }: ChoiceRequest,
  currency: Currency,
  rate: Rate | null,
  pausedChains: ReadonlySet<string>,
): CheckoutChoice {
  const named = describeCurrency(currency, context.simulatedChains);
  const units =
    targetAmountRequested === null || rate === null
      ? null
      : sourceAmountOf(
          targetAmountRequested,
          context.currencies.get(walletCurrency),
          rate,
          currency,
        );
  const unavailable = pausedChains.has(named.chain)
    ? "paused"
    : rate === null
      ? "no_rate"
      : units !== null && units < currency.minimalTransferUnits
        ? "below_minimum"
        : null;
  return {
    ...named,
    amount: units === null ? null : formatDecimal(units, currency.exp),
    minimum: formatDecimal(currency.minimalTransferUnits, currency.exp),
    unavailable,
  };
}
