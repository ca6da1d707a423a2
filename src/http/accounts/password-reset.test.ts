import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authenticatedApi } from "../../../test/support/authenticated-api.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { useMailSite } from "../../../test/support/mail-site.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  actAs,
  auditedActions,
  type Browser,
  outcome,
  type PeopleApi,
  peopleApi,
  signInData,
} from "../../../test/support/people-api.ts";
import { chooseLanguage, storeVerifiedEmail } from "../../accounts/people/contact.ts";
import { answerResetRequests } from "../../accounts/people/reset-password.ts";
import { defaultThrottleLimits } from "../../accounts/tokens/throttle.ts";
import { meRoutes } from "./me.ts";
import { memberRoutes } from "./member.ts";
import { notificationSettingsRoutes } from "./notification-settings.ts";
import { passwordResetRoutes } from "./password-reset.ts";
import { sessionRoutes } from "./session.ts";

/* Forgotten passwords over HTTP and a real SMTP server: nothing tells whether a login exists, and second factors stay. */

const database = useDatabase();
const clock = manualClock();
const mail = useMailSite(database, clock);
const password = "another long password";
let api: PeopleApi;
let serial = 0;

beforeAll(() => {
  api = peopleApi(database.db, clock, (context) => [
    ...sessionRoutes(context),
    ...meRoutes(context),
    ...memberRoutes(context),
    ...notificationSettingsRoutes({ ...context, sendsEmail: true, sendsPush: false }),
    ...passwordResetRoutes({ ...context, sendsEmail: true }),
  ]);
});

beforeEach(async () => {
  clock.advance(3_600);
  await database.sql("truncate guess_window, password_reset_request");
});

/** A person with a verified address. */
async function arrange() {
  const member = await api.arrangeMember();
  serial += 1;
  const email = `ada${serial}@shop.example`;
  await storeVerifiedEmail(api.context, member, email);
  return { ...member, email };
}

const forget = (login: string) =>
  api.ask("POST", "/password-reset/", { data: { type: "password-reset", attributes: { login } } });

const reset = (token: string, chosen: string = password) =>
  api.ask("POST", "/password-reset-completion/", {
    data: { type: "password-reset-completion", attributes: { token, password: chosen } },
  });

const signIn = (login: string, secret: string) =>
  api.ask("POST", "/session/", { data: signInData(login, secret) });

async function emailsTo(address: string) {
  await answerResetRequests(api.context, new AbortController().signal);
  await mail.run();
  return mail.server.received().filter(({ to }) => to.includes(address));
}

async function tokenFor(address: string): Promise<string> {
  const text = (await emailsTo(address)).at(-1)?.text ?? "";
  return /\/ui\/reset-password#([\w-]{43})/.exec(text)?.[1] ?? "";
}

async function askForAddress(browser: Browser, email: string) {
  const data = { type: "notification-settings", attributes: { email } };
  expect((await actAs(api, browser, "PATCH", "/notification-settings/", data)).status).toBe(200);
}

async function verificationFor(address: string): Promise<string> {
  const text = (await emailsTo(address)).at(-1)?.text ?? "";
  return /\/ui\/verify-email#([\w-]{43})/.exec(text)?.[1] ?? "";
}

const verify = (token: string) =>
  api.ask("POST", "/email-verification/", {
    data: { type: "email-verification", attributes: { token } },
  });

describe("a password reset", () => {
  it("sets a new password by a link, ends the person's sessions, and tells the person", async () => {
    const ada = await arrange();
    const browser = await api.signIn(ada);
    expect((await forget(ada.dashboard.login)).status).toBe(200);
    const token = await tokenFor(ada.email);
    const done = await reset(token);
    expect(done.one.attributes).toEqual({ login: ada.dashboard.login });
    expect((await actAs(api, browser, "GET", "/me/")).status).toBe(401);
    expect((await signIn(ada.dashboard.login, ada.dashboard.password)).status).toBe(401);
    expect((await signIn(ada.dashboard.login, password)).status).toBe(200);
    const subjects = (await emailsTo(ada.email)).map(({ subject }) => subject);
    expect(subjects).toEqual(["Reset your password", "Your password was changed"]);
    expect(await auditedActions(database, ada.accountId)).toContain("password.reset");
  });

  it("writes to a person in the language of their dashboard", async () => {
    const ada = await arrange();
    await chooseLanguage(api.context, ada, "de");
    await forget(ada.dashboard.login);
    expect((await reset(await tokenFor(ada.email))).status).toBe(200);
    const emails = await emailsTo(ada.email);
    expect(emails.map(({ subject }) => subject)).toEqual([
      "Setzen Sie Ihr Passwort zurück",
      "Ihr Passwort wurde geändert",
    ]);
    expect(emails[0]?.text).toContain("Passwort zurücksetzen:\n");
  });

  it("answers alike for known and unknown texts, and does the same work for both", async () => {
    const ada = await arrange();
    const known = await forget(ada.dashboard.login);
    const unknown = await forget("nobody-has-this");
    const hide = (text: string, login: string) => text.replaceAll(login, "LOGIN");
    expect(hide(known.text, ada.dashboard.login)).toBe(hide(unknown.text, "nobody-has-this"));
    expect(known.status).toBe(unknown.status);
    // The request stores what was typed; only the worker looks up whose it is.
    expect(await database.sql("select login from password_reset_request order by id")).toEqual([
      { login: ada.dashboard.login },
      { login: "nobody-has-this" },
    ]);
    await emailsTo(ada.email);
    expect(await database.sql("select 1 from password_reset_request")).toEqual([]);
  });

  it("takes the address in any case in place of the login", async () => {
    const ada = await arrange();
    await forget(ada.email.toUpperCase());
    expect(await tokenFor(ada.email)).toHaveLength(43);
  });

  it("refuses a link that was used, replaced by a change, or is an hour old", async () => {
    const ada = await arrange();
    const refusal = "400 1007 /data/attributes/token";
    await forget(ada.dashboard.login);
    const first = await tokenFor(ada.email);
    await forget(ada.email);
    const second = await tokenFor(ada.email);
    expect((await reset(first)).status).toBe(200);
    expect(outcome(await reset(first))).toBe(refusal);
    expect(outcome(await reset(second))).toBe(refusal);
    await forget(ada.dashboard.login);
    const old = await tokenFor(ada.email);
    clock.advance(3_601);
    expect(outcome(await reset(old))).toBe(refusal);
  });

  it("is over with a reset of access: the address goes with every link, and an email says so", async () => {
    const ada = await arrange();
    const owner = await api.arrangeMember({ accountId: ada.accountId });
    const taken = await api.signIn(ada);
    await forget(ada.dashboard.login);
    const link = await tokenFor(ada.email);
    await askForAddress(taken, "thief@shop.example");
    const verification = await verificationFor("thief@shop.example");
    const given = await actAs(
      api,
      await api.signIn(owner),
      "POST",
      `/member/${ada.memberId}/reset-access/`,
      { type: "member" },
    );
    expect(outcome(await reset(link))).toBe("400 1007 /data/attributes/token");
    expect(outcome(await verify(verification))).toBe("400 1007 /data/attributes/token");
    await forget(ada.dashboard.login);
    await forget(ada.email);
    const subjects = (await emailsTo(ada.email)).map(({ subject }) => subject);
    expect(subjects).toEqual(["Reset your password", "Your email address was changed"]);
    const first = given.one.attributes["initial_password"] as string;
    expect((await signIn(ada.dashboard.login, first)).status).toBe(200);
  });

  it("takes no link that was sent to an address which the person no longer has", async () => {
    const ada = await arrange();
    await forget(ada.dashboard.login);
    const token = await tokenFor(ada.email);
    // As if the worker had read the address just before it was removed.
    await database.sql("update member_contact set email = null where member_id = $1", [
      ada.memberId,
    ]);
    expect(outcome(await reset(token))).toBe("400 1007 /data/attributes/token");
  });

  it("is not undone by links of before: neither it nor a changed password leaves any", async () => {
    const ada = await arrange();
    const browser = await api.signIn(ada);
    await forget(ada.dashboard.login);
    await askForAddress(browser, "first@shop.example");
    const [link, verification] = [
      await tokenFor(ada.email),
      await verificationFor("first@shop.example"),
    ];
    const attributes = { password: "a password of today" };
    const changed = await actAs(api, browser, "POST", "/me/password/", { type: "me", attributes });
    expect(changed.status).toBe(200);
    expect(outcome(await reset(link))).toBe("400 1007 /data/attributes/token");
    expect(outcome(await verify(verification))).toBe("400 1007 /data/attributes/token");

    await askForAddress(browser, "second@shop.example");
    const second = await verificationFor("second@shop.example");
    await forget(ada.dashboard.login);
    expect((await reset(await tokenFor(ada.email))).status).toBe(200);
    expect(outcome(await verify(second))).toBe("400 1007 /data/attributes/token");
  });

  it("lets one of two simultaneous uses win, and keeps the link after a weak password", async () => {
    const ada = await arrange();
    await forget(ada.dashboard.login);
    const token = await tokenFor(ada.email);
    expect(outcome(await reset(token, "short"))).toBe("400 1007 /data/attributes/password");
    const answers = await Promise.all([reset(token), reset(token, "a third long password")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it("leaves second factors as they are: signing in still asks for them", async () => {
    const ada = await arrange();
    await database.sql(
      `insert into totp (account_id, member_id, id, secret_sealed, created_at, confirmed_at)
       select $1, $2, coalesce(max(id), 0) + 1, '\\x00', $3, $3 from totp`,
      [ada.accountId, ada.memberId, "2026-01-01T00:00:00Z"],
    );
    await forget(ada.dashboard.login);
    expect((await reset(await tokenFor(ada.email))).status).toBe(200);
    const answer = await signIn(ada.dashboard.login, password);
    expect(outcome(answer)).toContain("second_factor_required");
  });

  it("sends nothing to deactivated members, and five links a person at most", async () => {
    const [ada, gone] = [await arrange(), await arrange()];
    await database.sql("update member set deactivated_at = $2 where id = $1", [
      gone.memberId,
      "2026-01-01T00:00:00Z",
    ]);
    await forget(gone.dashboard.login);
    expect(await emailsTo(gone.email)).toEqual([]);
    for (let count = 0; count < 5; count += 1)
      expect((await forget(ada.dashboard.login)).status).toBe(200);
    expect((await forget(ada.dashboard.login)).status).toBe(429);
    await forget(ada.email);
    expect(await emailsTo(ada.email)).toHaveLength(5);
    for (let count = 0; count < 5; count += 1) await forget("nobody");
    expect((await forget("nobody")).status).toBe(429);
  });

  it("can be requested fifteen times a minute from an address, whatever the texts are", async () => {
    const strict = authenticatedApi(
      database.db,
      clock,
      () => ({ routes: passwordResetRoutes({ ...api.context, sendsEmail: true }) }),
      defaultThrottleLimits,
    );
    const statuses: number[] = [];
    for (let index = 0; index < 16; index += 1) {
      const data = { type: "password-reset", attributes: { login: `member-of-nobody-${index}` } };
      statuses.push((await strict.send(null, "POST", "/password-reset/", data)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 15 }, () => 200), 429]);
    clock.advance(60);
    const attributes = { login: "member-of-nobody-16" };
    const later = await strict.send(null, "POST", "/password-reset/", {
      type: "password-reset",
      attributes,
    });
    expect(later.status).toBe(200);
  });
});
