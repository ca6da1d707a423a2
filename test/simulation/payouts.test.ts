import { describe, expect, it } from "vitest";
import { useDatabase } from "../support/database.ts";
import { playPayouts } from "./play-payouts.ts";
import { playAll } from "./play-seeds.ts";

/*
 * Whatever happens, each payout is paid once or its funds are released (`play-payouts.ts`). The seed of a failing
 * history is printed; `npm run simulate -- --seeds 1 --from SEED` repeats it, and more seeds run longer.
 */

const database = useDatabase();

/** Measured at 0.3 s per history on two cores that others use too. */
const seeds = 100;

describe("random payout histories", () => {
  it("pay each payout once or release its funds, whatever is killed or lost", async () => {
    const { seen } = await playAll({ from: 201, seeds }, (seed) => playPayouts(database, seed));
    // A simulation in which nothing goes wrong shows nothing.
    const wanted = [
      ...[
        "kills",
        "signer died",
        "signer lost power",
        "lost",
        "batch",
        "adopted",
        "replacement",
        "mined replacement",
        "twin",
        "reverted",
      ],
      ...["payout confirmed", "payout failed", "payout cancelled", "spend payout dead"],
      ...["spend gap confirmed", "event reversed", "lost payout paid"],
      ...["expired", "token brought nothing", "token brought a part"],
    ];
    expect(wanted.filter((what) => (seen.get(what) ?? 0) === 0)).toEqual([]);
  }, 900_000);
});
