import { expect, test } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeCallbacks } from "../../../test/support/dispatching.ts";
import { claimCallbacks, findAvailableHosts } from "../../callbacks/deliver/dispatch.store.ts";
import { renewLease, takeLease } from "../../chains/follow/chain-lease.store.ts";
import { openCursor } from "../../chains/follow/follower.store.ts";
import { addSeconds } from "../kernel/clock.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { endLeases } from "./end-leases.store.ts";
import { acquireLease } from "./lease.ts";

/*
 * What a sandbox that was killed (SIGKILL) had taken: found by paying a deposit right after the next start, which was credited a
 * minute later.
 */

const { db } = useDatabase();

test("chains, jobs and callbacks of a holder that was killed are taken by the next one at once", async () => {
  const clock = systemClock;
  await openCursor(db, "BTC", "regtest", 0, clock.now());
  await arrangeCallbacks(db, [["21", "http://127.0.0.1:9/"]]);
  const now = clock.now();
  const minute = addSeconds(now, 60);
  const claim = async () => {
    const lanes = (await findAvailableHosts(db, now)).map((host) => ({ ...host, size: 10 }));
    return claimCallbacks(db, lanes, now, minute);
  };
  const takeAll = async (holder: string) => ({
    chain: await takeLease(db, "BTC", holder, minute, now),
    job: await acquireLease({ db, clock, holder }, "database-mark", 600_000),
    callbacks: await claim(),
  });
  const killed = await takeAll("killed");
  expect(killed).toMatchObject({ chain: { fence: { fence: "1" } }, job: { fence: "1" } });
  expect(killed.callbacks).toHaveLength(1);
  expect(await takeAll("next")).toEqual({ chain: null, job: null, callbacks: [] });

  await endLeases(db, now);
  const next = await takeAll("next");
  expect(next).toMatchObject({ chain: { fence: { fence: "2" } }, job: { fence: "2" } });
  expect(next.callbacks).toHaveLength(1);
  expect(await renewLease(db, killed.chain!.fence, minute, null, now)).toBe(false);
  expect(await killed.job!.renew()).toBe(false);
});
