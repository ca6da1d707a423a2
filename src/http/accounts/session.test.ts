import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { type ManualClock, manualClock } from "../../../test/support/manual-clock.ts";
import {
  auditedActions,
  type Browser,
  browserOf,
  outcome,
  type PeopleApi,
  peopleApi,
  peopleOrigin,
  signInData,
} from "../../../test/support/people-api.ts";
import { verifyAudit } from "../../accounts/audit/read-audit.ts";
import { meRoutes } from "./me.ts";
import { sessionRoutes } from "./session.ts";
import { tokenRoutes } from "./token.ts";

/* Sessions of people: started, refreshed with a cookie, listed and ended. */

const database = useDatabase();
const clock: ManualClock = manualClock();
let api: PeopleApi;
beforeAll(() => {
  api = peopleApi(database.db, clock, (context) => [
    ...sessionRoutes(context),
    ...meRoutes(context),
    ...tokenRoutes(context),
  ]);
});

const refresh = async (cookie: string, ip = "192.0.2.1") =>
  api.ask("POST", "/session/refresh/", { cookie, ip });
const me = ({ access }: Pick<Browser, "access">) => api.ask("GET", "/me/", { as: access });
const actions = (accountId: string) => auditedActions(database, accountId);

describe("signing in", () => {
  it("returns an access token, and sets the refresh token as an HttpOnly cookie", async () => {
    const member = await api.arrangeMember();
    const answer = await api.ask("POST", "/session/", {
      data: signInData(member.dashboard.login, member.dashboard.password),
    });
    expect(answer.status).toBe(200);
    expect(answer.one.attributes).toMatchObject({ second_factor: null });
    expect(answer.text).not.toContain(browserOf(answer).cookie.split("=")[1]);
    expect(answer.headers["set-cookie"]).toMatch(
      /^sluice-session=[\w-]{43}; Path=\/session; Max-Age=7200; HttpOnly; SameSite=Strict,/,
    );
    const identity = await me(browserOf(answer));
    expect(identity.one.id).toBe(member.memberId);
    expect(identity.one.attributes).toMatchObject({
      role: "owner",
      is_person: true,
      login: member.dashboard.login,
    });
  });

  it("returns the same error for a wrong password, an unknown login, a program's credential and a deactivated member", async () => {
    const [member, inactive] = [await api.arrangeMember(), await api.arrangeMember()];
    await database.sql("update member set deactivated_at = '2026-01-01' where id = $1", [
      inactive.memberId,
    ]);
    const answers = [];
    for (const [login, password] of [
      [member.dashboard.login, "wrong"],
      ["nobody", member.dashboard.password],
      ["nul\0", "x"],
      [member.login, member.password],
      [inactive.dashboard.login, inactive.dashboard.password],
    ] as const)
      answers.push(await api.ask("POST", "/session/", { data: signInData(login, password) }));
    expect(answers.map((answer) => outcome(answer))).toEqual(
      answers.map((_, index) => (index === 2 ? "400 1007 /data/attributes/login" : "401 2007")),
    );
    const bodies = new Set(
      answers
        .filter(({ status }) => status === 401)
        .map(({ text, headers }) =>
          [text.replace(/"id":"[^"]+"/, ""), headers["content-type"]].join(),
        ),
    );
    expect(bodies.size).toBe(1);
    expect(await actions(member.accountId)).toEqual(["session.refused"]);
  });

  it("rejects requests caused by another site, and changes nothing", async () => {
    const member = await api.arrangeMember();
    const browser = await api.signIn(member);
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ])
      for (const path of ["/session/", "/session/refresh/", "/session/logout/"]) {
        const answer = await api.ask("POST", path, {
          headers,
          cookie: browser.cookie,
          data: signInData(member.dashboard.login, member.dashboard.password),
        });
        expect(outcome(answer)).toMatch(/^403 permission_denied/);
        expect(answer.headers["set-cookie"]).toBeUndefined();
      }
    const answer = await api.ask("POST", "/session/refresh/", {
      headers: { origin: peopleOrigin },
      cookie: browser.cookie,
    });
    expect(answer.status).toBe(200);
  });
});

describe("refreshing", () => {
  it("rotates the cookie, and gives tabs that refresh at the same time the same next token", async () => {
    const browser = await api.signIn(await api.arrangeMember());
    const together = await Promise.all([1, 2, 3, 4].map(() => refresh(browser.cookie)));
    expect(together.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const cookies = new Set(together.map((answer) => browserOf(answer).cookie));
    expect(cookies.size).toBe(1);
    const [next = ""] = cookies;
    expect(next).not.toBe(browser.cookie);
    const third = browserOf(await refresh(next));
    // A tab that sends the first token late gets the newest one.
    clock.advance(10);
    expect(browserOf(await refresh(browser.cookie)).cookie).toBe(third.cookie);
    expect((await me(third)).status).toBe(200);
  });

  it("ends the session, including its newest token, when an old token is used later", async () => {
    const member = await api.arrangeMember();
    const browser = await api.signIn(member);
    const next = browserOf(await refresh(browser.cookie));
    clock.advance(21);
    expect(outcome(await refresh(browser.cookie, "198.51.100.9"))).toBe("401 2007");
    expect(outcome(await refresh(next.cookie))).toBe("401 2007");
    expect(outcome(await me(next))).toBe("401 2007");
    expect(await actions(member.accountId)).toEqual(["session.opened", "session.reuse_detected"]);
  });

  it("ends the session when it is idle, and after twelve hours at the latest", async () => {
    const member = await api.arrangeMember();
    const idle = await api.signIn(member);
    clock.advance(2 * 3600);
    expect(outcome(await refresh(idle.cookie))).toBe("401 2007");
    let busy = await api.signIn(member);
    for (let hour = 1; hour < 12; hour += 1) {
      clock.advance(3600);
      busy = browserOf(await refresh(busy.cookie));
    }
    clock.advance(3600);
    expect(outcome(await refresh(busy.cookie))).toBe("401 2007");
  });
});

describe("sessions", () => {
  it("end at once when signing out, which clears the cookie", async () => {
    const browser = await api.signIn(await api.arrangeMember());
    const answer = await api.ask("POST", "/session/logout/", { cookie: browser.cookie });
    expect(answer.headers["set-cookie"]).toMatch(/^sluice-session=; Path=\/session; Max-Age=0;/);
    expect(outcome(await me(browser))).toBe("401 2007");
    expect(outcome(await refresh(browser.cookie))).toBe("401 2007");
    expect((await api.ask("POST", "/session/logout/", { cookie: browser.cookie })).status).toBe(
      200,
    );
    expect((await api.ask("POST", "/session/logout/")).status).toBe(200);
  });

  it("can be viewed and ended only by the person who signed in", async () => {
    const member = await api.arrangeMember();
    const colleague = await api.arrangeMember({ accountId: member.accountId });
    const stranger = await api.arrangeMember();
    const [here, there, further] = [
      await api.signIn(member),
      await api.signIn(member),
      await api.signIn(member),
    ];
    const others = [await api.signIn(colleague), await api.signIn(stranger)];
    const list = async (browser: Browser) =>
      (await api.ask("GET", "/session/", { as: browser.access })).resources;
    const open = await list(here);
    expect(open.map(({ attributes }) => attributes["is_current"]).toSorted()).toEqual([
      false,
      false,
      true,
    ]);
    expect(open[0]?.attributes).toMatchObject({
      ip: "192.0.2.1",
      user_agent: "Firefox 144 on Linux",
    });
    const thereId = (await list(there)).find(
      ({ attributes }) => attributes["is_current"] === true,
    )!.id;
    for (const other of others)
      expect(outcome(await api.ask("DELETE", `/session/${thereId}/`, { as: other.access }))).toBe(
        "404 404",
      );
    const end = await api.ask("DELETE", `/session/${thereId}/`, { as: here.access });
    expect(end.status).toBe(204);
    expect(outcome(await me(there))).toBe("401 2007");
    expect((await api.ask("POST", "/session/revoke-others/", { as: here.access })).status).toBe(
      200,
    );
    expect(outcome(await me(further))).toBe("401 2007");
    expect((await me(here)).status).toBe(200);
    for (const other of others) expect((await me(other)).status).toBe(200);
  });

  it("cannot be used by programs, and a session's cookie does not work on programs' routes", async () => {
    const member = await api.arrangeMember();
    const token = await api.ask("POST", "/token/", {
      data: { type: "auth-token", attributes: { login: member.login, password: member.password } },
    });
    const access = token.one.attributes["access"] as string;
    expect((await me({ access })).one.attributes).toMatchObject({ is_person: false });
    expect(outcome(await api.ask("POST", "/session/revoke-others/", { as: access }))).toBe(
      "403 permission_denied",
    );
    const { cookie } = await api.signIn(member);
    const refused = await api.ask("POST", "/token/refresh/", {
      data: { type: "auth-token", attributes: { refresh: cookie.split("=")[1]! } },
    });
    expect(outcome(refused)).toBe("401 2007");
  });

  it("reject a login for 15 minutes after twenty wrong passwords from one network, and only from there", async () => {
    const member = await api.arrangeMember();
    const guess = (password: string, ip: string) =>
      api.ask("POST", "/session/", { ip, data: signInData(member.dashboard.login, password) });
    const wrong = Array.from({ length: 25 }, () => guess("wrong", "203.0.113.9"));
    const statuses = (await Promise.all(wrong)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    const throttled = await guess(member.dashboard.password, "203.0.113.9");
    expect(outcome(throttled)).toBe("429 throttled");
    expect(throttled.headers["retry-after"]).toBe("900");
    expect((await guess(member.dashboard.password, "192.0.2.77")).status).toBe(200);
    clock.advance(15 * 60);
    expect((await guess(member.dashboard.password, "203.0.113.9")).status).toBe(200);
  });
});

describe("the hash chain of the audit log", () => {
  it("reveals altered, missing and truncated entries", async () => {
    const member = await api.arrangeMember();
    for (let session = 0; session < 4; session += 1) await api.signIn(member);
    const { accountId } = member;
    const fault = async () =>
      (await verifyAudit(database.db)).find((verdict) => verdict.accountId === accountId)?.fault;
    expect(await fault()).toBeNull();
    const sql = (text: string) => database.sql(text, [accountId]);
    await sql("update audit_entry set ip = '1.1.1.1' where account_id = $1 and seq = 5");
    expect(await fault()).toBe("entry 5 was altered");
    await sql("update audit_entry set ip = '192.0.2.1' where account_id = $1 and seq = 5");
    expect(await fault()).toBeNull();
    await sql("delete from audit_entry where account_id = $1 and seq = 7");
    expect(await fault()).toBe("entry 7 is missing");
    await sql("delete from audit_entry where account_id = $1 and seq = 5");
    expect(await fault()).toBe("entry 5 is missing");
  });
});
