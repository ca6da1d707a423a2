import { beforeAll, beforeEach, describe, expect, it } from "vitest";
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
} from "../../../test/support/people-api.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { auditEntryRoutes } from "./audit-entry.ts";
import { notificationSettingsRoutes } from "./notification-settings.ts";
import { sessionRoutes } from "./session.ts";
import { tokenRoutes } from "./token.ts";

/* What members choose to be notified, and the verification of their addresses, over HTTP and a real SMTP server. */

const database = useDatabase();
const clock = manualClock();
const mail = useMailSite(database, clock);
let api: PeopleApi;
let silent: PeopleApi;

beforeAll(() => {
  const make = (sendsEmail: boolean) =>
    peopleApi(database.db, clock, (context) => [
      ...sessionRoutes(context),
      ...tokenRoutes(context),
      ...auditEntryRoutes(context),
      ...notificationSettingsRoutes({ ...context, sendsEmail, sendsPush: sendsEmail }),
    ]);
  api = make(true);
  silent = make(false);
});

beforeEach(async () => {
  clock.advance(3_600);
  await database.sql("truncate guess_window");
});

async function arrange() {
  const member = await api.arrangeMember();
  return { ...member, browser: await api.signIn(member) };
}

const patch = (browser: Pick<Browser, "access">, attributes: JsonObject, through = api) =>
  actAs(through, browser, "PATCH", "/notification-settings/", {
    type: "notification-settings",
    attributes,
  });

/** A program with the member's credential. */
async function programOf({
  login,
  password,
}: {
  readonly login: string;
  readonly password: string;
}) {
  const data = { type: "auth-token", attributes: { login, password } };
  const { one } = await api.ask("POST", "/token/", { data });
  return { access: one.attributes["access"] as string };
}

const verify = (token: string) =>
  api.ask("POST", "/email-verification/", {
    data: { type: "email-verification", attributes: { token } },
  });

async function newestToken(address: string): Promise<string> {
  await mail.run();
  const email = mail.server.received().findLast(({ to }) => to.includes(address));
  return /\/ui\/verify-email#([\w-]{43})/.exec(email?.text ?? "")?.[1] ?? "";
}

describe("/notification-settings/", () => {
  it("starts empty and stores what the member chooses, in its own order", async () => {
    const { browser } = await arrange();
    const before = await actAs(api, browser, "GET", "/notification-settings/");
    expect(before.one.attributes).toEqual({
      email: null,
      pending_email: null,
      topics: [],
      push_topics: [],
      language: null,
      sends_email: true,
      push_key: expect.stringMatching(/^[\w-]{87}$/) as unknown,
    });
    const after = await patch(browser, { topics: ["on_hold", "paid", "paid"] });
    expect(after.one.attributes).toMatchObject({ topics: ["paid", "on_hold"] });
    const wrong = await patch(browser, { topics: ["paid", "weather"] });
    expect(outcome(wrong)).toBe("400 1007 /data/attributes/topics");
    const kept = await actAs(api, browser, "GET", "/notification-settings/");
    expect(kept.one.attributes).toMatchObject({ topics: ["paid", "on_hold"] });
    const pushed = await patch(browser, { push_topics: ["on_hold"] });
    expect(pushed.one.attributes).toMatchObject({
      topics: ["paid", "on_hold"],
      push_topics: ["on_hold"],
    });
    const both = await patch(browser, { topics: [], push_topics: ["paid"] });
    expect(both.one.attributes).toMatchObject({ topics: [], push_topics: ["paid"] });
    const first = await patch((await arrange()).browser, { push_topics: ["paid"] });
    expect(first.one.attributes).toMatchObject({ topics: [], push_topics: ["paid"] });
  });

  it("counts an address once its link is opened, and the link once", async () => {
    const member = await arrange();
    const asked = await patch(member.browser, { email: "Ada@Shop.example" });
    expect(asked.one.attributes).toMatchObject({ email: null, pending_email: "Ada@shop.example" });
    const token = await newestToken("Ada@shop.example");
    expect(await stored()).not.toContain(token);
    expect((await verify(token)).one.attributes).toEqual({ email: "Ada@shop.example" });
    expect(outcome(await verify(token))).toBe("400 1007 /data/attributes/token");
    const now = await actAs(api, member.browser, "GET", "/notification-settings/");
    expect(now.one.attributes).toMatchObject({ email: "Ada@shop.example", pending_email: null });
    expect(await auditedActions(database, member.accountId)).toEqual(
      expect.arrayContaining(["email.requested", "email.verified"]),
    );
  });

  it("tells the former address that it was replaced or removed, and nobody of a first one", async () => {
    const { browser } = await arrange();
    const use = async (email: string) => {
      await patch(browser, { email });
      expect((await verify(await newestToken(email))).status).toBe(200);
      await mail.run();
    };
    const told = (address: string) =>
      mail.server
        .received()
        .filter(({ to, subject }) => to.includes(address) && /was changed/.test(subject));
    await use("old@shop.example");
    await patch(browser, { email: "old@shop.example" });
    expect(told("old@shop.example")).toEqual([]);
    await use("new@shop.example");
    expect(told("old@shop.example").map(({ text }) => text)).toEqual([
      expect.stringContaining("from this one to new@shop.example"),
    ]);
    expect(told("new@shop.example")).toEqual([]);
    await patch(browser, { email: null });
    await mail.run();
    expect(told("new@shop.example").map(({ text }) => text)).toEqual([
      expect.stringContaining("was removed from your login"),
    ]);
  });

  it("makes an older link worthless, and one that is a day old", async () => {
    const { browser } = await arrange();
    await patch(browser, { email: "first@shop.example" });
    const first = await newestToken("first@shop.example");
    await patch(browser, { email: "second@shop.example" });
    const second = await newestToken("second@shop.example");
    expect((await verify(first)).status).toBe(400);
    clock.advance(24 * 3_600 + 1);
    expect((await verify(second)).status).toBe(400);
    expect((await verify("x".repeat(43))).status).toBe(400);
  });

  it("asks people for their password again before the address changes, and refuses programs", async () => {
    const member = await arrange();
    clock.advance(301);
    expect(outcome(await patch(member.browser, { email: "ada@shop.example" }))).toBe(
      "403 confirmation_required",
    );
    expect((await patch(member.browser, { topics: ["paid"] })).status).toBe(200);
  });

  it("are not changed by programs of a person, who would not hear of what they do", async () => {
    const { browser, memberId, ...member } = await arrange();
    await patch(browser, { topics: ["paid", "on_hold"], push_topics: ["paid"], language: "de" });
    const program = await programOf(member);
    for (const attributes of [{ topics: [] }, { push_topics: [] }, { language: "zh" }, {}])
      expect(outcome(await patch(program, attributes))).toBe("403 permission_denied");
    const kept = await actAs(api, program, "GET", "/notification-settings/");
    const settings = { topics: ["paid", "on_hold"], push_topics: ["paid"], language: "de" };
    expect(kept.one.attributes).toMatchObject(settings);
    await database.sql("delete from person_login where member_id = $1", [memberId]);
    expect((await patch(program, { topics: ["paid"] })).status).toBe(200);
  });

  it("are changed on record, and only if something changes", async () => {
    const { browser, accountId } = await arrange();
    await patch(browser, { topics: ["paid", "on_hold"] });
    await patch(browser, { topics: ["on_hold", "paid"], push_topics: [] });
    await patch(browser, { topics: ["paid"], push_topics: ["paid"] });
    const rows = await database.sql<{ summary: JsonObject }>(
      "select summary from audit_entry where account_id = $1 and action = 'notifications.changed' order by seq",
      [accountId],
    );
    expect(rows.map(({ summary }) => summary)).toEqual([
      { topics: ["paid", "on_hold"] },
      { topics: ["paid"], push_topics: ["paid"] },
    ]);
  });

  it("verifies nothing for the address that counts already, as in a whole resource that is sent back", async () => {
    const { browser } = await arrange();
    await patch(browser, { email: "ada@shop.example" });
    await verify(await newestToken("ada@shop.example"));
    clock.advance(301);
    const same = await patch(browser, { email: "ada@shop.example", topics: ["paid"] });
    expect(same.one.attributes).toMatchObject({ pending_email: null, topics: ["paid"] });
    const { browser: fresh } = await arrange();
    clock.advance(301);
    expect((await patch(fresh, { email: null, topics: [] })).status).toBe(200);
  });

  it.each(["ada", "ada@shop.example\r\nBcc: eve@evil.example", "a@b.example, c@d.example"])(
    "refuses the address %j",
    async (email) => {
      const { browser } = await arrange();
      expect(outcome(await patch(browser, { email }))).toBe("400 1007 /data/attributes/email");
    },
  );

  it("sends at most five links to verify in a quarter of an hour", async () => {
    const { browser } = await arrange();
    for (let count = 0; count < 5; count += 1)
      expect((await patch(browser, { email: `a${count}@shop.example` })).status).toBe(200);
    expect((await patch(browser, { email: "a6@shop.example" })).status).toBe(429);
  });

  it("takes no address where the deployment sends no email", async () => {
    const { browser } = await arrange();
    const settings = await actAs(silent, browser, "GET", "/notification-settings/");
    expect(settings.one.attributes).toMatchObject({ sends_email: false });
    const refused = await patch(browser, { email: "ada@shop.example" }, silent);
    expect(refused.status).toBe(403);
  });
});

describe("the language of a member's emails", () => {
  it("is the one of its dashboard, and English until that is known", async () => {
    const { browser } = await arrange();
    const subjectOf = async (email: string, before: JsonObject) => {
      if (Object.keys(before).length > 0) expect((await patch(browser, before)).status).toBe(200);
      await patch(browser, { email });
      await mail.run();
      return mail.server.received().findLast(({ to }) => to.includes(email))?.subject;
    };
    expect(await subjectOf("en@shop.example", {})).toBe("Confirm your email address");
    expect(await subjectOf("de@shop.example", { language: "de" })).toBe(
      "Bestätigen Sie Ihre E-Mail-Adresse",
    );
    expect(await subjectOf("zh@shop.example", { language: "zh" })).toBe("请确认您的电子邮件地址");
    const settings = await actAs(api, browser, "GET", "/notification-settings/");
    expect(settings.one.attributes).toMatchObject({ language: "zh", topics: [] });
  });

  it("refuses a language that there are no texts in, and keeps the former one", async () => {
    const { browser } = await arrange();
    await patch(browser, { language: "es" });
    expect(outcome(await patch(browser, { language: "fr" }))).toBe(
      "400 1007 /data/attributes/language",
    );
    const kept = await actAs(api, browser, "GET", "/notification-settings/");
    expect(kept.one.attributes).toMatchObject({ language: "es" });
  });

  it("reaches the former address too", async () => {
    const { browser } = await arrange();
    await patch(browser, { language: "es", email: "es@shop.example" });
    await verify(await newestToken("es@shop.example"));
    await patch(browser, { email: null });
    await mail.run();
    const told = mail.server.received().findLast(({ to }) => to.includes("es@shop.example"));
    expect(told?.subject).toBe("Su dirección de correo ha cambiado");
    expect(told?.text).toContain("Esta dirección se ha eliminado de su usuario.");
  });
});

describe("the unsubscribe link", () => {
  it("ends all notifications by POST, as mail programs send it, and nothing by GET", async () => {
    const { browser, memberId } = await arrange();
    await patch(browser, { topics: ["paid"] });
    const [contact] = await database.sql<{ unsubscribe_key: string }>(
      "select unsubscribe_key from member_contact where member_id = $1",
      [memberId],
    );
    const url = `/unsubscribe/${contact?.unsubscribe_key ?? ""}/`;
    const opened = await api.server.inject({ method: "GET", url });
    expect(opened.statusCode).toBe(303);
    expect(opened.headers.location).toBe(`/ui/unsubscribe#${contact?.unsubscribe_key ?? ""}`);
    const topics = async () =>
      (await actAs(api, browser, "GET", "/notification-settings/")).one.attributes["topics"];
    expect(await topics()).toEqual(["paid"]);
    for (const key of ["x", "%00", "%00".repeat(43)]) {
      const unknown = await api.server.inject({ method: "POST", url: `/unsubscribe/${key}/` });
      expect(unknown.statusCode).toBe(404);
    }
    const posted = await api.server.inject({
      method: "POST",
      url,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "List-Unsubscribe=One-Click",
    });
    expect(posted.statusCode).toBe(200);
    expect(await topics()).toEqual([]);
  });
});

/** Everything that the tables of emails and tokens hold, as text. */
async function stored(): Promise<string> {
  const rows = await database.sql(
    "select e::text from email e union all select t::text from email_token t",
  );
  return JSON.stringify(rows);
}
