import { describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { boxApi, errorCodes, toCurrency } from "../../../test/support/box-api.ts";
import { useDatabase } from "../../../test/support/database.ts";

/** Authentication and throttling, before any body is read. */

const database = useDatabase();
const { ask, server } = boxApi(database);

describe("authentication and throttling", () => {
  it("returns 401 with WWW-Authenticate without a token, before reading the body", async () => {
    for (const [method, url] of [
      ["GET", "/box/"],
      ["POST", "/box/"],
      ["OPTIONS", "/box/"],
      ["GET", "/box/abc/"],
    ] as const) {
      const answer = await ask(method, url, { as: null, body: "{" });
      expect([answer.status, errorCodes(answer)]).toEqual([401, [["2007"]]]);
    }
  });

  it("answers every preflight, and names origins only when they are configured", async () => {
    const headers = { origin: "https://shop.example", "access-control-request-method": "POST" };
    const closed = await server.inject({ method: "OPTIONS", url: "/box/", headers });
    expect([closed.statusCode, closed.headers["access-control-allow-origin"]]).toEqual([
      204,
      undefined,
    ]);
    const open = apiServer([], { corsOrigins: ["https://shop.example"] }).server;
    const answer = await open.inject({ method: "OPTIONS", url: "/ping", headers });
    expect(answer.headers["access-control-allow-origin"]).toBe("https://shop.example");
    expect(answer.headers["access-control-allow-methods"]).toBe("GET, HEAD, OPTIONS");
  });

  it("counts each route against its budget, reports the remainder, and answers 429 when it is used up", async () => {
    const requests: unknown[] = [];
    let isAllowed = true;
    const throttled = boxApi(database, {
      throttle: (request) => {
        requests.push([request.budget, request.principal?.accountId ?? null, request.ip]);
        return Promise.resolve({
          isAllowed,
          limit: 600,
          remaining: 599,
          windowSeconds: 60,
          resetSeconds: 42,
        });
      },
    });
    const body = { data: { type: "box", relationships: toCurrency } };
    const first = await throttled.ask("GET", "/box/");
    expect([first.headers["ratelimit-policy"], first.headers["ratelimit"]]).toEqual([
      '"read";q=600;w=60',
      '"read";r=599;t=42',
    ]);
    await throttled.ask("POST", "/box/", { body });
    await throttled.ask("POST", "/token/", {
      as: null,
      body: { data: { type: "currency", attributes: { login: "x" } } },
    });
    isAllowed = false;
    const refused = await throttled.ask("POST", "/box/quote/", { body: "{" });
    expect([refused.status, refused.headers["retry-after"], errorCodes(refused)]).toEqual([
      429,
      "42",
      [["throttled"]],
    ]);
    expect(refused.errors[0]?.detail).toBe(
      "Request was throttled. Expected available in 42 seconds.",
    );
    expect(requests).toEqual([
      ["read", "1", "127.0.0.1"],
      ["create", "1", "127.0.0.1"],
      ["token", null, "127.0.0.1"],
      ["calculate", "1", "127.0.0.1"],
    ]);
  });

  it("counts requests without a valid token for their address, and answers 429 when its budget is used up", async () => {
    const requests: unknown[] = [];
    let isAllowed = true;
    const throttled = boxApi(database, {
      throttle: ({ budget, principal, ip }) => {
        requests.push([budget, principal, ip]);
        const decision = { limit: 1, remaining: 0, windowSeconds: 60, resetSeconds: 42 };
        return Promise.resolve({ ...decision, isAllowed });
      },
    });
    expect((await throttled.ask("POST", "/box/", { as: null, body: "{" })).status).toBe(401);
    isAllowed = false;
    for (const method of ["GET", "OPTIONS"] as const)
      expect((await throttled.ask(method, "/box/", { as: null })).status).toBe(429);
    expect(requests).toEqual(new Array(3).fill(["read", null, "127.0.0.1"]));
  });

  it("takes the caller's address from the trusted proxies, never from the caller", async () => {
    const seen: string[] = [];
    const throttle = (request: { ip: string }) => {
      seen.push(request.ip);
      return Promise.resolve({
        isAllowed: true,
        limit: 1,
        remaining: 1,
        windowSeconds: 1,
        resetSeconds: 1,
      });
    };
    const headers = { "x-forwarded-for": "6.6.6.6, 9.9.9.9" };
    await boxApi(database, { throttle }).ask("GET", "/box/", { headers });
    await boxApi(database, { throttle, trustedProxies: 1 }).ask("GET", "/box/", {
      headers,
    });
    expect(seen).toEqual(["127.0.0.1", "9.9.9.9"]);
  });
});
