import { beforeAll, describe, expect, it } from "vitest";
import { recordAnswered } from "../../../test/bench/recorded-statements.ts";
import type { ApiResponse } from "../../../test/support/api-server.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  browserOf,
  outcome,
  type PeopleApi,
  peopleApi,
  signInData,
} from "../../../test/support/people-api.ts";
import type { TestMember } from "../../../test/support/test-accounts.ts";
import { sessionRoutes } from "./session.ts";

const database = useDatabase();
const clock = manualClock();
const network = "203.0.113.9";
let api: PeopleApi;
beforeAll(() => {
  api = peopleApi(database.db, clock, sessionRoutes);
});

type Attempt = { readonly password?: string; readonly cookie?: string; readonly ip?: string };

/** Tries to sign in, by default with the right password and from the attacker's network. */
const attempt = ({ dashboard }: TestMember, { password, cookie, ip = network }: Attempt = {}) =>
  api.ask("POST", "/session/", {
    ip,
    data: signInData(dashboard.login, password ?? dashboard.password),
    ...(cookie === undefined ? {} : { cookie }),
  });

const guessWrong = (member: TestMember, times: number, cookie?: string) =>
  Promise.all(
    Array.from({ length: times }, () =>
      attempt(member, { password: "wrong", ...(cookie === undefined ? {} : { cookie }) }),
    ),
  );

const deviceOf = (answer: ApiResponse): string =>
  /sluice-device=[\w-]+/.exec(answer.headers["set-cookie"] ?? "")?.[0] ?? "no device cookie";

/** A member with the device cookie of a browser in which they signed in. */
async function arrangeKnown(): Promise<{ readonly member: TestMember; readonly device: string }> {
  const member = await api.arrangeMember();
  return { member, device: deviceOf(await attempt(member, { ip: "192.0.2.1" })) };
}

describe("a browser in which a member signed in before", () => {
  it("stores an HttpOnly cookie for 180 days that only the routes of sessions receive", async () => {
    const answer = await attempt(await api.arrangeMember());
    expect(answer.headers["set-cookie"]).toMatch(
      /,sluice-device=[\w-]+; Path=\/session; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    );
    const refreshed = await api.ask("POST", "/session/refresh/", {
      cookie: browserOf(answer).cookie,
    });
    expect([refreshed.status, deviceOf(refreshed)]).toEqual([200, "no device cookie"]);
  });

  it("can sign in its member from a network that is refused after wrong passwords", async () => {
    const { member, device } = await arrangeKnown();
    await guessWrong(member, 25);
    expect(outcome(await attempt(member))).toBe("429 throttled");
    expect(outcome(await attempt(member, { cookie: device }))).toBe("200");
  });

  it("has its own limit of twenty wrong passwords, across renewed cookies and all networks", async () => {
    const { member, device } = await arrangeKnown();
    const renewed = deviceOf(await attempt(member, { cookie: device }));
    expect(renewed).not.toBe(device);
    const guesses = [
      ...(await guessWrong(member, 15, device)),
      ...(await guessWrong(member, 10, renewed)),
    ];
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(20);
    for (const cookie of [device, renewed])
      expect(outcome(await attempt(member, { cookie, ip: "198.51.100.7" }))).toBe("429 throttled");
    expect(outcome(await attempt(member))).toBe("200");
  });

  it("is unknown to other logins, like one with a forged or expired cookie", async () => {
    const { member, device } = await arrangeKnown();
    const other = await arrangeKnown();
    await guessWrong(member, 25);
    const changed = device.endsWith("A")
      ? `${device.slice(0, -4)}BBBB`
      : `${device.slice(0, -4)}AAAA`;
    for (const cookie of [
      other.device,
      changed,
      "sluice-device=x",
      `sluice-device=${"A".repeat(120)}`,
    ])
      expect(outcome(await attempt(member, { cookie }))).toBe("429 throttled");
    expect(outcome(await attempt(other.member, { cookie: device }))).toBe("200");
    clock.advance(180 * 24 * 3600);
    await guessWrong(member, 25);
    expect(outcome(await attempt(member, { cookie: device }))).toBe("429 throttled");
  });
});

describe("a wrong password", () => {
  it("costs as many statements and writes for an unknown login as for a known one", async () => {
    const { member, device } = await arrangeKnown();
    const workOf = async (login: string) => {
      const recorded = await recordAnswered(database.db, async (db) => {
        const recording = peopleApi(db, clock, sessionRoutes);
        const answer = await recording.ask("POST", "/session/", {
          cookie: device,
          data: signInData(login, "wrong"),
        });
        expect(outcome(answer)).toBe("401 2007");
      });
      return recorded.map(({ text, isInTransaction }) => ({
        isWrite: !text.startsWith("select"),
        isInTransaction,
      }));
    };
    const known = await workOf(member.dashboard.login);
    expect(known.filter(({ isInTransaction }) => isInTransaction)).toHaveLength(3);
    expect(await workOf("nobody")).toEqual(known);
  });
});
