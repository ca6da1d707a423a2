import { randomInt } from "node:crypto";

/**
 * Of all that the tests make up. The same for every run, so that none fails by chance; SLUICE_TEST_SEED names another, or says
 * "random" to look where nobody looked before.
 */
export const seed = readSeed(process.env["SLUICE_TEST_SEED"] ?? "1");

function readSeed(text: string): number {
  if (text === "random") return randomInt(2 ** 31);
  if (!/^\d{1,10}$/.test(text))
    throw new Error(`SLUICE_TEST_SEED: a number or "random", not ${text}`);
  return Number(text);
}
