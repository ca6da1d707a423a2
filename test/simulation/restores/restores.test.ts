import { describe, expect, it } from "vitest";
import { useDatabase } from "../../support/database.ts";
import { playAll } from "../play-seeds.ts";
import { playRestores, startRestoreDeployment } from "./play-restores.ts";

/*
 * Whatever is restored from copies of whatever moments, nothing is paid twice and only what the guide says is lost (`play-restores.ts`). The
 * seed of a failing history is printed; `npm run simulate -- --of restores --seeds 1 --from SEED` repeats it.
 */

const database = useDatabase();

/** Measured at a second per history on a busy machine. */
const range = { from: 1, seeds: 20 };

describe("histories with restores", () => {
  it("pay nothing twice, and lose only what no copy of the database has", async () => {
    const deployment = await startRestoreDeployment(database);
    const { seen } = await playAll(range, (seed) => playRestores(deployment, seed));
    const wanted = [
      ...["database", "signer", "both", "machine"].map((what) => `restored: ${what}`),
      ...["payouts resumed", "adopted", "lost"],
      ...["payout confirmed", "payout cancelled", "lost payout paid", "request: unavailable"],
    ];
    expect(wanted.filter((what) => (seen.get(what) ?? 0) === 0)).toEqual([]);
  }, 900_000);
});
