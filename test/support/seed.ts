import { randomInt } from "node:crypto";

/**
 * The seed of everything random in tests. The same in every run, so that no test fails by chance; SLUICE_TEST_SEED sets another,
 * or "random".
 */
export const seed = readSeed(process.env["SLUICE_TEST_SEED"] ?? "1");

function readSeed(text: string): number {
  if (text === "random") return randomInt(2 ** 31);
  if (!/^\d{1,10}$/.test(text))
    throw new Error(`SLUICE_TEST_SEED: a number or "random", not ${text}`);
  return Number(text);
}
