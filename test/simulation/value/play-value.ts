import { expectBooksToBalance } from "../../support/check-books.ts";
import type { Played } from "../play-payouts.ts";
import { chainEvents } from "./chain-events.ts";
import {
  assertDuesBooked,
  assertNoGain,
  assertPositionsBounded,
  assertUnchanged,
  noteWorths,
} from "./check-value.ts";
import { type Operation, operations } from "./operations.ts";
import { readHoldings } from "./read-holdings.ts";
import { arrangeValueSite, type ValueDeployment, type ValueSite } from "./value-site.ts";

/*
 * One seed is one history: three accounts with four wallets each create deposits, pay them on the chain and
 * internally, convert, pay out, accept, refund, keep a part, cancel, approve, release and return, while prices with
 * real spreads move, screening holds payments and payouts, conversions meet position limits, and the chain confirms,
 * fails and reorganizes. After each step no account has gained (`check-value.ts`), and commissions and fees are
 * booked where they are due.
 */

const steps = 200;

/** Plays a seed's history to its end. Rejects with the first step at which an account gained or a booking was wrong. */
export async function playValue(deployment: ValueDeployment, seed: number): Promise<Played> {
  const site = await arrangeValueSite(deployment, seed);
  const played: Record<string, number> = {};
  let before = await readHoldings(site);
  for (let step = 1; step <= steps; step += 1) {
    await advanceTime(site);
    const done = await anyOperation(site)(site);
    if (done === null) continue;
    played[done.what] = (played[done.what] ?? 0) + 1;
    const after = await readHoldings(site);
    try {
      noteWorths(site, before, after, done.decided ?? null);
      assertNoGain(site, before, after);
      await assertDuesBooked(site, after);
      if (done.isRejected === true) assertUnchanged(before, after);
      if (done.isBounded === true) assertPositionsBounded(before, after);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`step ${step}, ${done.what}: ${reason}`, { cause: error });
    }
    before = after;
  }
  await expectBooksToBalance(site.database);
  return played;
}

/** Between operations, time passes, prices move, and the chain is read to its newest block. */
async function advanceTime({ seeded, clock, market, chain }: ValueSite): Promise<void> {
  clock.advance(1);
  if (seeded.chance(0.1)) clock.advance(seeded.oneOf([60, 400, 1_000, 8_000]) ?? 60);
  if (seeded.chance(0.25)) await market.move();
  await chain.catchUp();
}

const all = [...operations, ...chainEvents];
const weights = all.reduce((sum, [weight]) => sum + weight, 0);

function anyOperation({ seeded }: ValueSite): Operation {
  let place = seeded.between(1, weights);
  for (const [weight, operation] of all) {
    place -= weight;
    if (place <= 0) return operation;
  }
  return operations[0]![1];
}
