import { Secret, TOTP } from "otpauth";
import { beforeAll, expect } from "vitest";
import { meRoutes } from "../../src/http/accounts/me.ts";
import { secondFactorRoutes } from "../../src/http/accounts/second-factor.ts";
import { sessionRoutes } from "../../src/http/accounts/session.ts";
import { sessionFactorRoutes } from "../../src/http/accounts/session-factor.ts";
import { tokenRoutes } from "../../src/http/accounts/token.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { ApiResponse } from "./api-server.ts";
import { type Changes, createAuthenticator } from "./authenticator.ts";
import { useDatabase } from "./database.ts";
import { manualClock } from "./manual-clock.ts";
import { type Browser, outcome, type PeopleApi, peopleApi, signInData } from "./people-api.ts";
import type { TestMember } from "./test-accounts.ts";

export const password = "correct horse battery";
const origin = "https://sluice.test";

type Person = TestMember & { readonly own: string; readonly browser: Browser };

/** People who sign in over HTTP with passwords, authenticator apps and passkeys. */
export function useSecondFactors() {
  const database = useDatabase();
  const clock = manualClock();
  let api: PeopleApi;
  let nextLogin = 1;
  beforeAll(() => {
    api = peopleApi(
      database.db,
      clock,
      (context) => [
        ...sessionRoutes(context),
        ...sessionFactorRoutes(context),
        ...secondFactorRoutes(context),
        ...meRoutes(context),
        ...tokenRoutes(context),
      ],
      origin,
    );
  });

  /** A signed-in member with a login of their own. */
  async function arrangePerson(options: Parameters<PeopleApi["arrangeMember"]>[0] = {}) {
    const member = await api.arrangeMember(options);
    const own = `person-${nextLogin}`;
    nextLogin += 1;
    const browser = await api.signIn(member);
    const data = { type: "me", attributes: { login: own, password } };
    const answer = await api.ask("POST", "/me/password/", { as: browser.access, data });
    expect(outcome(answer)).toBe("200");
    return { ...member, own, browser };
  }

  const act = (browser: Browser, method: string, url: string, type = "", attributes?: JsonObject) =>
    api.ask(method, url, {
      as: browser.access,
      ...(attributes === undefined ? {} : { data: { type, attributes } }),
    });

  const codeOf = (secret: string, steps = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: clock.now() / 1000 + steps * 30_000,
    });

  /** A code that the app shows neither now nor one step before or after. */
  const wrongCode = (secret: string): string => {
    const shown = [-1, 0, 1].map((steps) => codeOf(secret, steps));
    return ["000000", "000001", "000002", "000003"].find((code) => !shown.includes(code)) ?? "";
  };

  /** Sets up an app and returns its secret. Advances the clock, so that its current code is unused and differs from its neighbors. */
  async function enrol(person: Person): Promise<string> {
    const created = await act(person.browser, "POST", "/totp/");
    expect(outcome(created)).toBe("201");
    const secret = created.one.attributes["secret"] as string;
    const confirmed = await act(
      person.browser,
      "POST",
      `/totp/${created.one.id}/confirm/`,
      "totp",
      {
        code: codeOf(secret),
      },
    );
    expect(confirmed.one.attributes).toMatchObject({ is_confirmed: true });
    clock.advance(60);
    while (new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))).size < 5)
      clock.advance(30);
    return secret;
  }

  const signInWithPassword = (person: Person) =>
    api.ask("POST", "/session/", { data: signInData(person.own, password) });
  const challengeOf = (answer: ApiResponse): string =>
    (answer.document["meta"] as JsonObject)["challenge"] as string;
  const give = (challenge: string, code: string) =>
    api.ask("POST", "/session/second-factor/", {
      data: { type: "session-token", attributes: { challenge, code } },
    });

  const register = async (person: Person, changes: Changes = {}) => {
    const device = createAuthenticator(origin);
    const begun = await act(person.browser, "POST", "/passkey/options/");
    const { challenge, options } = begun.one.attributes as {
      challenge: string;
      options: JsonObject;
    };
    const response = device.create(options, changes);
    const finish = () =>
      act(person.browser, "POST", "/passkey/", "passkey", { name: "Laptop", challenge, response });
    return { device, finish, options, answer: await finish() };
  };

  const ceremony = async () => {
    const { one } = await api.ask("POST", "/session/passkey-options/");
    return one.attributes as { challenge: string; options: JsonObject };
  };
  const present = (challenge: string, response: JsonObject) =>
    api.ask("POST", "/session/passkey/", {
      data: { type: "session-token", attributes: { challenge, response } },
    });

  return {
    database,
    clock,
    get api() {
      return api;
    },
    arrangePerson,
    act,
    codeOf,
    wrongCode,
    enrol,
    signInWithPassword,
    challengeOf,
    give,
    register,
    ceremony,
    present,
  };
}
