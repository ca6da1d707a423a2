import { readFileSync } from "node:fs";
import { createSeeded, type Seeded } from "../support/seeded.ts";

/** What a hot wallet receives and pays on a day, in satoshis. */
export type PayoutDay = {
  /** Thousandths of a satoshi per virtual byte. */
  readonly rate: bigint;
  readonly deposits: readonly bigint[];
  /** The payouts, as they are gathered for one transaction. */
  readonly batches: readonly (readonly bigint[])[];
};

/** The coins with which the year begins. */
export const firstCoins: readonly bigint[] = Array.from({ length: 10 }, () => 200_000_000n);

const depositsPerDay = 20;
const batchesPerDay = 4;
const payoutsPerBatch = 5;
/** Satoshis; half of the amounts are below it. */
const medianAmount = 400_000;

/**
 * A year of a shop: 20 deposits and 20 payouts a day whose amounts follow one distribution, at the recorded fee rates of 2024. The
 * same seed gives the same year.
 */
export function readPayoutYear(seed: number): readonly PayoutDay[] {
  const file = new URL("../recorded/bitcoin-fee-rates-2024.json", import.meta.url);
  const { rates } = JSON.parse(readFileSync(file, "utf8")) as { readonly rates: readonly number[] };
  const seeded = createSeeded(seed);
  const amounts = (count: number): readonly bigint[] =>
    Array.from({ length: count }, () => amount(seeded));
  return rates.map((rate) => ({
    rate: BigInt(rate),
    deposits: amounts(depositsPerDay),
    batches: Array.from({ length: batchesPerDay }, () => amounts(payoutsPerBatch)),
  }));
}

/** Log-normal: one in forty is above 8.5 times the median or below its 8.5th part. The sum of six fractions is close to normal. */
function amount({ fraction }: Seeded): bigint {
  const sum = Array.from({ length: 6 }, fraction).reduce((total, each) => total + each, 0);
  const deviations = (sum - 3) / Math.sqrt(6 / 12);
  return BigInt(Math.round(medianAmount * Math.exp(1.09 * deviations)));
}
