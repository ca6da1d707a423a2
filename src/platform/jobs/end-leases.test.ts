import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { addSeconds, type Instant } from "../kernel/clock.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";
import { endFutureLeases, endLeases } from "./end-leases.store.ts";
import { acquireLease } from "./lease.ts";

const { db, sql } = useDatabase();
const clock = manualClock();

const take = (name: string, holder: string) => acquireLease({ db, clock, holder }, name, 60_000);

const secondsLater = (seconds: number): string => formatTimestamp(addSeconds(clock.now(), seconds));

/** A chain whose lease, and windows of the same name, expire or opened that many seconds from now. */
async function arrange(name: string, seconds: number): Promise<void> {
  const at = secondsLater(seconds);
  await sql(
    `insert into chain_cursor (chain, network, lease_holder, lease_expires_at, updated_at)
     values ($1, 'test', 'a process', $2, $3)`,
    [name, at, secondsLater(0)],
  );
  await sql(
    "insert into throttle_window (bucket, opened_at, granted, leased) values ($1, $2, 1, 1)",
    [name, at],
  );
  await sql("insert into guess_window (bucket, opened_at, guesses) values ($1, $2, 1)", [name, at]);
}

const heldChains = () =>
  sql<{ chain: string; until: Instant }>(
    `select chain, lease_expires_at as until from chain_cursor
     where lease_holder is not null or lease_expires_at is not null order by chain`,
  );

describe("endFutureLeases", () => {
  it("frees leases and throttle windows left from a time when the server's clock was ahead, and no others", async () => {
    await arrange("an hour ahead", 3_600);
    await arrange("more than an hour ahead", 3_601);
    clock.advance(86_400);
    await take("left over", "dead");
    clock.advance(-86_400);
    await take("current", "alive");
    expect(await take("left over", "next")).toBeNull();

    await endFutureLeases(db, clock.now());
    expect((await take("left over", "next"))?.fence).toBe("2");
    expect(await take("current", "next")).toBeNull();
    const rest = { chain: "an hour ahead", until: addSeconds(clock.now(), 3_600) };
    expect(await heldChains()).toEqual([rest]);
    for (const table of ["throttle_window", "guess_window"])
      expect(await sql(`select bucket from ${table}`)).toEqual([{ bucket: rest.chain }]);
  });
});

describe("endLeases", () => {
  it("ends what dead processes hold: chains, jobs, and claims of callbacks and emails", async () => {
    await arrange("held", 60);
    await take("also held", "dead");
    const times = [secondsLater(0), secondsLater(60)];
    await sql(
      `with owner as (
         insert into account (name, webhook_secret_sealed, created_at) values ('a', '', $1) returning id
       ), happened as (
         insert into event (account_id, object_type, object_id, trigger, event_key, payload, created_at)
         select id, 'deposit', 1, 'seen', '', '{}', $1 from owner returning account_id, id
       ), callbacks as (
         insert into callback (account_id, event_id, object_type, object_id, credential_id, url, host, webhook_id,
                               status, due_at, claimed_until, created_at, updated_at)
         select account_id, id, 'deposit', 1, 1, '', '', '', 'pending', $1, $2::timestamptz, $1, $1 from happened
       )
       insert into email (account_id, kind, content, status, due_at, claimed_until, created_at, updated_at)
       select id, 'test', '{}', 'pending', $1, $2::timestamptz, $1, $1 from owner`,
      times,
    );
    clock.advance(1);

    await endLeases(db, clock.now());
    expect(await heldChains()).toEqual([]);
    expect(await sql("select updated_at as at from chain_cursor where chain = 'held'")).toEqual([
      { at: clock.now() },
    ]);
    expect((await take("also held", "next"))?.fence).toBe("2");
    for (const table of ["callback", "email"])
      expect(await sql(`select claimed_until as until from ${table}`)).toEqual([{ until: null }]);
  });
});
