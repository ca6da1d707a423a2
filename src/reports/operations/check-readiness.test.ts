import { afterEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { createClockGuard } from "../../platform/db/clock-guard.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { checkServing, checkSystem } from "./check-readiness.ts";

const database = useDatabase();
const world = { db: database.db, clock: systemClock, logger: silentLogger };
const context = {
  ...world,
  clockGuard: createClockGuard({ ...world, maxSkewMs: 2_000 }),
  enabledChains: new Set(["ETH"]),
};
const secondsAgo = (seconds: number) => formatTimestamp(addSeconds(systemClock.now(), -seconds));
const readChain = (seconds: number) =>
  database.sql(
    "insert into chain_cursor (chain, network, caught_up_at, updated_at) values ('ETH', 'regtest', $1, $1)",
    [secondsAgo(seconds)],
  );
const compare = (seconds: number) =>
  database.sql("insert into reconciliation_run values ('ETH', $1, $1, null)", [
    secondsAgo(seconds),
  ]);
afterEach(async () => {
  await database.sql("delete from chain_cursor");
  await database.sql("delete from reconciliation_run");
});

describe("readiness of this process", () => {
  it("ignores the state of chains", async () => {
    await readChain(3_600);
    expect(await checkServing(context)).toEqual({
      ready: true,
      database: "ok",
      clock_ahead_seconds: 0,
    });
  });
});

describe("readiness of the system", () => {
  it.each([
    ["read a moment ago", 1, true],
    ["read too long ago", 120, false],
    ["read in the future, as a clock that was stepped back has it", -3_553, false],
  ])("judges a chain that was %s", async (_when, seconds, ready) => {
    await readChain(seconds);
    expect((await checkSystem(context)).chains["ETH"]?.ready).toBe(ready);
  });

  it.each([
    ["was compared a moment ago", 1, true],
    ["was compared too long ago", 900, false],
  ])("judges a chain that %s", async (_when, seconds, ready) => {
    await compare(seconds);
    expect((await checkSystem(context)).reconciliation["ETH"]?.ready).toBe(ready);
  });

  it("is not ready while a chain was never compared", async () => {
    const { reconciliation } = await checkSystem(context);
    expect(reconciliation["ETH"]).toEqual({ ready: false, age_seconds: null, failure: null });
  });

  it("names a signer that does not answer", async () => {
    const silent = { ...context, askSigner: () => Promise.reject(new Error("gone")) };
    expect(await checkSystem(silent)).toMatchObject({ ready: false, signer: "unavailable" });
    const answering = { ...context, askSigner: () => Promise.resolve() };
    expect((await checkSystem(answering)).signer).toBe("ok");
  });
});
