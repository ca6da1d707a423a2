import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerWith } from "../../../test/support/callback-receiver.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeCallbacks,
  dispatchContext,
  startDispatcher,
} from "../../../test/support/dispatching.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { arrangeNotified } from "../../../test/support/notice-readers.ts";
import { useDispatching } from "../../../test/support/use-dispatching.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";

const database = useDatabase();
const { receiver, dispatcher, callbacks, finished, toClose } = useDispatching(database);

describe("dispatching several callbacks", () => {
  it("sends the deliveries of one object in order, each after the previous one has ended", async () => {
    const shop = await receiver((response, { document }) => {
      const failing = document.data.type === "failing";
      void systemClock.sleep(20).then(() => response.writeHead(failing ? 500 : 200).end());
    });
    const resource = (type: string) => ({
      payload: { data: { type, id: "21", attributes: {} }, included: [] },
    });
    await arrangeCallbacks(database.db, [["21", shop.url]], resource("failing"));
    await arrangeCallbacks(database.db, [["21", shop.url]], resource("second"));
    await arrangeCallbacks(database.db, [["22", shop.url]], resource("of another object"));
    await arrangeCallbacks(database.db, [["21", shop.url]], resource("third"));
    dispatcher();
    await finished();
    const types = shop.received.map((one) => one.document.data.type);
    expect(types.filter((type) => type !== "of another object")).toEqual([
      ...Array<string>(4).fill("failing"),
      "second",
      "third",
    ]);
    expect(types.indexOf("of another object")).toBeLessThan(types.indexOf("second"));
  });

  it("is not delayed by dead, slow or busy receivers, and sends at most five at once to each", async () => {
    const silent = await receiver(() => undefined);
    const shop = await receiver();
    const busy = await receiver((response) => {
      void systemClock.sleep(5).then(() => response.writeHead(200).end());
    });
    const ids = Array.from({ length: 60 }, (_, index) => String(index));
    const to = (url: string, offset: number) =>
      ids.map((id) => [String(Number(id) + offset), url] as const);
    await arrangeCallbacks(database.db, to(silent.url, 0));
    await arrangeCallbacks(database.db, to("http://127.0.0.1:9/", 100));
    await arrangeCallbacks(database.db, [...to(busy.url, 200), ...to(busy.url, 400)]);
    await arrangeCallbacks(database.db, to(shop.url, 300));
    dispatcher({ totalTimeoutMs: 600_000, leaseSeconds: 900, retryDelaysSeconds: [3600] });
    await eventually(
      () => shop.received.length,
      (count) => count === 60,
    );
    await eventually(
      () => busy.received.length,
      (count) => count === 120,
    );
    expect(silent.received).toHaveLength(1);
    expect(silent.open.now).toBe(1);
    expect(busy.open.most).toBeGreaterThan(1);
    expect(busy.open.most).toBeLessThanOrEqual(5);
    expect(shop.open.most).toBeLessThanOrEqual(5);
  });

  it("is not delayed by another account's many manual resends to a receiver that never answers", async () => {
    const [silent, shop] = [await receiver(() => undefined), await receiver()];
    const resent = Array.from({ length: 50 }, (_, index) => [String(index), silent.url] as const);
    await arrangeCallbacks(database.db, resent);
    await database.sql("update callback set is_resend = true");
    await arrangeCallbacks(database.db, [["90", shop.url]], { accountId: "8" });
    dispatcher({ heldMax: 20, totalTimeoutMs: 600_000, leaseSeconds: 900 });
    await eventually(
      () => [shop.received.length, silent.received.length],
      ([delivered, asked]) => delivered === 1 && asked === 1,
    );
    const hanging = (await callbacks()).filter((row) => row.object_id !== "90");
    expect(hanging.filter((row) => row.claimed_until !== null)).toHaveLength(1);
  });

  it("never sends one callback twice at the same time from several dispatchers", async () => {
    const underWay = new Map<string, number>();
    let mostAtOnce = 0;
    const shop = await receiver((response, { headers }) => {
      const id = String(headers["webhook-id"]);
      const count = (underWay.get(id) ?? 0) + 1;
      underWay.set(id, count);
      mostAtOnce = Math.max(mostAtOnce, count);
      void systemClock.sleep(3).then(() => {
        underWay.set(id, count - 1);
        response.writeHead(200).end();
      });
    });
    const ids = Array.from({ length: 300 }, (_, index) => String(index % 150));
    await arrangeCallbacks(
      database.db,
      ids.map((id) => [id, shop.url] as const),
    );
    dispatcher();
    dispatcher();
    dispatcher();
    const rows = await finished();
    expect(rows.every((row) => row.status === "delivered" && row.attempts === 1)).toBe(true);
    expect(shop.received).toHaveLength(300);
    expect(mostAtOnce).toBe(1);
  });

  it("sends a callback again, with the same webhook-id, after a dispatcher is killed before recording it", async () => {
    const shop = await receiver(() => undefined);
    await arrangeCallbacks(database.db, [["21", shop.url]]);
    const script = join(import.meta.dirname, "../../../test/support/dispatch-process.ts");
    const child = spawn(process.execPath, [script, database.url], { stdio: "inherit" });
    await eventually(
      () => shop.received.length,
      (count) => count === 1,
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    shop.answer = answerWith(200);
    // Its claim expires.
    await database.sql("update callback set claimed_until = $1", ["2020-01-01"]);
    dispatcher();
    expect(await finished()).toMatchObject([{ status: "delivered", attempts: 1 }]);
    const ids = shop.received.map((one) => one.headers["webhook-id"]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it("releases unfinished callbacks when a dispatcher stops", async () => {
    const shop = await receiver(() => undefined);
    await arrangeCallbacks(database.db, [
      ["21", shop.url],
      ["22", shop.url],
    ]);
    const running = startDispatcher(dispatchContext(database.db, { leaseSeconds: 3600 }));
    await eventually(
      () => shop.received.length,
      (count) => count === 1,
    );
    await running.stop();
    expect(await callbacks()).toMatchObject([
      { status: "pending", attempts: 0, claimed_until: null },
      { status: "pending", attempts: 0, claimed_until: null },
    ]);
  });

  type HostRow = { consecutive_failures: number; openings: number; open_until: number | null };
  const hosts = () => database.sql<HostRow>("select * from callback_host");

  it("opens the breaker after ten failures in a row, and one successful probe closes it", async () => {
    const shop = await receiver(answerWith(500));
    const ids = Array.from({ length: 30 }, (_, index) => String(index));
    await arrangeCallbacks(
      database.db,
      ids.map((id) => [id, shop.url] as const),
    );
    dispatcher({ retryDelaysSeconds: [1, 1, 1, 1], openSecondsMin: 3600, openSecondsMax: 7200 });
    await eventually(hosts, (rows) => rows[0]?.openings === 1);
    await systemClock.sleep(300);
    expect(shop.received).toHaveLength(10);
    expect(await callbacks().then((rows) => rows.every((row) => row.status === "pending"))).toBe(
      true,
    );

    await database.sql("update callback_host set open_until = $1", ["2020-01-01"]);
    await eventually(hosts, (rows) => rows[0]?.openings === 2);
    expect(shop.received).toHaveLength(11);
    expect((await hosts())[0]!.open_until! - systemClock.now()).toBeGreaterThan(7_100_000_000);

    shop.answer = answerWith(200);
    await database.sql("update callback_host set open_until = $1", ["2020-01-01"]);
    const rows = await finished();
    expect(rows.every((row) => row.status === "delivered")).toBe(true);
    expect(await hosts()).toMatchObject([
      { consecutive_failures: 0, openings: 0, open_until: null },
    ]);
  });

  it("sends a manual resend once while the breaker is open, and nothing else", async () => {
    const shop = await receiver(answerWith(500));
    await arrangeCallbacks(database.db, [
      ["21", shop.url],
      ["22", shop.url],
    ]);
    await database.sql("update callback set is_resend = true where object_id = 22");
    await database.sql(
      `insert into callback_host (account_id, host, consecutive_failures, openings, open_until, updated_at)
     values (7, $1, 10, 1, '2099-01-01', '2020-01-01')`,
      [shop.host],
    );
    dispatcher({ retryDelaysSeconds: [0, 0] });
    await eventually(callbacks, ([, resent]) => resent?.attempts === 1);
    await systemClock.sleep(300);
    expect((await callbacks()).map((row) => row.attempts)).toEqual([0, 1]);

    shop.answer = answerWith(200);
    await database.sql("update callback set is_resend = true where object_id = 22");
    const rows = await finished();
    expect(rows.every((row) => row.status === "delivered")).toBe(true);
  });

  it("notifies of three failures in a row, with what the last one was answered", async () => {
    const member = await arrangeNotified({ database, clock: manualClock() }, ["webhook_failing"]);
    const shop = await receiver(answerWith(503));
    await arrangeCallbacks(database.db, [["21", shop.url]], { accountId: member.accountId });
    dispatcher();
    await finished();
    const notices = await database.sql(
      "select content -> 'event' as event from notice where member_id = $1",
      [member.memberId],
    );
    const answer = { statusCode: 503, error: null };
    const host = new URL(shop.url).host;
    expect(notices).toEqual([{ event: { kind: "webhook_failing", host, answer } }]);
  });

  /** A database that holds back its first answer to the named statement once `isTime` holds, until a transaction has ended. */
  function holdingAnswer(name: string, isTime: () => boolean) {
    const over = Promise.withResolvers<undefined>();
    const state = { isHeld: false, scans: 0 };
    const query: typeof database.db.query = async (statement, values) => {
      if (statement.name === "callbacks.any-available") state.scans += 1;
      const isIt = statement.name === name && !state.isHeld && isTime();
      const rows = await database.db.query(statement, values);
      if (!isIt || rows.length === 0) return rows;
      state.isHeld = true;
      await over.promise;
      return rows;
    };
    const transaction: typeof database.db.transaction = async (work) => {
      const result = await database.db.transaction(work);
      // After the transaction's caller has continued.
      void systemClock.sleep(1).then(() => {
        over.resolve(undefined);
      });
      return result;
    };
    return { db: { ...database.db, query, transaction }, state };
  }

  it.each([
    ["a scan for receivers", "callbacks.available-hosts"],
    ["a claim", "callbacks.claim"],
  ])("sends nothing more after the breaker opens during %s", async (_what, name) => {
    let delivered = 0;
    const { db, state } = holdingAnswer(name, () => delivered === 2);
    const shop = await receiver((response) => {
      if (shop.received.length < 3) {
        delivered += 1;
        response.writeHead(200).end();
        return;
      }
      void eventually(
        () => state.isHeld,
        (isHeld) => isHeld,
      ).then(() => response.writeHead(500).end());
    });
    const ids = Array.from({ length: 9 }, (_, index) => String(index));
    await arrangeCallbacks(
      database.db,
      ids.map((id) => [id, shop.url] as const),
    );
    // One delivery at a time, with two callbacks claimed ahead: a claim runs during a delivery.
    const lane = { perHostMax: 1, claimAhead: 2, fastMs: 60_000 };
    const settings = { ...lane, failuresToOpen: 1, openSecondsMin: 3600 };
    const running = startDispatcher(dispatchContext(db, settings));
    toClose.push(running.stop);
    await eventually(hosts, (rows) => rows[0]?.openings === 1);
    const { scans } = state;
    await eventually(
      () => state.scans,
      (count) => count > scans + 3,
    );
    expect(shop.received).toHaveLength(3);
    const rows = await eventually(callbacks, (all) =>
      all.every(({ claimed_until }) => claimed_until === null),
    );
    expect(rows.map(({ status }) => status)).toEqual([
      ...Array<string>(2).fill("delivered"),
      ...Array<string>(7).fill("pending"),
    ]);
  });

  it("sends a probe that was taken before an older failure was recorded", async () => {
    const shop = await receiver((response) => {
      response.writeHead(shop.received.length === 1 ? 500 : 200).end();
    });
    await arrangeCallbacks(database.db, [
      ["21", shop.url],
      ["22", shop.url],
    ]);
    const isTaken = Promise.withResolvers<undefined>();
    let transactions = 0;
    const transaction: typeof database.db.transaction = async (work) => {
      transactions += 1;
      const recordsFailure = transactions === 1;
      const result = await database.db.transaction(work);
      // The failure is recorded late; the next transaction is the probe's.
      if (recordsFailure) await isTaken.promise;
      else isTaken.resolve(undefined);
      return result;
    };
    const settings = { failuresToOpen: 1, openSecondsMin: 3600 };
    const running = startDispatcher(dispatchContext({ ...database.db, transaction }, settings));
    toClose.push(running.stop);
    await eventually(hosts, (rows) => rows[0]?.openings === 1);
    await database.sql("update callback_host set open_until = $1", ["2020-01-01"]);
    expect(await finished()).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
  });

  it("lets only one of several dispatchers probe a half-open receiver", async () => {
    const shop = await receiver(() => undefined);
    const ids = Array.from({ length: 9 }, (_, index) => String(index));
    await arrangeCallbacks(
      database.db,
      ids.map((id) => [id, shop.url] as const),
    );
    await database.sql(
      `insert into callback_host (account_id, host, consecutive_failures, openings, open_until, updated_at)
     values (7, $1, 10, 1, '2020-01-01', '2020-01-01')`,
      [shop.host],
    );
    dispatcher({ leaseSeconds: 900, totalTimeoutMs: 600_000 });
    dispatcher({ leaseSeconds: 900, totalTimeoutMs: 600_000 });
    await eventually(
      () => shop.received.length,
      (count) => count === 1,
    );
    await systemClock.sleep(300);
    expect(shop.received).toHaveLength(1);
  });
});
