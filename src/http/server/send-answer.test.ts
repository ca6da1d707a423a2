import { describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { boxApi, errorCodes } from "../../../test/support/box-api.ts";
import { box, currencyLoader, renderBox } from "../../../test/support/box-definitions.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { getRoute } from "./route.ts";

/** The largest fraction that can be drawn. */
const almostOne = 1 - Number.EPSILON;
const oneBox = renderBox({
  id: "77",
  label: "",
  status: 3,
  needs_activation: false,
  currency: "1002",
  created_at: 0 as Instant,
});

/** Failures that are not the caller's fault are logged, not explained. */

const database = useDatabase();
describe("failures that are not the caller's", () => {
  it.each([
    ["node", 500, "node_unavailable"],
    ["database", 503, "service_unavailable"],
    ["bug", 500, "500"],
  ])("answers %s with %i %s, logs it and does not explain it", async (name, status, code) => {
    const logged: unknown[] = [];
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (message: string, line?: object) => logged.push({ message, ...line }),
      with: () => logger,
    };
    const failing = boxApi(database, { logger });
    const answer = await failing.ask("GET", `/fail/${name}/calculate/`);
    expect([answer.status, errorCodes(answer)]).toEqual([status, [[code]]]);
    expect(answer.text).not.toContain("secret");
    expect(logged).toMatchObject([
      {
        message: "request failed",
        requestId: answer.headers["x-request-id"],
        error: expect.stringContaining("secret") as unknown,
      },
    ]);
  });

  it("logs a warning when a chain gives no fee quote", async () => {
    const warned: unknown[] = [];
    const failed: unknown[] = [];
    const logger = {
      ...silentLogger,
      warn: (message: string, line?: object) => warned.push({ message, ...line }),
      error: (message: string) => failed.push(message),
      with: () => logger,
    };
    const answer = await boxApi(database, { logger }).ask("GET", "/fail/fee/calculate/");
    expect([answer.status, errorCodes(answer)]).toEqual([503, [["4018"]]]);
    expect(failed).toEqual([]);
    expect(warned).toEqual([
      {
        message: "request refused",
        requestId: answer.headers["x-request-id"],
        method: "GET",
        route: "/fail/fee/calculate",
        error: "feeUnavailable: No fresh fee quote.",
      },
    ]);
  });
});

describe("the log of an outage", () => {
  /** A server whose routes fail with `state.failure`, and what it logs above `debug`. */
  const openApi = () => {
    const clock = manualClock();
    const state: { failure: Error | null } = { failure: null };
    const logged: unknown[] = [];
    const take = (level: string) => (message: string, line?: object) => {
      if (message === "answered") return;
      const { failures, seconds } = { failures: null, seconds: null, ...line };
      logged.push([level, message, failures, seconds]);
    };
    const logger = {
      ...silentLogger,
      info: take("info"),
      warn: take("warn"),
      error: take("error"),
      with: () => logger,
    };
    const routes = ["box", "parcel"].map((name) =>
      getRoute({
        path: `/${name}/calculate/`,
        summary: `Calculate a ${name}`,
        resource: box,
        find: () =>
          state.failure === null ? Promise.resolve(oneBox) : Promise.reject<null>(state.failure),
      }),
    );
    const { ask } = apiServer(routes, { clock, logger, loaders: [currencyLoader] });
    return { clock, state, logged, ask: (name: string) => ask("GET", `/${name}/calculate/`) };
  };

  it("has its beginning and its end, whatever failed how often in between", async () => {
    const { clock, state, logged, ask } = openApi();
    state.failure = new Unavailable("database", "no worker has compared it");
    for (const name of ["box", "parcel", "box", "parcel"]) await ask(name);
    clock.advance(9);
    state.failure = null;
    await ask("box");
    expect(logged).toEqual([["error", "request failed", null, null]]);
    await ask("parcel");
    expect(logged.slice(1)).toEqual([["info", "requests are answered again", 4, 9]]);
    state.failure = new Unavailable("database", "no worker has compared it");
    await ask("box");
    expect(logged.slice(2)).toEqual([["error", "request failed", null, null]]);
  });

  it("has nothing of a server that is away, which its connections announce", async () => {
    const { state, logged, ask } = openApi();
    const lost = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    state.failure = new Unavailable("database", "no connection", lost);
    expect((await ask("box")).status).toBe(503);
    state.failure = null;
    await ask("box");
    expect(logged).toEqual([]);
  });
});

describe("Retry-After while the service is unavailable", () => {
  const openApi = (fraction: number) => {
    const clock = manualClock();
    const state = { isAway: true };
    const routes = ["box", "parcel"].map((name) =>
      getRoute({
        path: `/${name}/calculate/`,
        summary: `Calculate a ${name}`,
        resource: box,
        find: () =>
          name === "box" && !state.isAway
            ? Promise.resolve(oneBox)
            : Promise.reject<null>(new Unavailable("database", "away")),
      }),
    );
    const { ask } = apiServer(routes, {
      clock,
      random: { ...systemRandom, fraction: () => fraction },
      loaders: [currencyLoader],
    });
    const retryAfter = async (name = "box") => {
      const { status, headers } = await ask("GET", `/${name}/calculate/`);
      return [status, headers["retry-after"]];
    };
    return { clock, state, retryAfter };
  };

  it("doubles for a caller that obeys it, up to 30 seconds", async () => {
    const { clock, retryAfter } = openApi(almostOne);
    const delays: unknown[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const [status, delay] = await retryAfter();
      expect(status).toBe(503);
      delays.push(delay);
      clock.advance(Number(delay));
    }
    expect(delays).toEqual(["1", "1", "2", "4", "8", "16", "30", "30"]);
  });

  it("is drawn from the upper half of the delay", async () => {
    const least = openApi(0);
    const most = openApi(almostOne);
    for (const { clock, retryAfter } of [least, most]) {
      await retryAfter();
      clock.advance(20);
    }
    expect(await least.retryAfter()).toEqual([503, "10"]);
    expect(await most.retryAfter()).toEqual([503, "20"]);
  });

  it("starts at 1 second again once the route has answered", async () => {
    const { clock, state, retryAfter } = openApi(almostOne);
    await retryAfter();
    clock.advance(20);
    expect(await retryAfter()).toEqual([503, "20"]);
    state.isAway = false;
    expect(await retryAfter()).toEqual([200, undefined]);
    state.isAway = true;
    expect(await retryAfter()).toEqual([503, "1"]);
  });

  it("starts at 1 second again more than a minute after the last failure", async () => {
    const { clock, retryAfter } = openApi(almostOne);
    await retryAfter();
    clock.advance(60);
    expect(await retryAfter()).toEqual([503, "30"]);
    clock.advance(61);
    expect(await retryAfter()).toEqual([503, "1"]);
  });

  it("does not grow while another route fails", async () => {
    const { clock, retryAfter } = openApi(almostOne);
    await retryAfter("box");
    clock.advance(20);
    expect(await retryAfter("parcel")).toEqual([503, "1"]);
    expect(await retryAfter("box")).toEqual([503, "20"]);
  });
});
