import { createHash, createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type ApiAnswer,
  type AuthenticatedApi,
  authenticatedApi,
} from "../../../test/support/authenticated-api.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { arrangeMember, type TestMember } from "../../../test/support/test-accounts.ts";
import { defaultThrottleLimits } from "../../accounts/tokens/throttle.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { tokenRoutes } from "./token.ts";

const database = useDatabase();
const clock = manualClock();
let api: AuthenticatedApi;
let member: TestMember;
beforeAll(async () => {
  api = authenticatedApi(database.db, clock, (context) => ({ routes: tokenRoutes(context) }));
  member = await arrangeMember(api.context);
});

const post = (path: string, attributes: JsonObject): Promise<ApiAnswer> =>
  api.send(null, "POST", path, { type: "auth-token", attributes });
const credentials = (): JsonObject => ({ login: member.login, password: member.password });
/** The error without the members that differ between requests. */
const fault = ({ status, body }: ApiAnswer): unknown => ({
  status,
  errors: body.errors.map((error) => ({ ...error, id: null })),
});

describe("POST /token/", () => {
  it("returns both tokens, their expiry and a signature for login and password", async () => {
    const { status, headers, body } = await post("/token/", credentials());
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/vnd.api+json");
    expect(headers["cache-control"]).toBe("no-store");
    expect(body.data).toEqual({
      type: "auth-token",
      id: "0",
      attributes: {
        access: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as unknown,
        refresh: expect.stringMatching(/^[\w-]{43}$/) as unknown,
        access_expired_at: "2026-01-02T03:19:05.000000Z",
        refresh_expired_at: "2026-01-02T09:04:05.678901Z",
        is_2fa_confirmed: false,
      },
    });
    const key = createHash("sha256")
      .update(member.login + member.password)
      .digest();
    const message = String(body.meta["time"]) + String(body.data.attributes["refresh"]);
    expect(body.meta).toEqual({
      time: "2026-01-02T03:04:05.678901Z",
      sign: createHmac("sha256", key).update(message).digest("hex"),
    });
  });

  it("returns only a bearer token for client_id and client_secret", async () => {
    const { status, headers, body } = await post("/token", {
      client_id: member.login,
      client_secret: member.password,
    });
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(body).toEqual({
      data: {
        type: "auth-token",
        id: "0",
        attributes: {
          access: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as unknown,
          expires_in: 900,
          token_type: "Bearer",
        },
      },
    });
  });
});

describe("POST /token/refresh/", () => {
  it("returns a new pair without a signature", async () => {
    const first = await post("/token/", credentials());
    const second = await post("/token/refresh/", {
      refresh: String(first.body.data.attributes["refresh"]),
    });
    expect(second.status).toBe(200);
    expect(second.headers["cache-control"]).toBe("no-store");
    expect(Object.keys(second.body)).toEqual(["data"]);
    expect(Object.keys(second.body.data.attributes)).toEqual(
      Object.keys(first.body.data.attributes),
    );
    expect(second.body.data.attributes["refresh"]).not.toBe(first.body.data.attributes["refresh"]);
  });

  it("accepts the token without a surrounding document", async () => {
    const first = await post("/token/", credentials());
    const bare = async (refresh: unknown) => {
      const answer = await api.server.inject({
        method: "POST",
        url: "/token/refresh",
        headers: { "content-type": "application/vnd.api+json" },
        payload: JSON.stringify({ refresh }),
      });
      return { status: answer.statusCode, body: answer.json<ApiAnswer["body"]>() };
    };
    const second = await bare(first.body.data.attributes["refresh"]);
    expect(second.status).toBe(200);
    expect(Object.keys(second.body.data.attributes)).toEqual(
      Object.keys(first.body.data.attributes),
    );
    expect((await bare("unknown")).body.errors.map((error) => error.code)).toEqual(["2007"]);
    expect((await bare(null)).body.errors.map((error) => error.source)).toEqual([
      { pointer: "/data/attributes/refresh" },
    ]);
  });
});

describe("token routes", () => {
  it("return the same error for all wrong credentials, and the same for all wrong tokens", async () => {
    const revokedFamily = await post("/token/", credentials());
    const spent = String(revokedFamily.body.data.attributes["refresh"]);
    await post("/token/refresh/", { refresh: spent });
    const logins = [
      await post("/token/", { login: member.login, password: "wrong" }),
      await post("/token/", { login: "unknown", password: "wrong" }),
      await post("/token/", { client_id: member.login, client_secret: "wrong" }),
    ];
    const refreshes = [
      await post("/token/refresh/", { refresh: "unknown" }),
      await post("/token/refresh/", { refresh: spent }),
    ];
    const answers = [...logins, ...refreshes];
    for (const answer of logins) expect(fault(answer)).toEqual(fault(logins[0]!));
    for (const answer of refreshes) expect(fault(answer)).toEqual(fault(refreshes[0]!));
    for (const answer of answers) {
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/);
    }
    const title = "No active account with the given credentials";
    for (const [answer, detail] of [
      [logins[0], "Incorrect login or password."],
      [refreshes[0], "The token is missing, invalid or expired."],
    ] as const)
      expect(answer).toMatchObject({
        status: 401,
        body: { errors: [{ status: "401", code: "2007", title, detail }] },
      });
  });

  it.each([
    { attributes: { login: "x" }, pointers: ["/data/attributes/password"] },
    { attributes: { client_secret: "x" }, pointers: ["/data/attributes/client_id"] },
    { attributes: {}, pointers: ["/data/attributes/login", "/data/attributes/password"] },
    { attributes: { login: "x", client_secret: "x" }, pointers: ["/data/attributes/password"] },
    {
      attributes: { login: ["x"], password: { a: 1 } },
      pointers: ["/data/attributes/login", "/data/attributes/password"],
    },
  ])(
    "reject the credentials $attributes with 400 at $pointers",
    async ({ attributes, pointers }) => {
      const { status, body } = await post("/token/", attributes);
      expect(status).toBe(400);
      expect(body.errors.map((error) => error.code)).toEqual(pointers.map(() => "1007"));
      expect(body.errors.map((error) => error.source?.["pointer"])).toEqual(pointers);
    },
  );

  it("reject another resource type with 409", async () => {
    const { status } = await api.send(null, "POST", "/token/", {
      type: "token",
      attributes: credentials(),
    });
    expect(status).toBe(409);
  });

  it("return 403/2016 outside the credential's allowed networks", async () => {
    const bound = await arrangeMember(api.context, { allowedNetworks: ["192.0.2.0/24"] });
    const { status, body } = await post("/token/", {
      login: bound.login,
      password: bound.password,
    });
    expect([status, body.errors[0]?.code]).toEqual([403, "2016"]);
  });

  it("throttle an address after fifteen failed logins in a minute, on both spellings of the route together, and do not count successful ones", async () => {
    const strict = authenticatedApi(
      database.db,
      clock,
      (context) => ({ routes: tokenRoutes(context) }),
      defaultThrottleLimits,
    );
    const attempt = (index: number, password = member.password): Promise<ApiAnswer> =>
      strict.send(null, "POST", "/token/", {
        type: "auth-token",
        attributes:
          index % 2 === 0
            ? { login: member.login, password }
            : { client_id: member.login, client_secret: password },
      });
    clock.advance(60);
    const statuses: number[] = [];
    for (let index = 0; index < 20; index += 1) statuses.push((await attempt(index)).status);
    for (let index = 0; index < 15; index += 1)
      statuses.push((await attempt(index, "wrong")).status);
    expect(statuses).toEqual(Array.from({ length: 35 }, (_, index) => (index < 20 ? 200 : 401)));
    clock.advance(20);
    const refused = await attempt(1);
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([429, "throttled"]);
    expect(refused.headers).toMatchObject({
      "retry-after": "40",
      ratelimit: '"token";r=0;t=40',
      "ratelimit-policy": '"token";q=15;w=60',
    });
    clock.advance(40);
    expect((await attempt(1)).status).toBe(200);
  });
});
