import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import type { NewEvent } from "./new-event.ts";
import { recordEvents } from "./record-events.ts";

const database = useDatabase();

beforeEach(async () => {
  await database.sql("truncate callback, event cascade");
});

function newEvent(changes: Partial<NewEvent>): NewEvent {
  return {
    accountId: "7",
    objectType: "deposit",
    objectId: "21",
    transferId: null,
    trigger: "status",
    key: "deposit:21:status:3",
    payload: { data: { type: "deposit", id: "21" }, included: [] },
    callbackUrl: "https://shop.example:8443/paid?x=1",
    endpoints: "selecting",
    credentialId: "4",
    createdAt: instantFromSeconds(1_800_000_000),
    ...changes,
  };
}

const callbacks = () => database.sql<Record<string, unknown>>("select * from callback order by id");

describe("recordEvents", () => {
  it("creates a callback that is due at once for an event with a callback URL", async () => {
    expect(await recordEvents(database.db, [newEvent({})], systemRandom)).toBe(1);
    const [callback] = await callbacks();
    expect(callback).toMatchObject({
      account_id: "7",
      object_id: "21",
      credential_id: "4",
      url: "https://shop.example:8443/paid?x=1",
      host: "shop.example:8443",
      status: "pending",
      attempts: 0,
      due_at: 1_800_000_000_000_000,
      created_at: 1_800_000_000_000_000,
    });
    expect(callback!["webhook_id"]).toMatch(/^msg_[0-9a-f]{32}$/);
    const [event] = await database.sql<{ payload: unknown; seq: string | null }>(
      "select * from event",
    );
    expect(event).toMatchObject({ payload: newEvent({}).payload, seq: null, trigger: "status" });
  });

  it("adds an event without a valid callback URL to the feed only", async () => {
    const events = [
      newEvent({ callbackUrl: null }),
      newEvent({ key: "b", callbackUrl: "not a url" }),
    ];
    expect(await recordEvents(database.db, events, systemRandom)).toBe(2);
    expect(await callbacks()).toEqual([]);
  });

  it("records an event and its callback once per key, across calls and within one", async () => {
    await recordEvents(database.db, [newEvent({})], systemRandom);
    const again = [
      newEvent({}),
      newEvent({ key: "new" }),
      newEvent({ key: "new", trigger: "seen" }),
    ];
    expect(await recordEvents(database.db, again, systemRandom)).toBe(1);
    expect(await callbacks()).toHaveLength(2);
    expect(await recordEvents(database.db, [newEvent({ accountId: "8" })], systemRandom)).toBe(1);
  });

  it("assigns ids in the order of the events", async () => {
    const keys = Array.from({ length: 200 }, (_, index) => `k${(index * 73) % 200}`);
    await recordEvents(
      database.db,
      keys.map((key) => newEvent({ key })),
      systemRandom,
    );
    const rows = await database.sql<{ event_key: string }>(
      "select event_key from callback join event on event.account_id = callback.account_id and event.id = event_id order by callback.id",
    );
    expect(rows.map((row) => row.event_key)).toEqual(keys);
  });

  it("records nothing when its transaction rolls back", async () => {
    const work = database.db.transaction(async (tx) => {
      await recordEvents(tx, [newEvent({})], systemRandom);
      throw new Error("stop");
    });
    await expect(work).rejects.toThrow("stop");
    expect(await database.sql("select 1 from event")).toEqual([]);
    expect(await callbacks()).toEqual([]);
  });

  it("runs no statement for an empty list", async () => {
    expect(await recordEvents(database.db, [], systemRandom)).toBe(0);
  });
});
