import { describe, expect, it } from "vitest";
import { browserOf, outcome, signInData } from "../../../test/support/people-api.ts";
import { password, useSecondFactors } from "../../../test/support/second-factors.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/* People's passwords, authenticator apps and recovery codes, and the confirmation of an identity. */

const site = useSecondFactors();
const {
  database,
  clock,
  arrangePerson,
  act,
  codeOf,
  wrongCode,
  enrol,
  signInWithPassword,
  challengeOf,
  give,
} = site;

describe("passwords", () => {
  it("sign in a person with their own login only, and a program with its credential only", async () => {
    const person = await arrangePerson();
    expect((await signInWithPassword(person)).status).toBe(200);
    expect(
      (
        await site.api.ask("POST", "/session/", {
          data: signInData(person.own.toUpperCase(), password),
        })
      ).status,
    ).toBe(200);
    const asProgram = signInData(person.login, person.password);
    expect(outcome(await site.api.ask("POST", "/session/", { data: asProgram }))).toBe("401 2007");
    // The program's credential keeps working at /token/, and the person's login does not work there.
    const token = (login: string, secret: string) =>
      site.api.ask("POST", "/token/", {
        data: { type: "auth-token", attributes: { login, password: secret } },
      });
    expect((await token(person.login, person.password)).status).toBe(200);
    expect(outcome(await token(person.own, password))).toBe("401 2007");
  });

  it("are rejected with a pointer when invalid, and change nothing", async () => {
    const person = await arrangePerson();
    const other = await arrangePerson();
    const change = (attributes: JsonObject, browser = person.browser) =>
      act(browser, "POST", "/me/password/", "me", attributes);
    expect(outcome(await change({ password: "short" }))).toBe("400 1007 /data/attributes/password");
    expect(outcome(await change({ login: other.own, password }))).toBe(
      "400 1007 /data/attributes/login",
    );
    expect(outcome(await change({ login: "a b", password: "x" }))).toBe(
      "400 1007 /data/attributes/login 1007 /data/attributes/password",
    );
    expect((await signInWithPassword(person)).status).toBe(200);
  });

  it("give a login to only one of two members who choose it at the same time", async () => {
    const browsers = [
      await site.api.signIn(await site.api.arrangeMember()),
      await site.api.signIn(await site.api.arrangeMember()),
    ];
    const answers = await Promise.all(
      browsers.map((browser) =>
        act(browser, "POST", "/me/password/", "me", { login: "the-one", password }),
      ),
    );
    expect(answers.map((answer) => outcome(answer)).toSorted()).toEqual([
      "200",
      "400 1007 /data/attributes/login",
    ]);
  });

  it("end all other sessions when changed", async () => {
    const person = await arrangePerson();
    const elsewhere = browserOf(await signInWithPassword(person));
    await act(person.browser, "POST", "/me/password/", "me", { password: "another horse battery" });
    expect((await act(person.browser, "GET", "/me/")).status).toBe(200);
    expect((await act(elsewhere, "GET", "/me/")).status).toBe(401);
    expect(outcome(await signInWithPassword(person))).toBe("401 2007");
  });
});

describe("authenticator apps", () => {
  it("are required at sign-in only once confirmed", async () => {
    const person = await arrangePerson();
    const created = await act(person.browser, "POST", "/totp/");
    expect(created.one.attributes["uri"]).toMatch(/^otpauth:\/\/totp\/Sluice:person-\d+\?/);
    const wrong = await act(person.browser, "POST", `/totp/${created.one.id}/confirm/`, "totp", {
      code: wrongCode(created.one.attributes["secret"] as string),
    });
    expect(outcome(wrong)).toBe("400 1007 /data/attributes/code");
    expect((await signInWithPassword(person)).status).toBe(200);
    await enrol(person);
    expect(outcome(await act(person.browser, "POST", "/totp/"))).toBe("400 1007");
    const due = await signInWithPassword(person);
    expect(outcome(due)).toBe("401 second_factor_required");
    expect(due.document["meta"]).toMatchObject({ methods: "totp" });
    expect(due.headers["set-cookie"]).toBeUndefined();
    const shown = await act(person.browser, "GET", "/totp/");
    expect(shown.resources.map(({ attributes }) => Object.keys(attributes))).toEqual([
      ["is_confirmed", "created_at", "confirmed_at"],
    ]);
  });

  it("accept the code of the previous, current and next step only", async () => {
    const person = await arrangePerson();
    const secret = await enrol(person);
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
      [0, 200],
      [1, 200],
    ] as const) {
      const challenge = challengeOf(await signInWithPassword(person));
      expect([steps, (await give(challenge, codeOf(secret, steps))).status]).toEqual([
        steps,
        status,
      ]);
    }
  });

  it("accept a code and a challenge only once, even in parallel", async () => {
    const person = await arrangePerson();
    const secret = await enrol(person);
    const code = codeOf(secret);
    const challenges = [
      challengeOf(await signInWithPassword(person)),
      challengeOf(await signInWithPassword(person)),
    ];
    const together = await Promise.all(
      [...challenges, ...challenges].map((challenge) => give(challenge, code)),
    );
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    const opened = together.find(({ status }) => status === 200)!;
    expect(opened.one.attributes).toMatchObject({ second_factor: "totp" });
    clock.advance(30);
    const answers = await Promise.all(
      challenges.map((challenge) => give(challenge, codeOf(secret))),
    );
    // The challenge that opened a session is used up; the other is still open.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  it("refuse a challenge after five minutes", async () => {
    const person = await arrangePerson();
    const secret = await enrol(person);
    const challenge = challengeOf(await signInWithPassword(person));
    clock.advance(5 * 60);
    expect(outcome(await give(challenge, codeOf(secret)))).toBe("401 2007");
    expect(outcome(await give("nonsense", codeOf(secret)))).toBe("401 2007");
  });

  it("accept no code after ten wrong codes from a member, across all challenges", async () => {
    const person = await arrangePerson();
    const secret = await enrol(person);
    const guesses = [];
    for (let guess = 0; guess < 12; guess += 1)
      guesses.push(await give(challengeOf(await signInWithPassword(person)), wrongCode(secret)));
    expect(guesses.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      429,
      429,
    ]);
    const late = await give(challengeOf(await signInWithPassword(person)), codeOf(secret));
    expect(outcome(late)).toBe("429 throttled");
    clock.advance(15 * 60);
    const challenge = challengeOf(await signInWithPassword(person));
    expect((await give(challenge, codeOf(secret))).status).toBe(200);
  });
});

describe("recovery codes", () => {
  it("sign in once each, until they are replaced", async () => {
    const person = await arrangePerson();
    expect(outcome(await act(person.browser, "POST", "/recovery-code/"))).toBe("400 1007");
    await enrol(person);
    const codes = (await act(person.browser, "POST", "/recovery-code/")).one.attributes[
      "codes"
    ] as string[];
    expect(new Set(codes).size).toBe(10);
    const use = async (code: string) => give(challengeOf(await signInWithPassword(person)), code);
    const due = await signInWithPassword(person);
    expect(due.document["meta"]).toMatchObject({ methods: "totp,recovery_code" });
    expect((await use(codes[0]!.toUpperCase())).one.attributes).toMatchObject({
      second_factor: "recovery_code",
    });
    expect(outcome(await use(codes[0]!))).toBe("401 2007");
    const together = await Promise.all([use(codes[1]!), use(codes[1]!)]);
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await act(person.browser, "GET", "/me/")).one.attributes).toMatchObject({
      recovery_codes_left: 8,
    });
    await act(person.browser, "POST", "/recovery-code/");
    expect(outcome(await use(codes[2]!))).toBe("401 2007");
    const [stored] = await database.sql<{ text: string }>(
      "select string_agg(r::text, '') || (select string_agg(t::text, '') from totp t) as text from recovery_code r",
    );
    for (const code of codes) expect(stored?.text).not.toContain(code.replaceAll("-", ""));
  });
});

describe("confirmation", () => {
  it("is required again five minutes after signing in, with password, code or passkey", async () => {
    const person = await arrangePerson();
    const secret = await enrol(person);
    clock.advance(5 * 60);
    const guarded = () => act(person.browser, "POST", "/recovery-code/");
    for (const answer of [
      await guarded(),
      await act(person.browser, "POST", "/me/password/", "me", { password }),
      await act(person.browser, "POST", "/totp/"),
      await act(person.browser, "DELETE", "/totp/1/"),
      await act(person.browser, "POST", "/passkey/options/"),
      await act(person.browser, "DELETE", "/passkey/1/"),
    ])
      expect(outcome(answer)).toBe("403 confirmation_required");
    const confirm = (attributes: JsonObject) =>
      act(person.browser, "POST", "/session/confirm/", "session-confirmation", attributes);
    expect(outcome(await confirm({ password: "wrong" }))).toBe(
      "400 1007 /data/attributes/password",
    );
    expect(outcome(await confirm({ code: wrongCode(secret) }))).toBe(
      "400 1007 /data/attributes/code",
    );
    expect(outcome(await confirm({}))).toBe("400 1007 /data/attributes/password");
    expect(outcome(await guarded())).toBe("403 confirmation_required");
    expect((await confirm({ password })).status).toBe(200);
    expect((await guarded()).status).toBe(200);
    clock.advance(5 * 60);
    expect((await confirm({ code: codeOf(secret) })).status).toBe(200);
    expect((await guarded()).status).toBe(200);
  });
});

describe("second factors", () => {
  it("are no longer required, and recovery codes deleted, once the last one is removed", async () => {
    const person = await arrangePerson();
    await enrol(person);
    await act(person.browser, "POST", "/recovery-code/");
    const [app] = (await act(person.browser, "GET", "/totp/")).resources;
    expect((await act(person.browser, "DELETE", `/totp/${app!.id}/`)).status).toBe(204);
    expect((await signInWithPassword(person)).status).toBe(200);
    expect((await act(person.browser, "GET", "/me/")).one.attributes).toMatchObject({
      has_totp: false,
      recovery_codes_left: 0,
    });
  });
});

describe("routes of people", () => {
  it("refuse a program's token", async () => {
    const member = await site.api.arrangeMember();
    const token = await site.api.ask("POST", "/token/", {
      data: { type: "auth-token", attributes: { login: member.login, password: member.password } },
    });
    const program = browserOf(token);
    for (const answer of [
      await act(program, "POST", "/totp/"),
      await act(program, "GET", "/totp/"),
      await act(program, "GET", "/passkey/"),
      await act(program, "POST", "/passkey/options/"),
      await act(program, "POST", "/recovery-code/"),
      await act(program, "POST", "/me/password/", "me", { login: "sneaky", password }),
      await act(program, "POST", "/session/confirm/", "session-confirmation", {
        password: member.password,
      }),
    ])
      expect(outcome(answer)).toBe("403 permission_denied");
  });

  it("bind the session's cookie to the host, and the device's cookie to the routes of sessions, over HTTPS", async () => {
    const answer = await signInWithPassword(await arrangePerson());
    expect(answer.headers["set-cookie"]?.split(",")).toEqual([
      expect.stringMatching(
        /^__Host-sluice-session=[\w-]{43}; Path=\/; Max-Age=7200; HttpOnly; SameSite=Strict; Secure$/,
      ),
      expect.stringMatching(
        /^__Secure-sluice-device=[\w-]+; Path=\/session; Max-Age=15552000; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
  });

  it("set the device cookie only after the second factor", async () => {
    const person = await arrangePerson();
    const secret = await enrol(person);
    const due = await signInWithPassword(person);
    expect([outcome(due), due.headers["set-cookie"]]).toEqual([
      "401 second_factor_required",
      undefined,
    ]);
    const wrong = await give(challengeOf(due), wrongCode(secret));
    expect([outcome(wrong), wrong.headers["set-cookie"]]).toEqual(["401 2007", undefined]);
    const signedIn = await give(challengeOf(due), codeOf(secret));
    expect(signedIn.headers["set-cookie"]).toContain("__Secure-sluice-device=");
  });

  it("record changes of factors and refused attempts in the audit log, without secrets", async () => {
    const person = await arrangePerson();
    const secret = await enrol(person);
    await give(challengeOf(await signInWithPassword(person)), wrongCode(secret));
    const rows = await database.sql<{ action: string; text: string }>(
      "select action, e::text as text from audit_entry e where account_id = $1 and member_id is not null order by seq",
      [person.accountId],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      "session.opened",
      "password.changed",
      "totp.enrolled",
      "session.refused",
    ]);
    for (const { text } of rows) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(password);
    }
  });
});
