import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { createClockGuard } from "../../platform/db/clock-guard.ts";
import type { Executor } from "../../platform/db/database.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { Teardown } from "../processes/teardown.ts";
import { createMetrics } from "./metrics.ts";
import { operationsRoutes, restrictedOperationsRoutes } from "./operations-routes.ts";
import { serveOperations } from "./serve-operations.ts";

/*
 * Requests of monitoring systems: who may read what on the API's port, what many requests cost, and that no request ends a
 * worker.
 */

function monitored({ isAdmitted = true, isAway = false, isReadOnly = false, clockAhead = 0 } = {}) {
  const clock = manualClock();
  const requests: string[] = [];
  const logged: unknown[] = [];
  const away: { because: Error | null } = {
    because: isAway ? new Unavailable("database", "no connection") : null,
  };
  const db: Executor = {
    query: ({ name }) => {
      requests.push(name);
      if (away.because !== null) return Promise.reject(away.because);
      if (name === "operations.read-is-read-only")
        return Promise.resolve([{ is_read_only: isReadOnly }] as never);
      if (name === "clock-guard.read-time")
        return Promise.resolve([{ at: addSeconds(clock.now(), -clockAhead) }] as never);
      return Promise.resolve(
        (name === "admission.read" ? [{ admitted: isAdmitted }] : []) as never,
      );
    },
  };
  const take =
    (level: string) =>
    (...line: unknown[]): void =>
      void logged.push([level, ...line]);
  const logger = { ...silentLogger, info: take("info"), error: take("error") };
  const clockGuard = createClockGuard({ db, clock, logger, maxSkewMs: 2_000 });
  const context = { db, clock, clockGuard, logger, enabledChains: new Set<string>() };
  const metrics = createMetrics(db, clock, clockGuard);
  return {
    requests,
    clock,
    context,
    away,
    logged,
    metrics,
    routes: operationsRoutes(context, metrics),
  };
}

const here = { networks: ["127.0.0.1"], trustedProxies: 0 };

it.each([
  ["this machine with 200", "127.0.0.1", {}, here, 200],
  ["another machine with 404", "203.0.113.9", {}, here, 404],
  [
    "another machine behind an unconfigured proxy with 404",
    "127.0.0.1",
    { "x-forwarded-for": "203.0.113.9" },
    here,
    404,
  ],
  [
    "a request that claims to be forwarded with 404",
    "127.0.0.1",
    { forwarded: "for=127.0.0.1" },
    here,
    404,
  ],
  [
    "every machine with 404 if no network is allowed",
    "127.0.0.1",
    {},
    { networks: [], trustedProxies: 0 },
    404,
  ],
])("answers /metrics to %s", async (_who, remoteAddress, headers, keepers, status) => {
  const { server } = apiServer(restrictedOperationsRoutes(monitored().routes, keepers));
  const answer = await server.inject({ url: "/metrics", remoteAddress, headers });
  expect(answer.statusCode).toBe(status);
  const ready = await server.inject({ url: "/readyz", remoteAddress, headers });
  expect(ready.statusCode).toBe(200);
});

describe("/readyz", () => {
  const ask = async (options: Parameters<typeof monitored>[0], url: string) => {
    const { server } = apiServer(restrictedOperationsRoutes(monitored(options).routes, here));
    const answer = await server.inject({ url });
    return [answer.statusCode, answer.json<unknown>()];
  };
  const serving = { ready: true, database: "ok", clock_ahead_seconds: 0 };

  it.each<[string, Parameters<typeof monitored>[0], object]>([
    ["a database that is read-only", { isReadOnly: true }, { database: "read_only" }],
    [
      "a database that is away",
      { isAway: true },
      { database: "unavailable", clock_ahead_seconds: null },
    ],
    ["a clock that is ahead", { clockAhead: 2.001 }, { clock_ahead_seconds: 2.001 }],
    ["a clock that is behind", { clockAhead: -2.001 }, { clock_ahead_seconds: -2.001 }],
  ])("answers 503 for %s", async (_what, options, expected) => {
    expect(await ask(options, "/readyz")).toEqual([503, { ...serving, ready: false, ...expected }]);
  });

  it("answers 200 while this process can serve, whatever the state of chains and workers", async () => {
    expect(await ask({ isAdmitted: false }, "/readyz")).toEqual([200, serving]);
    expect(await ask({ clockAhead: 2 }, "/readyz")).toMatchObject([200, { ready: true }]);
  });

  it("answers 503 for the scope system while a restored database is not yet admitted", async () => {
    const rest = { chains: {}, reconciliation: {}, signer: "unknown" };
    expect(await ask({ isAdmitted: false }, "/readyz?scope=system")).toEqual([
      503,
      { ...serving, ready: false, is_admitted: false, ...rest },
    ]);
    expect(await ask({}, "/readyz?scope=system")).toEqual([
      200,
      { ...serving, is_admitted: true, ...rest },
    ]);
  });

  it("answers 400 for an unknown scope", async () => {
    expect((await ask({}, "/readyz?scope=all"))[0]).toBe(400);
  });
});

it("queries the database once for many simultaneous requests", async () => {
  const { requests, clock, routes } = monitored();
  const { server } = apiServer(restrictedOperationsRoutes(routes, here));
  const askAll = async (url: string): Promise<void> => {
    await Promise.all(Array.from({ length: 20 }, () => server.inject({ url })));
  };
  await askAll("/readyz");
  const forReadiness = requests.length;
  expect(new Set(requests).size).toBe(forReadiness);
  await askAll("/metrics");
  const afterMetrics = requests.length;
  expect(new Set(requests).size).toBeGreaterThanOrEqual(afterMetrics - 1);
  clock.advance(5);
  await askAll("/metrics");
  expect(requests.length).toBe(afterMetrics + (afterMetrics - forReadiness));
});

const teardowns: Teardown[] = [];
afterEach(async () => {
  await Promise.all(teardowns.splice(0).map((teardown) => teardown.run()));
});

/** Sends the first line of a request to a worker's own server, which listens on a port of its own. Returns the status. */
async function workerServer({
  context,
  metrics,
}: Pick<ReturnType<typeof monitored>, "context" | "metrics">): Promise<
  (line: string) => Promise<string>
> {
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

it("keeps a worker's own server running after requests that are not URLs", async () => {
  const statusOf = await workerServer(monitored());
  expect(await statusOf("GET //")).toBe("404");
  expect(await statusOf("GET http://[::")).toBe("404");
  expect(await statusOf("POST /healthz")).toBe("405");
  expect(await statusOf("GET /healthz/?now")).toBe("200");
  expect(await statusOf("GET /metrics")).toBe("200");
});

it("logs an outage of a worker's own server once, however often it is asked", async () => {
  const { away, ...worker } = monitored();
  const statusOf = await workerServer(worker);
  away.because = new Unavailable("database", "no connection");
  const answers = [await statusOf("GET /metrics"), await statusOf("GET /metrics")];
  expect([...answers, await statusOf("GET /readyz")]).toEqual(["503", "503", "503"]);
  const line = { route: "/metrics", error: "database: no connection" };
  expect(worker.logged).toEqual([["error", "request failed", line]]);
  away.because = null;
  worker.clock.advance(15);
  expect(await statusOf("GET /metrics")).toBe("200");
  const over = { failures: 2, seconds: 15 };
  expect(worker.logged.slice(1)).toEqual([["info", "requests are answered again", over]]);
});

it("does not repeat on a worker's own server what the database's connections have logged", async () => {
  const { away, ...worker } = monitored();
  const statusOf = await workerServer(worker);
  const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  away.because = new Unavailable("database", "refused", refused);
  expect(await statusOf("GET /metrics")).toBe("503");
  away.because = null;
  expect(await statusOf("GET /metrics")).toBe("200");
  expect(worker.logged).toEqual([]);
});

it("logs every request that a worker's own server fails to answer for another reason", async () => {
  const { away, ...worker } = monitored();
  const statusOf = await workerServer(worker);
  away.because = new Error("no such column");
  const answers = [await statusOf("GET /metrics"), await statusOf("GET /metrics")];
  expect(answers).toEqual(["500", "500"]);
  const line = ["error", "request failed", { route: "/metrics", error: "no such column" }];
  expect(worker.logged).toEqual([line, line]);
});
