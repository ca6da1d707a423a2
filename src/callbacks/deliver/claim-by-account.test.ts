/** Claims callbacks account by account, as in a distributed database: what is claimed equals what one statement for all accounts claims. */
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeCallbacks } from "../../../test/support/dispatching.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { chooseClaiming, claimByAccount } from "./claim-by-account.store.ts";
import { claimTogether } from "./dispatch.store.ts";

const database = useDatabase();
const [one, other] = ["http://one.example/", "http://other.example/"];
const keysOf = (found: readonly { readonly accountId: string; readonly objectId: string }[]) =>
  found.map(({ accountId, objectId }) => `${accountId} ${objectId}`).toSorted();

describe("claims by account", () => {
  it("take each account's due callbacks once, only the oldest of an object", async () => {
    const { db } = database;
    const first = [
      ["1", one],
      ["1", one],
      ["2", one],
      ["3", other],
    ] as const;
    await arrangeCallbacks(db, first, { accountId: "8" });
    await arrangeCallbacks(db, [["4", one]], { accountId: "9" });
    const now = addSeconds(systemClock.now(), 5);
    const until = addSeconds(now, 30);
    const hosts = await claimByAccount.findHosts(db, now);
    const lanes = hosts.map(({ accountId, host }) => ({ accountId, host, size: 10 }));
    expect(lanes.map(({ accountId, host }) => `${accountId} ${host}`).toSorted()).toEqual([
      "8 one.example",
      "8 other.example",
      "9 one.example",
    ]);
    const [mine, theirs] = await Promise.all([
      claimByAccount.claimDue(db, lanes, now, until),
      claimByAccount.claimDue(db, lanes, now, addSeconds(until, 1)),
    ]);
    expect(keysOf([...mine, ...theirs])).toEqual(["8 1", "8 2", "8 3", "9 4"]);
    expect(
      mine.every(
        ({ payload, claimedUntil }) => payload.data["id"] !== undefined && claimedUntil === until,
      ),
    ).toBe(true);
    expect(await claimByAccount.claimDue(db, lanes, now, until)).toEqual([]);

    const later = addSeconds(until, 2);
    expect(keysOf(await claimTogether.claimDue(db, lanes, later, addSeconds(later, 30)))).toEqual(
      keysOf([...mine, ...theirs]),
    );
  });

  it.each([
    ["by account", claimByAccount],
    ["together", claimTogether],
  ])(
    "%s take what was resent and nothing else, of each receiver only what is asked",
    async (_, claiming) => {
      const { db, sql } = database;
      await sql("update callback set claimed_until = null, is_resend = object_id <> 4");
      const now = addSeconds(systemClock.now(), 5);
      const until = addSeconds(now, 30);
      const hosts = await claiming.findResent(db, now);
      expect(hosts.map(({ accountId, host }) => `${accountId} ${host}`).toSorted()).toEqual([
        "8 one.example",
        "8 other.example",
      ]);
      const claim = (size: number) =>
        claiming.claimResent(
          db,
          [...hosts, { accountId: "9", host: "one.example" }].map((host) => ({ ...host, size })),
          now,
          until,
        );
      const some = await claim(1);
      const rest = await claim(5);
      expect([keysOf(some), keysOf(rest)]).toEqual([["8 1", "8 3"], ["8 2"]]);
      expect(await claim(5)).toEqual([]);
    },
  );

  it("are those of a distributed database only", async () => {
    const [row] = await database.sql<{ found: boolean }>(
      "select exists (select 1 from schema_migration where name like 'distributed/%') as found",
    );
    const expected = row?.found === true ? claimByAccount : claimTogether;
    expect(await chooseClaiming(database.db)).toBe(expected);
  });
});
