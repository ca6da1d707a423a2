import { addSeconds } from "../../../src/platform/kernel/clock.ts";
import type { CurrencyId } from "../../../src/platform/kernel/money.ts";
import { formatTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import type { TestDatabase } from "../../support/database.ts";
import type { ManualClock } from "../../support/manual-clock.ts";
import type { Seeded } from "../../support/seeded.ts";

export const dollar = "840" as CurrencyId;
export const ether = "1002" as CurrencyId;
export const usdc = "2014" as CurrencyId;

const exps: Readonly<Record<string, number>> = { [dollar]: 2, [ether]: 18, [usdc]: 6 };
const alphas: Readonly<Record<string, string>> = { [ether]: "ETH", [usdc]: "USDC-ETH" };
const symbols: Readonly<Record<string, string>> = { [ether]: "ETH", [usdc]: "USDC" };

/** Decimals of a price. */
const priceExp = 18;
const one = 10n ** BigInt(priceExp);

/** Dollars per whole unit of each currency, scaled by 10^18. */
export type Prices = ReadonlyMap<string, { readonly bid: bigint; readonly ask: bigint }>;

/** An exact price of one currency in another: units of the other are units x over / under. */
export type Fraction = { readonly over: bigint; readonly under: bigint };

export function expOf(currency: string): number {
  return exps[currency] ?? 0;
}

export function alphaOf(currency: string): string {
  return alphas[currency] ?? "USD";
}

/** The exact value of units of a currency at the bid, in 10^-36 dollars. */
export function valueOf(prices: Prices, currency: string, units: bigint): bigint {
  return units * (prices.get(currency)?.bid ?? 0n) * 10n ** BigInt(priceExp - expOf(currency));
}

/** The bid of `from` in `to`: what an amount is worth to its receiver. */
export function bidOf(prices: Prices, from: string, to: string): Fraction {
  if (from === to) return { over: 1n, under: 1n };
  return {
    over: (prices.get(from)?.bid ?? 0n) * 10n ** BigInt(expOf(to)),
    under: (prices.get(to)?.ask ?? 1n) * 10n ** BigInt(expOf(from)),
  };
}

/** Prices that take a random walk; they apply everywhere once published. */
export function createMarket(
  { sql }: Pick<TestDatabase, "sql">,
  clock: ManualClock,
  seeded: Seeded,
) {
  const mids = new Map<string, bigint>([
    [ether, 2_500n * one],
    [usdc, one],
  ]);
  let prices: Prices = new Map();

  async function publish(): Promise<void> {
    // Longer than a process caches prices.
    clock.advance(2);
    const quoted = [...mids].map(([currency, mid]) => {
      const halfSpread = (mid * BigInt(seeded.between(0, 60))) / 10_000n;
      return { currency, bid: mid - halfSpread, ask: mid + halfSpread };
    });
    const now = clock.now();
    await sql(
      `insert into rate_quote (symbol, bid, ask, sources, created_at, expired_at)
       select given.*, 2, $4::timestamptz, $5::timestamptz from unnest($1::text[], $2::numeric[], $3::numeric[]) as given
       on conflict (symbol) do update set bid = excluded.bid, ask = excluded.ask,
         created_at = excluded.created_at, expired_at = excluded.expired_at`,
      [
        quoted.map(({ currency }) => symbols[currency] ?? ""),
        quoted.map(({ bid }) => bid),
        quoted.map(({ ask }) => ask),
        formatTimestamp(now),
        formatTimestamp(addSeconds(now, 10 * 86_400)),
      ],
    );
    prices = new Map([
      [dollar, { bid: one, ask: one }],
      ...quoted.map(({ currency, bid, ask }) => [currency, { bid, ask }] as const),
    ]);
  }

  return {
    publish,
    prices: (): Prices => prices,
    move: async (): Promise<void> => {
      const perMille = BigInt(seeded.between(-100, 100));
      mids.set(ether, ((mids.get(ether) ?? one) * (1_000n + perMille)) / 1_000n);
      mids.set(usdc, (one * BigInt(seeded.between(9_950, 10_050))) / 10_000n);
      await publish();
    },
  };
}

export type Market = ReturnType<typeof createMarket>;
