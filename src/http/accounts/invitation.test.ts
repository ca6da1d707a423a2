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

const accept = (token: string, changes: JsonObject = {}) =>
  api.ask("POST", "/invitation-acceptance/", {
    data: { type: "invitation-acceptance", attributes: { token, password, ...changes } },
  });

async function tokenFor(email: unknown): Promise<string> {
  await mail.run();
  const found = mail.server.received().findLast(({ to }) => to.includes(String(email)));
  return /\/ui\/accept-invitation#([\w-]{43})/.exec(found?.text ?? "")?.[1] ?? "";
}

describe("/invitation/", () => {
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
    expect(accepted.one.attributes).toEqual({ login: email });
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
    expect(outcome(await accept(token))).toBe("400 1007 /data/attributes/token");
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
