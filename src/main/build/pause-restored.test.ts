import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { addSeconds, type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { pauseAllChains, pauseChain, resumeRestored } from "./pause-restored.ts";

/* Which time the pause of a restored chain has, and so from when on it has to be read, on a real database. */

const database = useDatabase();
const { db, sql } = database;
const first = instantFromSeconds(1_000_000);
const second = addSeconds(first, 86_400);
const restore = (now: Instant) =>
  pauseAllChains(db, { enabledChains: new Set(["BTC", "XLM"]) }, "restored", now);
const pauses = () =>
  sql(
    `select scope, created_at as since, valid_until is not null and valid_until > created_at as "isBounded"
     from payout_stop order by scope`,
  );

beforeEach(async () => {
  await sql("delete from payout_stop");
  await sql("delete from chain_cursor");
});

describe("a restored chain's pause", () => {
  it("begins again with a later restore, so that the chain is read once more before payouts resume", async () => {
    await restore(first);
    await sql(
      `insert into chain_cursor (chain, network, height, hash, block_time, caught_up_at, updated_at)
       values ('BTC', 'test', 9, 'h9', $1, $1, $1)`,
      [formatTimestamp(addSeconds(first, 60))],
    );
    await restore(second);
    expect(await pauses()).toEqual([
      { scope: "chain/BTC", since: second, isBounded: false },
      { scope: "chain/XLM", since: second, isBounded: true },
    ]);
    await expect(resumeRestored(db, "BTC", null, second)).rejects.toThrow("newest block first");
    await sql("update chain_cursor set caught_up_at = $1", [formatTimestamp(second)]);
    expect(await resumeRestored(db, "BTC", null, second)).toEqual(["BTC"]);
  });

  it("keeps its time when an unexplained transaction is seen again", async () => {
    await pauseChain(db, "BTC", "an unexplained transaction", first);
    await pauseChain(db, "BTC", "an unexplained transaction", second);
    expect(await pauses()).toEqual([{ scope: "chain/BTC", since: first, isBounded: false }]);
  });
});
