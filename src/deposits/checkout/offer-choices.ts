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

export type ChoiceOffers = {
  readonly db: Executor;
  readonly currencies: CurrencyRegistry;
  readonly findAvailability: FindAvailability;
  readonly findKeyspace: FindKeyspace;
  readonly findRate: FindRate;
  readonly findPausedChains: FindPausedChains;
  /** Chains whose money is play money. */
  readonly simulatedChains: ReadonlySet<string>;
};

type Asked = Pick<Deposit, "accountId" | "walletCurrency" | "targetAmountRequested">;

/** What each account accepts and what it costs now, found once for all pages that are drawn together. */
export function createOfferChoices(
  context: ChoiceOffers,
): (asked: Asked) => Promise<readonly CheckoutChoice[]> {
  const accepted = new Map<string, Promise<readonly Currency[]>>();
  const rates = new Map<string, Promise<Rate | null>>();
  const paused = once(context.findPausedChains);
  const acceptedBy = (accountId: string) =>
    remember(accepted, accountId, () => findAccepted(context, accountId));
  const rateOf = (currency: Currency, target: CurrencyId) =>
    remember(rates, `${currency.id} ${target}`, async () =>
      currency.id === target
        ? rateOfOne
        : ((await context.findRate(currency.id, target))?.bid ?? null),
    );
  return async (asked) => {
    const pausedChains = await paused();
    const currencies = inOrder(await acceptedBy(asked.accountId), asked.walletCurrency);
    return Promise.all(
      currencies.map(async (currency) =>
        offer(context, asked, currency, await rateOf(currency, asked.walletCurrency), pausedChains),
      ),
    );
  };
}

function remember<Value>(
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

/** Everything that can be paid in here and is switched off neither for all nor for this account. */
async function findAccepted(
  context: ChoiceOffers,
  accountId: string,
): Promise<readonly Currency[]> {
  const payable = context.currencies.all.filter(
    ({ id, chain }) => chain !== null && context.findKeyspace(id) !== null,
  );
  const availability = await context.findAvailability(context.db, accountId, payable);
  return payable.filter((_currency, index) => availability[index] === "available");
}

/** What the price is named in first, then coins, then tokens, each as they are listed. */
function inOrder(currencies: readonly Currency[], walletCurrency: string): readonly Currency[] {
  const rank = ({ id, kind }: Currency): number =>
    id === walletCurrency ? 0 : kind === "coin" ? 1 : 2;
  return currencies.toSorted((one, other) => rank(one) - rank(other));
}

function offer(
  context: ChoiceOffers,
  { walletCurrency, targetAmountRequested }: Asked,
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
