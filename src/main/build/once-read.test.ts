import { expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { onceRead } from "./once-read.ts";

const database = useDatabase();
const { db, sql } = database;

it("sends nothing before the chain was read to its tip since the process started", async () => {
  const clock = manualClock();
  const { signal } = new AbortController();
  const readNow = () =>
    sql(
      `insert into chain_cursor (chain, network, caught_up_at, updated_at) values ('ETH', 'x', $1, $1)
       on conflict (chain) do update set caught_up_at = excluded.caught_up_at`,
      [formatTimestamp(clock.now())],
    );
  // By the process before it.
  await readNow();
  clock.advance(1);
  let runs = 0;
  const run = onceRead({ db, clock, logger: silentLogger }, "ETH", () => {
    runs += 1;
    return Promise.resolve();
  });
  await run(signal);
  expect(runs).toBe(0);
  await readNow();
  await run(signal);
  await run(signal);
  expect(runs).toBe(2);
});
