import { once } from "node:events";
import { createServer } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyCallback } from "../../../client/src/verify-callback.ts";
import { answerWith } from "../../../test/support/callback-receiver.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeCallbacks,
  credential,
  dispatchContext,
  startDispatcher,
  webhookSecret,
} from "../../../test/support/dispatching.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { useDispatching } from "../../../test/support/use-dispatching.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";

const database = useDatabase();
const { receiver, dispatcher, attempts, finished, toClose } = useDispatching(database);

describe("a callback", () => {
  it("is a signed JSON POST, delivered by a single 200 response", async () => {
    const shop = await receiver();
    dispatcher();
    await arrangeCallbacks(database.db, [["21", `${shop.url}?order=%C3%A4`]]);
    const [row] = await finished();
    expect(row).toMatchObject({ status: "delivered", attempts: 1, last_status_code: 200 });
    expect(shop.received).toHaveLength(1);
    const received = shop.received[0]!;
    expect(received.method).toBe("POST");
    expect(received.path).toBe("/callback?order=%C3%A4");
    expect(received.headers).toMatchObject({
      host: shop.host,
      "content-type": "application/json",
      "accept-encoding": "identity",
      "content-length": String(Buffer.byteLength(received.body)),
      "webhook-id": row!.webhook_id,
    });
    expect(Object.keys(received.document)).toEqual(["data", "included", "meta"]);
    const secrets = { credential, webhookSecret };
    expect((await verifyCallback(received, secrets)).isGenuine).toBe(true);
    const headers = received.headers as Record<string, string>;
    new Webhook(webhookSecret).verify(received.body, headers);
  });

  it("is retried after any other response, with a new time and sign and the same webhook-id", async () => {
    const statuses = [500, 204, 410];
    const shop = await receiver((response) => {
      answerWith(statuses.shift() ?? 200, {}, "answer")(response, shop.received[0]!);
    });
    dispatcher();
    await arrangeCallbacks(database.db, [["21", shop.url]]);
    expect(await finished()).toMatchObject([{ status: "delivered", attempts: 4 }]);
    expect((await attempts()).map((row) => row.status_code)).toEqual([500, 204, 410, 200]);
    const ids = new Set(shop.received.map((one) => one.headers["webhook-id"]));
    const times = new Set(shop.received.map((one) => one.document.meta.time));
    const signs = new Set(shop.received.map((one) => one.document.meta.sign));
    expect([ids.size, times.size, signs.size]).toEqual([1, 4, 4]);
    for (const received of shop.received) {
      const verdict = await verifyCallback(received, { credential, webhookSecret });
      expect(verdict.isGenuine).toBe(true);
    }
  });

  it("is exhausted after its last attempt", async () => {
    const shop = await receiver(answerWith(503));
    dispatcher();
    await arrangeCallbacks(database.db, [["21", shop.url]]);
    expect(await finished()).toMatchObject([{ status: "exhausted", attempts: 4 }]);
    expect(shop.received).toHaveLength(4);
  });

  it("does not follow redirects", async () => {
    const other = await receiver();
    const shop = await receiver(answerWith(307, { location: other.url }));
    dispatcher({ retryDelaysSeconds: [] });
    await arrangeCallbacks(database.db, [["21", shop.url]]);
    expect(await finished()).toMatchObject([{ status: "exhausted", last_status_code: 307 }]);
    expect(other.received).toEqual([]);
  });

  it("is delayed by Retry-After to at most twice its scheduled delay", async () => {
    const shop = await receiver(answerWith(429, { "retry-after": "3600" }));
    dispatcher({ retryDelaysSeconds: [600], retryJitter: 0 });
    const before = systemClock.now();
    await arrangeCallbacks(database.db, [["21", shop.url]]);
    const [row] = await eventually(
      () => database.sql<{ due_at: number }>("select due_at from callback where attempts = 1"),
      (rows) => rows.length === 1,
    );
    const seconds = (row!.due_at - before) / 1_000_000;
    expect(seconds).toBeGreaterThan(1_199);
    expect(seconds).toBeLessThan(1_800);
  });

  it("stores 2 KiB of the response and closes the connection after 64 KiB", async () => {
    let closedEarly = false;
    const shop = await receiver((response) => {
      response.on("close", () => {
        closedEarly = !response.writableFinished;
      });
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
        response.once("drain", pour);
      };
      pour();
    });
    dispatcher();
    await arrangeCallbacks(database.db, [["21", shop.url]]);
    expect(await finished()).toMatchObject([{ status: "delivered" }]);
    const [attempt] = await attempts();
    expect(attempt!.answer_head!.toString()).toBe("x".repeat(2048));
    await eventually(
      () => closedEarly,
      (value) => value,
    );
  });

  /** The machine's clock, except that long sleeps end when the test calls `endLongSleeps`, however slow the machine is. */
  function patientClock() {
    const over = Promise.withResolvers<undefined>();
    const clock: Clock = {
      now: systemClock.now,
      sleep: (delayMs, signal) => {
        if (delayMs < 600_000) return systemClock.sleep(delayMs, signal);
        signal?.addEventListener("abort", () => {
          over.resolve(undefined);
        });
        return over.promise;
      },
    };
    return {
      clock,
      endLongSleeps: () => {
        over.resolve(undefined);
      },
    };
  }

  it("ends an attempt after the total timeout when the receiver never answers or never finishes", async () => {
    const silent = await receiver(() => undefined);
    let trickled = 0;
    const trickling = await receiver((response) => {
      response.writeHead(500);
      const trickle = async (): Promise<void> => {
        while (!response.destroyed) {
          response.write("x");
          trickled += 1;
          await systemClock.sleep(50);
        }
      };
      void trickle();
    });
    const { clock, endLongSleeps } = patientClock();
    const settings = { retryDelaysSeconds: [], totalTimeoutMs: 3_600_000, leaseSeconds: 7_200 };
    const running = startDispatcher({ ...dispatchContext(database.db, settings), clock });
    toClose.push(running.stop);
    await arrangeCallbacks(database.db, [
      ["21", silent.url],
      ["22", trickling.url],
    ]);
    await eventually(
      () => [silent.received.length, trickled],
      ([requests = 0, written = 0]) => requests === 1 && written >= 10,
    );
    expect(await attempts()).toEqual([]);
    endLongSleeps();
    await finished();
    expect(await attempts()).toMatchObject([
      { status_code: null, error: "timed_out", answer_head: null },
      { status_code: 500, error: null },
    ]);
  });

  it.each([
    ["no server listens", "http://127.0.0.1:9/", "connect_failed"],
    ["the address is no longer allowed", "http://10.0.0.1/", "address_refused"],
    ["a name resolves to this machine", "http://shop.example:9/", "connect_failed"],
  ])("records why an attempt failed: %s", async (_, url, error) => {
    dispatcher({ retryDelaysSeconds: [] });
    await arrangeCallbacks(database.db, [["21", url]]);
    await finished();
    expect(await attempts()).toMatchObject([{ error, status_code: null }]);
  });

  it("records a response that is not HTTP as a failed attempt", async () => {
    const server = createServer((socket) => {
      socket
        .on("error", () => undefined)
        .resume()
        .write("SSH-2.0-x\r\n");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    toClose.push(async () => {
      server.close();
      await once(server, "close");
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    dispatcher({ retryDelaysSeconds: [] });
    await arrangeCallbacks(database.db, [["21", `http://127.0.0.1:${port}/`]]);
    await finished();
    expect(await attempts()).toMatchObject([{ error: "malformed_answer" }]);
  });
});
