import type { Coin } from "../../paying-port.ts";

/** What monerod asks for, in units per unit of weight, from the slowest priority to the fastest. */
export type FeeRates = {
  readonly low: bigint;
  readonly medium: bigint;
  readonly high: bigint;
  /** Fees are rounded up to multiples of this. */
  readonly step: bigint;
};

/** The priorities of monero-wallet-rpc that the rates belong to. */
export const priorities = { low: 1, medium: 2, high: 3 } as const;

export type Priority = keyof typeof priorities;

/** The most coins in one transaction: far below the 149,400 units of weight that it may have. */
export const inputsMax = 120;

/** Members of a ring, and bytes that each of them takes in a transaction on average (wallet2's estimate). */
const ringSize = 16;
const offsetBytes = 2;
/** An input: its ring, its key image, its signature and what hides its amount. */
const inputBytes = 7 + ringSize * offsetBytes + 32 + 32 * (ringSize + 2) + 32;
/** An output: its key, its view tag, its amount and the commitment to it. */
const outputBytes = 6 + 32 + 1 + 8 + 32;
/** Version, lock, counts, fee, and the first public key with a payment id. */
const fixedBytes = 1 + 6 + 1 + 3 + 4 + 44;
const outputKeyBytes = 32;

/**
 * The weight of a transaction with that many inputs and outputs, as monero's wallet estimates it (src/wallet/wallet2.cpp): its bytes, and for
 * more than two outputs a surcharge, because one proof for all of them is smaller than the work of verifying it. With several outputs
 * each one may need a public key of its own, for a receiver with a subaddress.
 */
export function weightOf(inputs: number, outputs: number): bigint {
  const rounds = Math.ceil(Math.log2(Math.max(outputs, 2)));
  const proofBytes = 32 * (6 + 2 * (6 + rounds)) + 3;
  const keys = outputs > 2 ? 2 + outputs * outputKeyBytes : 0;
  const bytes = fixedBytes + inputs * inputBytes + outputs * outputBytes + proofBytes + keys;
  return BigInt(bytes + surchargeOf(rounds));
}

/** Four fifths of what separate proofs for pairs of outputs would take beside the one proof. */
function surchargeOf(rounds: number): number {
  if (rounds <= 1) return 0;
  const ofPair = (32 * (6 + 7 * 2)) / 2;
  const ofAll = 32 * (6 + 2 * (6 + rounds));
  return Math.floor(((ofPair * 2 ** rounds - ofAll) * 4) / 5);
}

/** The fee at a rate, rounded up to the step. */
export function feeAt({ step, ...rates }: FeeRates, priority: Priority, weight: bigint): bigint {
  const fee = rates[priority] * weight;
  return ((fee + step - 1n) / step) * step;
}

/**
 * The coins that bring more than spending them costs at that priority. Others are dust: anyone can send it, and a wallet leaves it out by
 * the same estimate (`ignore-fractional-outputs`).
 */
export function worthwhile(
  coins: readonly Coin[],
  rates: FeeRates,
  priority: Priority,
): readonly Coin[] {
  const cost = rates[priority] * BigInt(inputBytes);
  return coins.filter(({ units }) => units > cost);
}

/** Largest first, so that the fewest coins are used; equal ones in the order of their claims. */
export function largestFirst(coins: readonly Coin[]): readonly Coin[] {
  return coins.toSorted((a, b) =>
    a.units === b.units ? (a.claim < b.claim ? -1 : 1) : a.units > b.units ? -1 : 1,
  );
}

/**
 * The fewest coins that cover the payments and a fee for so many inputs, of which the wallet then needs every one; null if all of them do not
 * suffice. `least` more are taken than that needs: the wallet's own estimate may be higher.
 */
export function selectCoins(
  coins: readonly Coin[],
  needed: (inputs: number) => bigint,
  least: number,
): readonly Coin[] | null {
  const sorted = largestFirst(coins);
  let sum = 0n;
  for (const [place, { units }] of sorted.entries()) {
    sum += units;
    const count = place + 1;
    if (count < least || sum < needed(count)) continue;
    // The last one is replaced by the smallest that suffices; the larger ones serve larger payments.
    const last = sorted.slice(place).findLast((coin) => sum - units + coin.units >= needed(count));
    return last === undefined ? null : [...sorted.slice(0, place), last];
  }
  return null;
}

/** How many units more would cover the payments and a fee, beside the largest coins, of which one transaction can spend no more. At least 1. */
export function missingFor(coins: readonly Coin[], needed: (inputs: number) => bigint): bigint {
  let missing = needed(1);
  let sum = 0n;
  for (const [place, { units }] of largestFirst(coins).slice(0, inputsMax).entries()) {
    sum += units;
    const short = needed(place + 1) - sum;
    if (short < missing) missing = short;
  }
  return missing > 0n ? missing : 1n;
}
