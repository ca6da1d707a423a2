import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";
import { manualClock } from "../../test/support/manual-clock.ts";
import type { Executor } from "../db/database.ts";
import { silentLogger } from "../kernel/logger.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { createMetrics } from "./metrics.ts";
import { operationsOverHttp, operationsRoutes } from "./operations-routes.ts";
import { serveOperations } from "./serve-operations.ts";
import { Teardown } from "./teardown.ts";

/* What monitoring asks: who gets an answer on the API's port, what many askers cost, and that no request ends a worker. */

function monitored({ isAdmitted = true, isAway = false } = {}) {
  const asked: string[] = [];
  const errors: unknown[] = [];
  const db: Executor = {
    query: ({ name }) => {
      asked.push(name);
      if (isAway) return Promise.reject(new Unavailable("database", "no connection"));
      return Promise.resolve(
        (name === "admission.read" ? [{ admitted: isAdmitted }] : []) as never,
      );
    },
  };
  const clock = manualClock();
  const logger = { ...silentLogger, error: (...line: unknown[]) => void errors.push(line) };
  const context = { db, clock, logger, enabledChains: new Set<string>() };
  const metrics = createMetrics(db, clock);
  return { asked, clock, context, errors, metrics, routes: operationsRoutes(context, metrics) };
}

const here = { networks: ["127.0.0.1"], trustedProxies: 0 };

test.each([
  ["this machine", "127.0.0.1", {}, here, 200],
  ["a stranger", "203.0.113.9", {}, here, 404],
  [
    "a stranger through a proxy that nobody configured",
    "127.0.0.1",
    { "x-forwarded-for": "203.0.113.9" },
    here,
    404,
  ],
  ["one who says to come through a proxy", "127.0.0.1", { forwarded: "for=127.0.0.1" }, here, 404],
  ["anyone where no network is named", "127.0.0.1", {}, { networks: [], trustedProxies: 0 }, 404],
])(
  "/metrics is answered to %s accordingly",
  async (_who, remoteAddress, headers, keepers, status) => {
    const { server } = apiServer(operationsOverHttp(monitored().routes, keepers));
    const answer = await server.inject({ url: "/metrics", remoteAddress, headers });
    expect(answer.statusCode).toBe(status);
    const ready = await server.inject({ url: "/readyz", remoteAddress, headers });
    expect(ready.statusCode).toBe(200);
  },
);

test("a database that nothing is given out from yet is not ready: deposits and payouts would answer 503", async () => {
  const { server } = apiServer(operationsOverHttp(monitored({ isAdmitted: false }).routes, here));
  const answer = await server.inject({ url: "/readyz" });
  expect([answer.statusCode, answer.json()]).toEqual([
    503,
    { ready: false, database: "unproven", chains: {} },
  ]);
});

test("however many ask at once, the database is asked once", async () => {
  const { asked, clock, routes } = monitored();
  const { server } = apiServer(operationsOverHttp(routes, here));
  const askAll = async (url: string): Promise<void> => {
    await Promise.all(Array.from({ length: 20 }, () => server.inject({ url })));
  };
  await askAll("/readyz");
  const forReadiness = asked.length;
  expect(new Set(asked).size).toBe(forReadiness);
  await askAll("/metrics");
  const afterMetrics = asked.length;
  expect(new Set(asked).size).toBeGreaterThanOrEqual(afterMetrics - 1);
  clock.advance(5);
  await askAll("/metrics");
  expect(asked.length).toBe(afterMetrics + (afterMetrics - forReadiness));
});

const teardowns: Teardown[] = [];
afterEach(async () => {
  await Promise.all(teardowns.splice(0).map((teardown) => teardown.run()));
});

/** Asks a worker's own server, which listens on a port of its own, by the first line of a request; answers the status. */
async function workerServer({
  context,
  metrics,
}: ReturnType<typeof monitored>): Promise<(line: string) => Promise<string>> {
  const teardown = new Teardown(silentLogger);
  teardowns.push(teardown);
  const anyPort = { host: "127.0.0.1", port: 0 };
  const port = await serveOperations(context, metrics, anyPort, teardown);
  return (line) =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      });
      let answer = "";
      socket.on("data", (chunk) => {
        answer += chunk.toString();
      });
      socket.on("error", reject);
      socket.on("close", () => {
        resolve(answer.split(" ")[1] ?? "");
      });
    });
}

test("a worker's own server outlives requests that are no URLs", async () => {
  const statusOf = await workerServer(monitored());
  expect(await statusOf("GET //")).toBe("404");
  expect(await statusOf("GET http://[::")).toBe("404");
  expect(await statusOf("POST /healthz")).toBe("405");
  expect(await statusOf("GET /healthz/?now")).toBe("200");
  expect(await statusOf("GET /metrics")).toBe("200");
});

test("what a worker's own server could not answer is logged", async () => {
  const away = monitored({ isAway: true });
  const statusOf = await workerServer(away);
  expect(await statusOf("GET /metrics")).toBe("500");
  expect(await statusOf("GET /readyz")).toBe("503");
  expect(away.errors).toEqual([
    ["request failed", { route: "/metrics", error: "database: no connection" }],
  ]);
});
