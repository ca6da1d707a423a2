import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeAccounts, arrangeCallbacks } from "../../../test/support/dispatching.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { relayEvents } from "./event-feed.ts";
import { recordEvents } from "./record-events.ts";

const database = useDatabase();

beforeEach(async () => {
  await database.sql("truncate callback, event, event_feed cascade");
  await arrangeAccounts(database, ["7", "8"]);
});

const url = "https://shop.example/";
const arrange = (accountId: string, count: number) =>
  arrangeCallbacks(
    database.db,
    Array.from({ length: count }, () => ["21", url] as const),
    { accountId },
  );

type Row = { account_id: string; id: string; seq: string | null };
const events = () =>
  database.sql<Row>("select account_id, id, seq from event order by account_id, seq, id");
async function numbersOf(accountId: string): Promise<(number | null)[]> {
  const rows = (await events()).filter((row) => row.account_id === accountId);
  return rows.map((row) => (row.seq === null ? null : Number(row.seq)));
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("relayEvents", () => {
  it("numbers each account's events from 1 in the order of their ids", async () => {
    await arrange("7", 3);
    await arrange("8", 2);
    await arrange("7", 1);
    expect(await relayEvents(database)).toBe(6);
    expect(await numbersOf("7")).toEqual([1, 2, 3, 4]);
    expect(await numbersOf("8")).toEqual([1, 2]);
    const ids = (await events())
      .filter((row) => row.account_id === "7")
      .map((row) => Number(row.id));
    expect(ids).toEqual(ids.toSorted((left, right) => left - right));
    expect(await relayEvents(database)).toBe(0);
  });

  it("gives an event that commits late a number after those already read", async () => {
    let commit = (): void => undefined;
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let isRecorded = (): void => undefined;
    const recorded = new Promise<void>((resolve) => {
      isRecorded = resolve;
    });
    const late = database.db.transaction(async (tx) => {
      const event = {
        accountId: "7",
        objectType: "deposit" as const,
        objectId: "99",
        transferId: null,
        trigger: "late",
        key: "late",
        payload: { data: {}, included: [] },
        callbackUrl: null,
        endpoints: null,
        credentialId: "4",
        createdAt: systemClock.now(),
      };
      await recordEvents(tx, [event], systemRandom);
      isRecorded();
      await mayCommit;
    });
    await recorded;
    await arrange("7", 2);
    await relayEvents(database);
    expect(await numbersOf("7")).toEqual([1, 2]);
    commit();
    await late;
    await relayEvents(database);
    expect(await numbersOf("7")).toEqual([1, 2, 3]);
    const [row] = await database.sql<Row>("select seq from event where trigger = 'late'");
    expect(row!.seq).toBe("3");
  });

  it("leaves no gap and repeats no number when two relays run at once", async () => {
    await arrange("7", 300);
    await arrange("8", 300);
    const rounds = upTo(6).map(() => relayEvents(database));
    await arrange("7", 50);
    await Promise.all(rounds);
    await relayEvents(database);
    expect(await numbersOf("7")).toEqual(upTo(350));
    expect(await numbersOf("8")).toEqual(upTo(300));
  });

  it("numbers several batches in one run", async () => {
    await arrange("7", 4_500);
    expect(await relayEvents(database)).toBe(4_500);
    expect(await numbersOf("7")).toEqual(upTo(4_500));
  });
});
