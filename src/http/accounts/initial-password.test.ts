import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { useMailSite } from "../../../test/support/mail-site.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  actAs,
  type Browser,
  outcome,
  type PeopleApi,
  peopleApi,
} from "../../../test/support/people-api.ts";
import { storeVerifiedEmail } from "../../accounts/people/contact.ts";
import { answerResetRequests } from "../../accounts/people/reset-password.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { meRoutes } from "./me.ts";
import { memberRoutes } from "./member.ts";
import { notificationSettingsRoutes } from "./notification-settings.ts";
import { passwordResetRoutes } from "./password-reset.ts";
import { pushSubscriptionRoutes } from "./push-subscription.ts";
import { secondFactorRoutes } from "./second-factor.ts";
import { sessionRoutes } from "./session.ts";

/*
 * What an initial password is good for, over HTTP: the member who gave it out may sign in with it first, and keeps no way back in once the
 * person has changed it.
 */

const database = useDatabase();
const clock = manualClock();
const mail = useMailSite(database, clock);
let api: PeopleApi;

beforeAll(() => {
  api = peopleApi(database.db, clock, (context) => [
    ...sessionRoutes(context),
    ...meRoutes(context),
    ...memberRoutes(context),
    ...secondFactorRoutes(context),
    ...notificationSettingsRoutes({ ...context, sendsEmail: true, sendsPush: true }),
    ...passwordResetRoutes({ ...context, sendsEmail: true }),
    ...pushSubscriptionRoutes({
      ...context,
      sendsPush: true,
      endpointFault: () => null,
      defaultTopics: [],
    }),
  ]);
});

beforeEach(async () => {
  clock.advance(3_600);
  await database.sql("truncate guess_window, password_reset_request");
});

const act = (browser: Browser, method: string, url: string, attributes?: JsonObject) =>
  actAs(
    api,
    browser,
    method,
    url,
    attributes === undefined ? undefined : { type: url.split("/")[1] ?? "", attributes },
  );

/** Three Owners, of whom the first has just reset the second's access and signed in as the second. */
async function arrange() {
  const first = await api.arrangeMember();
  const { accountId } = first;
  const [second, third] = [
    await api.arrangeMember({ accountId }),
    await api.arrangeMember({ accountId }),
  ];
  const reset = await act(
    await api.signIn(first),
    "POST",
    `/member/${second.memberId}/reset-access/`,
    {},
  );
  const { login } = second.dashboard;
  const initial = { login, password: reset.one.attributes["initial_password"] as string };
  const intruder = await api.signIn(initial);
  return { second, third, initial, intruder };
}

const changePassword = (browser: Browser) =>
  actAs(api, browser, "POST", "/me/password/", {
    type: "me",
    attributes: { password: "a horse of nobody else" },
  });

const subscription = {
  endpoint: "https://push.example/1",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

describe("a person with an initial password", () => {
  it("sets up no address, factor, code or browser until it is changed", async () => {
    const { second, initial, intruder } = await arrange();
    const attempts: readonly (readonly [string, string, JsonObject | undefined])[] = [
      ["PATCH", "/notification-settings/", { email: "thief@shop.example" }],
      ["PATCH", "/notification-settings/", { topics: [] }],
      ["POST", "/totp/", undefined],
      ["POST", "/totp/1/confirm/", { code: "000000" }],
      ["POST", "/passkey/options/", undefined],
      ["POST", "/passkey/", { name: "Key", challenge: "x", response: {} }],
      ["POST", "/recovery-code/", undefined],
      ["POST", "/push-subscription/", subscription],
    ];
    for (const [method, url, attributes] of attempts)
      expect([url, outcome(await act(intruder, method, url, attributes))]).toEqual([
        url,
        "403 permission_denied",
      ]);
    const german = await act(intruder, "PATCH", "/notification-settings/", { language: "de" });
    expect(outcome(german)).toBe("200");
    const browser = await api.signIn(initial);
    expect(outcome(await changePassword(browser))).toBe("200");
    expect(outcome(await act(intruder, "GET", "/totp/"))).toBe("401 2007");
    expect(outcome(await act(browser, "POST", "/totp/"))).toBe("201");
    const own = { email: `member-${second.memberId}@shop.example` };
    expect(outcome(await act(browser, "PATCH", "/notification-settings/", own))).toBe("200");
  });

  it("loses what is there when it is changed, and no link resets it before", async () => {
    const { second, initial } = await arrange();
    const browser = await api.signIn(initial);
    const of = [second.accountId, second.memberId];
    // As a request under way stores them when the access is reset.
    await storeVerifiedEmail(api.context, second, "thief@shop.example");
    await database.sql(
      `insert into totp (account_id, member_id, id, secret_sealed, created_at, confirmed_at)
       select $1, $2, coalesce(max(id), 0) + 1, '\\x00', '2026-01-01', '2026-01-01' from totp`,
      of,
    );
    await database.sql(
      `insert into passkey (account_id, member_id, name, key_id, public_key, counter, transports, is_backed_up, created_at)
       values ($1, $2, 'Key', 'planted', '\\x00', 0, '{}', false, '2026-01-01')`,
      of,
    );
    await database.sql(
      "insert into recovery_code (account_id, member_id, digest) values ($1, $2, '\\x00')",
      of,
    );
    const forget = async () => {
      const attributes = { login: second.dashboard.login };
      await api.ask("POST", "/password-reset/", { data: { type: "password-reset", attributes } });
      await answerResetRequests(api.context, new AbortController().signal);
      await mail.run();
      return mail.server
        .received()
        .filter(({ to }) => to.includes("thief@shop.example"))
        .map(({ subject }) => subject);
    };
    expect(await forget()).toEqual([]);
    const changed = await changePassword(browser);
    expect(changed.one.attributes).toMatchObject({
      has_totp: false,
      passkey_count: 0,
      recovery_codes_left: 0,
    });
    const settings = await act(browser, "GET", "/notification-settings/");
    expect(settings.one.attributes["email"]).toBeNull();
    expect(await forget()).toEqual(["Your email address was changed"]);
  });

  it("keeps what it set up itself when it changes the password again", async () => {
    const { second, initial } = await arrange();
    const browser = await api.signIn(initial);
    await changePassword(browser);
    await storeVerifiedEmail(api.context, second, "own@shop.example");
    expect(outcome(await changePassword(browser))).toBe("200");
    const settings = await act(browser, "GET", "/notification-settings/");
    expect(settings.one.attributes["email"]).toBe("own@shop.example");
  });

  it("is confirmed only after the change", async () => {
    const { second, third, initial } = await arrange();
    const confirm = async () =>
      act(await api.signIn(third), "POST", `/member/${second.memberId}/confirm/`);
    expect(outcome(await confirm())).toBe("403 permission_denied");
    await changePassword(await api.signIn(initial));
    expect((await confirm()).one.attributes).toMatchObject({ needs_confirmation: false });
  });
});
