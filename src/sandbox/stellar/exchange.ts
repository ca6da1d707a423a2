/*
 * The amounts that move when an offer is crossed, as stellar-core computes them since protocol 10. As there, what an offer sells is called
 * wheat, and what it asks for is called sheep; a price is sheep for a unit of wheat.
 */

export type Price = { readonly n: number; readonly d: number };

/** Who decides how amounts are rounded: two offers, or the fixed side of a path payment. */
export type Rounding = "offer" | "strictSend" | "strictReceive";

export type Limits = {
  readonly wheatSend: bigint;
  readonly wheatReceive: bigint;
  readonly sheepSend: bigint;
  readonly sheepReceive: bigint;
};

export type Exchanged = {
  readonly wheat: bigint;
  readonly sheep: bigint;
  /** Whether the offer in the book is the larger one, so that it stays there. */
  readonly wheatStays: boolean;
};

export const unitsMax = 2n ** 63n - 1n;
const unlimited: Limits = {
  wheatSend: unitsMax,
  wheatReceive: unitsMax,
  sheepSend: unitsMax,
  sheepReceive: unitsMax,
};

/** Negative if the first price is lower, 0 if they are equal. */
export function comparePrices(one: Price, other: Price): number {
  const [left, right] = [BigInt(one.n) * BigInt(other.d), BigInt(other.n) * BigInt(one.d)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** What moves within the limits; nothing between two offers if rounding would cost either more than 1 % of the price. */
export function exchange(price: Price, limits: Limits, rounding: Rounding): Exchanged {
  const exchanged = exchangeAtAnyError(price, limits, rounding);
  const { wheat, sheep } = exchanged;
  const isWorthless = wheat === 0n || sheep === 0n;
  // A fixed amount to send may buy nothing on its way; what has to arrive is checked in the end.
  if (isWorthless && rounding === "strictSend") return exchanged;
  const isFair = rounding !== "offer" || isWithinPercent(price, wheat, sheep);
  return isWorthless || !isFair ? { ...exchanged, wheat: 0n, sheep: 0n } : exchanged;
}

function exchangeAtAnyError(price: Price, limits: Limits, rounding: Rounding): Exchanged {
  const [n, d] = [BigInt(price.n), BigInt(price.d)];
  const { wheatSend, wheatReceive, sheepSend, sheepReceive } = limits;
  const wheatValue = least(wheatSend * n, sheepReceive * d);
  const sheepValue = least(sheepSend * d, wheatReceive * n);
  const wheatStays = wheatValue > sheepValue;
  if (!wheatStays) {
    if (price.n > price.d) {
      const wheat = wheatValue / n;
      return { wheat, sheep: (wheat * n) / d, wheatStays };
    }
    const sheep = wheatValue / d;
    return { wheat: dividedUp(sheep * d, n), sheep, wheatStays };
  }
  if (rounding === "strictSend")
    return { wheat: sheepValue / n, sheep: least(sheepSend, sheepReceive), wheatStays };
  if (price.n > price.d || rounding === "strictReceive") {
    const wheat = sheepValue / n;
    return { wheat, sheep: dividedUp(wheat * n, d), wheatStays };
  }
  const sheep = sheepValue / d;
  return { wheat: (sheep * d) / n, sheep, wheatStays };
}

function isWithinPercent(price: Price, wheat: bigint, sheep: bigint): boolean {
  const [stated, actual] = [BigInt(price.n) * wheat, BigInt(price.d) * sheep];
  const error = stated > actual ? stated - actual : actual - stated;
  return 100n * error <= stated;
}

/** How much of an amount an offer can sell within limits at its price, after rounding; 0 if that is not worth an offer. */
export function adjustedAmount(price: Price, wheatSend: bigint, sheepReceive: bigint): bigint {
  return exchange(price, { ...unlimited, wheatSend, sheepReceive }, "offer").wheat;
}

/** What an offer of so much, or one that buys so much, may have to send and to receive. */
export function liabilitiesAt(
  price: Price,
  limit: { readonly sells: bigint } | { readonly buys: bigint },
): { readonly selling: bigint; readonly buying: bigint } {
  const limits =
    "sells" in limit
      ? { ...unlimited, wheatSend: limit.sells }
      : { ...unlimited, sheepReceive: limit.buys };
  const { wheat, sheep } = exchangeAtAnyError(price, limits, "offer");
  return { selling: wheat, buying: sheep };
}

export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function dividedUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
