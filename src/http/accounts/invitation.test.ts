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
import { deleteExpired } from "../../accounts/delete-expired.ts";
import { chooseLanguage } from "../../accounts/people/contact.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { invitationRoutes } from "./invitation.ts";
import { memberRoutes } from "./member.ts";
import { sessionRoutes } from "./session.ts";

/* Invitations over HTTP and a real SMTP server: who may invite, and what a link is good for. */

const database = useDatabase();
const clock = manualClock();
const mail = useMailSite(database, clock);
const password = "correct horse battery";
let api: PeopleApi;
let serial = 0;

beforeAll(() => {
  api = peopleApi(database.db, clock, (context) => [
    ...sessionRoutes(context),
    ...memberRoutes(context),
    ...invitationRoutes({ ...context, sendsEmail: true }),
  ]);
});

beforeEach(async () => {
  clock.advance(3_600);
  await database.sql("truncate guess_window");
});

async function arrange(options: Parameters<PeopleApi["arrangeMember"]>[0] = {}) {
  const member = await api.arrangeMember(options);
  return { ...member, browser: await api.signIn(member) };
}

const invite = (browser: Pick<Browser, "access">, changes: JsonObject = {}) => {
  serial += 1;
  const attributes = {
    email: `new${serial}@shop.example`,
    name: "Cy",
    role: "read_only",
    ...changes,
  };
  return actAs(api, browser, "POST", "/invitation/", { type: "invitation", attributes });
};

const accept = (token: string, changes: JsonObject = {}, headers = {}) =>
  api.ask("POST", "/invitation-acceptance/", {
    data: { type: "invitation-acceptance", attributes: { token, password, ...changes } },
    headers,
  });

const offer = (token: string) =>
  api.ask("POST", "/invitation-offer/", {
    data: { type: "invitation-offer", attributes: { token } },
  });

async function tokenFor(email: unknown): Promise<string> {
  await mail.run();
  const found = mail.server.received().findLast(({ to }) => to.includes(String(email)));
  return /\/ui\/accept-invitation#([\w-]{43})/.exec(found?.text ?? "")?.[1] ?? "";
}

describe("/invitation/", () => {
  it("writes to the invited person in the language of the member who sent the link", async () => {
    const owner = await arrange();
    const other = await arrange({ accountId: owner.accountId, role: "admin" });
    await chooseLanguage(api.context, owner, "de");
    await chooseLanguage(api.context, other, "es");
    const email = "nuevo@shop.example";
    const { id } = (await invite(owner.browser, { email })).one;
    const newest = async () => {
      await mail.run();
      return mail.server.received().findLast(({ to }) => to.includes(email));
    };
    expect((await newest())?.subject).toMatch(/ hat Sie zu .* auf Sluice eingeladen$/);
    expect((await newest())?.text).toContain("Einladung annehmen:\n");
    await actAs(api, other.browser, "POST", `/invitation/${id}/resend/`);
    expect((await newest())?.subject).toMatch(/ le ha invitado a .* en Sluice$/);
  });

  it("makes the invited person a member with a password of their own and a verified address", async () => {
    const owner = await arrange();
    const invited = await invite(owner.browser);
    expect(invited.status).toBe(201);
    const { email } = invited.one.attributes;
    expect(invited.one.attributes).toMatchObject({ state: "pending", all_wallets: true });
    const token = await tokenFor(email);
    const rows = await database.sql(
      "select e::text from email e union all select t::text from email_token t",
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    const accepted = await accept(token);
    expect(accepted.one.attributes).toMatchObject({ login: email, second_factor: null });
    const newcomer = await api.signIn({ login: email as string, password });
    const denied = await actAs(api, newcomer, "GET", "/member/");
    expect(denied.status).toBe(403);
    const after = await actAs(api, owner.browser, "GET", `/invitation/${invited.one.id}/`);
    expect(after.one.attributes).toMatchObject({ state: "accepted" });
    const [contact] = await database.sql<{ email: string }>(
      "select email from member_contact where member_id = $1",
      [after.one.attributes["member_id"] as string],
    );
    expect(contact?.email).toBe(email);
    expect(await auditedActions(database, owner.accountId)).toEqual(
      expect.arrayContaining(["invitation.sent", "invitation.accepted"]),
    );
  });

  it.each([
    ["admin", ["on_hold", "approval_waiting"]],
    ["withdrawals", ["on_hold", "approval_waiting"]],
    ["withdrawals_with_approval", []],
    ["read_only", []],
  ])("notifies a new member with the role %s by email of %j", async (role, topics) => {
    const owner = await arrange();
    const invited = await invite(owner.browser, { role });
    await accept(await tokenFor(invited.one.attributes["email"]));
    const after = await actAs(api, owner.browser, "GET", `/invitation/${invited.one.id}/`);
    const [contact] = await database.sql<{ topics: readonly string[] }>(
      "select topics from member_contact where member_id = $1",
      [after.one.attributes["member_id"] as string],
    );
    expect(contact?.topics).toEqual(topics);
  });

  it("names the shop as the page of the invitation does", async () => {
    const owner = await arrange();
    await database.sql("update account set payment_page_shop_name = 'Tea House' where id = $1", [
      owner.accountId,
    ]);
    const email = "tea@shop.example";
    await invite(owner.browser, { email });
    await tokenFor(email);
    const newest = mail.server.received().findLast(({ to }) => to.includes(email));
    expect(newest?.subject).toContain(" invited you to Tea House on Sluice");
  });

  it("signs the new member in by the acceptance, as signing in does", async () => {
    const owner = await arrange();
    const token = await tokenFor((await invite(owner.browser)).one.attributes["email"]);
    const accepted = await accept(token);
    const cookies = accepted.headers["set-cookie"] ?? "";
    expect(cookies).toMatch(/HttpOnly/);
    const browser = { access: accepted.one.attributes["access"] as string };
    const sessions = await actAs(api, browser, "GET", "/session/");
    expect(sessions.resources.map(({ attributes }) => attributes["is_current"])).toEqual([true]);
    const refreshed = await api.ask("POST", "/session/refresh/", {
      cookie: cookies.split(";", 1)[0] ?? "",
    });
    expect(refreshed.status).toBe(200);
    expect(await auditedActions(database, owner.accountId)).toContain("session.opened");
  });

  it("opens no session where the acceptance is refused, or another site's page sends it", async () => {
    const owner = await arrange();
    const token = await tokenFor((await invite(owner.browser)).one.attributes["email"]);
    const sessions = async () =>
      (await database.sql("select from token_family where account_id = $1", [owner.accountId]))
        .length;
    const before = await sessions();
    const foreign = await accept(token, {}, { "sec-fetch-site": "cross-site" });
    expect(outcome(foreign)).toMatch(/^403/);
    expect((await accept(token, { password: "short" })).status).toBe(400);
    expect(await sessions()).toBe(before);
    expect((await accept(token)).status).toBe(200);
    expect((await accept(token, { login: "another-login" })).status).toBe(400);
    expect(await sessions()).toBe(before + 1);
  });

  it("shows the offer to the holder of the link, and what became of it", async () => {
    const owner = await arrange();
    await database.sql("update account set payment_page_shop_name = 'Blue Teapot' where id = $1", [
      owner.accountId,
    ]);
    const sent = await invite(owner.browser, { role: "withdrawals" });
    const token = await tokenFor(sent.one.attributes["email"]);
    const shown = await offer(token);
    expect(shown.one.attributes).toMatchObject({
      state: "pending",
      shop_name: "Blue Teapot",
      shop_logo: null,
      role: "withdrawals",
      email: sent.one.attributes["email"],
      expired_at: sent.one.attributes["expired_at"],
    });
    expect(shown.one.attributes["inviter"]).not.toBe("");
    await accept(token);
    expect((await offer(token)).one.attributes["state"]).toBe("accepted");

    const late = await tokenFor((await invite(owner.browser)).one.attributes["email"]);
    clock.advance(7 * 86_400 + 1);
    await deleteExpired({ db: database.db, clock });
    expect((await offer(late)).one.attributes["state"]).toBe("expired");
    clock.advance(31 * 86_400);
    await deleteExpired({ db: database.db, clock });
    expect(outcome(await offer(late))).toBe("400 1007 /data/attributes/token");
  });

  it("shows no offer of a link that was replaced or withdrawn, or to a token of another purpose", async () => {
    const { browser } = await arrange();
    const refusal = "400 1007 /data/attributes/token";
    const sent = await invite(browser);
    const replaced = await tokenFor(sent.one.attributes["email"]);
    await actAs(api, browser, "POST", `/invitation/${sent.one.id}/resend/`);
    const newest = await tokenFor(sent.one.attributes["email"]);
    expect(outcome(await offer(replaced))).toBe(refusal);
    expect((await offer(newest)).status).toBe(200);
    await actAs(api, browser, "DELETE", `/invitation/${sent.one.id}/`);
    expect(outcome(await offer(newest))).toBe(refusal);
    const reset = "r".repeat(43);
    await database.sql(
      `insert into email_token (digest, purpose, account_id, member_id, email, created_at, expires_at)
       select sha256($1::text::bytea), 'password_reset', account_id, id, 'a@b.example', '2026-01-01Z', '2100-01-01Z'
       from member limit 1`,
      [reset],
    );
    expect(outcome(await offer(reset))).toBe(refusal);
    expect(outcome(await offer("x".repeat(43)))).toBe(refusal);
  });

  it("refuses a link that was used, replaced, withdrawn, or is a week old, all alike", async () => {
    const { browser } = await arrange();
    const refusal = "400 1007 /data/attributes/token";
    const used = await tokenFor((await invite(browser)).one.attributes["email"]);
    expect((await accept(used)).status).toBe(200);
    expect(outcome(await accept(used, { login: "another-login" }))).toBe(refusal);

    const sent = await invite(browser);
    const replaced = await tokenFor(sent.one.attributes["email"]);
    const again = await actAs(api, browser, "POST", `/invitation/${sent.one.id}/resend/`);
    expect(again.status).toBe(200);
    const newest = await tokenFor(sent.one.attributes["email"]);
    expect(newest).not.toBe(replaced);
    expect(outcome(await accept(replaced))).toBe(refusal);
    const withdrawn = await actAs(api, browser, "DELETE", `/invitation/${sent.one.id}/`);
    expect(withdrawn.status).toBe(204);
    expect(outcome(await accept(newest))).toBe(refusal);

    const old = await tokenFor((await invite(browser)).one.attributes["email"]);
    clock.advance(7 * 86_400 + 1);
    expect(outcome(await accept(old))).toBe(refusal);
    expect(outcome(await accept("x".repeat(43)))).toBe(refusal);
  });

  it("lets one of two simultaneous acceptances win", async () => {
    const { browser } = await arrange();
    const token = await tokenFor((await invite(browser)).one.attributes["email"]);
    const logins = ["first-login", "second-login"];
    const answers = await Promise.all(logins.map((login) => accept(token, { login })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it("checks login and password, and leaves the link usable", async () => {
    const { browser, dashboard } = await arrange();
    const token = await tokenFor((await invite(browser)).one.attributes["email"]);
    expect(outcome(await accept(token, { password: "short" }))).toBe(
      "400 1007 /data/attributes/password",
    );
    expect(outcome(await accept(token, { login: dashboard.login }))).toBe(
      "400 1007 /data/attributes/login",
    );
    expect((await accept(token)).status).toBe(200);
  });

  it("grants only rights that the inviter has, also when the invitation is accepted", async () => {
    const owner = await arrange();
    const admin = await arrange({ accountId: owner.accountId, role: "admin" });
    const clerk = await arrange({ accountId: owner.accountId, role: "withdrawals" });
    expect((await invite(clerk.browser)).status).toBe(403);
    expect((await invite(admin.browser, { role: "owner" })).status).toBe(403);
    const sent = await invite(admin.browser, { role: "admin" });
    const token = await tokenFor(sent.one.attributes["email"]);
    await database.sql("update member set role = 'read_only' where id = $1", [admin.memberId]);
    expect((await offer(token)).one.attributes["state"]).toBe("revoked");
    expect(outcome(await accept(token))).toBe("400 1007 /data/attributes/token");
  });

  it("is withdrawn only by members who have the rights that it would give", async () => {
    const owner = await arrange();
    const { accountId } = owner;
    const admin = await arrange({ accountId, role: "admin" });
    const limited = await arrange({ accountId, role: "admin", wallets: new Map() });
    const [high, low] = [
      await invite(owner.browser, { role: "owner" }),
      await invite(owner.browser, { role: "read_only" }),
    ];
    const withdraw = async ({ browser }: { readonly browser: Browser }, id: string) =>
      outcome(await actAs(api, browser, "DELETE", `/invitation/${id}/`));
    expect(await withdraw(admin, high.one.id)).toBe("403 permission_denied");
    expect(await withdraw(limited, low.one.id)).toBe("403 permission_denied");
    expect((await offer(await tokenFor(high.one.attributes["email"]))).status).toBe(200);
    expect(await withdraw(admin, low.one.id)).toBe("204");
    expect(await withdraw(owner, high.one.id)).toBe("204");
  });

  it("counts who chose the address and who sent it again as having given the access", async () => {
    const owner = await arrange();
    const { accountId } = owner;
    const [chooser, resender] = [await arrange({ accountId }), await arrange({ accountId })];
    const sent = await invite(chooser.browser, { role: "owner" });
    const url = `/invitation/${sent.one.id}/`;
    for (const { browser } of [owner, resender])
      expect((await actAs(api, browser, "POST", `${url}resend/`)).status).toBe(200);
    const { attributes } = (await actAs(api, owner.browser, "GET", url)).one;
    expect(attributes["invited_by"]).toBe(resender.memberId);
    expect((await accept(await tokenFor(attributes["email"]))).status).toBe(200);
    const { one } = await actAs(api, owner.browser, "GET", url);
    const member = one.attributes["member_id"] as string;
    const confirm = (browser: Browser) => actAs(api, browser, "POST", `/member/${member}/confirm/`);
    for (const { browser } of [chooser, resender])
      expect(outcome(await confirm(browser))).toBe("403 permission_denied");
    expect((await confirm(owner.browser)).status).toBe(200);
  });

  it("asks for a confirmed identity, and refuses other accounts' invitations", async () => {
    const [owner, stranger] = [await arrange(), await arrange()];
    const sent = await invite(owner.browser);
    const url = `/invitation/${sent.one.id}/`;
    expect((await actAs(api, stranger.browser, "GET", url)).status).toBe(404);
    expect((await actAs(api, stranger.browser, "DELETE", url)).status).toBe(404);
    expect((await actAs(api, stranger.browser, "POST", `${url}resend/`)).status).toBe(404);
    clock.advance(301);
    expect(outcome(await invite(owner.browser))).toBe("403 confirmation_required");
  });

  it("sends at most five invitations to an address in a quarter of an hour, and one at a time", async () => {
    const { browser } = await arrange();
    const sent = await invite(browser);
    const email = sent.one.attributes["email"] as string;
    expect(outcome(await invite(browser, { email }))).toBe("400 1007 /data/attributes/email");
    for (let count = 0; count < 3; count += 1)
      expect((await actAs(api, browser, "POST", `/invitation/${sent.one.id}/resend/`)).status).toBe(
        200,
      );
    expect((await actAs(api, browser, "POST", `/invitation/${sent.one.id}/resend/`)).status).toBe(
      429,
    );
  });
});
