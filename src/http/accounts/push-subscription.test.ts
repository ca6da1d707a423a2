import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { quietSeconds } from "../../../test/support/mail-site.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  actAs,
  auditedActions,
  type Browser,
  outcome,
  type PeopleApi,
  peopleApi,
} from "../../../test/support/people-api.ts";
import {
  type BrowserKeys,
  decryptPush,
  newBrowserKeys,
  verifySender,
} from "../../../test/support/push-browser.ts";
import { createEndpointCheck, usePushSite } from "../../../test/support/push-site.ts";
import type { NoticeEvent } from "../../notifications/notice-event.ts";
import { recordNotices } from "../../notifications/record-notices.ts";
import { topics } from "../../notifications/topic.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { discardPushes } from "../../platform/push/push-message.store.ts";
import { notificationSettingsRoutes } from "./notification-settings.ts";
import { pushSubscriptionRoutes } from "./push-subscription.ts";
import { sessionRoutes } from "./session.ts";

/*
 * Notifications in browsers, from the subscription over HTTP to a push service on this machine, whose messages are decrypted with the
 * browser's keys.
 */

const database = useDatabase();
const clock = manualClock();
const push = usePushSite(database, clock);
let api: PeopleApi;
let strict: PeopleApi;

beforeAll(() => {
  const make = (isSandbox: boolean) =>
    peopleApi(database.db, clock, (context) => [
      ...sessionRoutes(context),
      ...notificationSettingsRoutes({ ...context, sendsEmail: true, sendsPush: true }),
      ...pushSubscriptionRoutes({
        ...context,
        sendsPush: true,
        endpointFault: createEndpointCheck(isSandbox),
        defaultTopics: topics.map(({ value }) => value),
      }),
    ]);
  api = make(true);
  strict = make(false);
});

beforeEach(async () => {
  clock.advance(3_600);
  push.service.answerWith(201);
  await database.sql("truncate guess_window, push_message, push_notice, push_subscription cascade");
});

type Subscribed = {
  readonly id: string;
  /** At the push service. */
  readonly path: string;
  readonly keys: BrowserKeys;
  readonly messages: () => readonly JsonObject[];
};

async function arrange(options: Parameters<PeopleApi["arrangeMember"]>[0] = {}) {
  const member = await api.arrangeMember(options);
  return { ...member, browser: await api.signIn(member) };
}

const document = (endpoint: string, keys: BrowserKeys, language = "en") => ({
  type: "push-subscription",
  attributes: {
    endpoint,
    p256dh: keys.publicKey.toString("base64url"),
    auth: keys.auth.toString("base64url"),
    language,
  },
});

async function subscribe(browser: Browser, language = "en"): Promise<Subscribed> {
  const keys = newBrowserKeys();
  const path = `/push/${randomUUID()}`;
  const endpoint = push.service.origin + path;
  const answer = await actAs(
    api,
    browser,
    "POST",
    "/push-subscription/",
    document(endpoint, keys, language),
  );
  expect(answer.status).toBe(201);
  const { id } = answer.one;
  const messages = () =>
    push.service
      .received()
      .filter((message) => message.path === path)
      .map(({ body }) => JSON.parse(decryptPush(body, keys).toString()) as JsonObject);
  return { id, path, keys, messages };
}

const paid = (id: string, label: string | null = null): NoticeEvent => ({
  kind: "payment_received",
  deposit: { id, order: null, label },
  amount: { value: "10.00", code: "USD" },
  worth: null,
  transferId: null,
});

const record = (accountId: string, ...events: readonly NoticeEvent[]) =>
  database.db.transaction((tx) =>
    recordNotices(
      tx,
      events.map((event) => ({
        audience: { accountId, members: "everyone" },
        event,
        paidDepositId: null,
      })),
      clock.now(),
    ),
  );

const listed = async (browser: Browser) =>
  (await actAs(api, browser, "GET", "/push-subscription/")).resources.map(({ id }) => id);

describe("a notification in a browser", () => {
  it("reaches each browser of the members who chose it, encrypted, signed, and in its language", async () => {
    const member = await arrange();
    const english = await subscribe(member.browser);
    const german = await subscribe(member.browser, "de");
    const stranger = await subscribe((await arrange()).browser);
    await record(member.accountId, paid("17", "Order\n5"));
    await push.run();
    const [message, ...more] = english.messages();
    expect(more).toEqual([]);
    expect(message).toEqual({
      title: "Payment received",
      body: "10.00 USD for deposit 17 (Order 5)",
      path: "deposits/17",
      language: "en",
      tag: expect.stringMatching(/^\d+\.\d+$/) as unknown,
    });
    expect(german.messages()).toMatchObject([
      { title: "Zahlung eingegangen", body: "10,00 USD für Einzahlung 17 (Order 5)" },
    ]);
    expect(stranger.messages()).toEqual([]);

    const received = push.service.received().at(-1);
    expect(received?.headers).toMatchObject({
      "content-encoding": "aes128gcm",
      ttl: "86400",
      urgency: "normal",
    });
    expect(received?.body.toString("latin1")).not.toContain("deposit");
    const settings = await actAs(api, member.browser, "GET", "/notification-settings/");
    const key = settings.one.attributes["push_key"] as string;
    if (received === undefined) throw new Error("no message");
    expect(await verifySender(received, key)).toMatchObject({
      aud: push.service.origin,
      sub: "mailto:ops@sluice.example",
    });
  });

  it("has the same size whatever it says", async () => {
    const member = await arrange();
    await subscribe(member.browser, "zh");
    const before = push.service.received().length;
    await record(member.accountId, paid("1"));
    await push.run();
    clock.advance(quietSeconds);
    await record(member.accountId, ...[2, 3, 4, 5].map((id) => paid(String(id), "很".repeat(500))));
    await push.run();
    const sizes = push.service
      .received()
      .slice(before)
      .map(({ body }) => body.length);
    expect(sizes).toHaveLength(2);
    expect(new Set(sizes).size).toBe(1);
  });

  it("comes at once, and then once per quiet period with the count of what happened", async () => {
    const member = await arrange();
    const browser = await subscribe(member.browser);
    await record(member.accountId, paid("1"));
    await push.run();
    await record(member.accountId, ...[2, 3, 4, 5, 6].map((id) => paid(String(id))));
    await push.run();
    expect(browser.messages()).toHaveLength(1);
    clock.advance(quietSeconds);
    await push.run();
    await push.run();
    expect(browser.messages().slice(1)).toMatchObject([
      {
        title: "5 payments received",
        body: "10.00 USD for deposit 2\n10.00 USD for deposit 3\n10.00 USD for deposit 4\nand 2 more",
        path: "deposits",
      },
    ]);
  });

  it("is kept through the outages of a push service, and waits as long as it asks", async () => {
    const member = await arrange();
    const browser = await subscribe(member.browser);
    const attempts = () => browser.messages().length;
    push.service.answerWith(503);
    await record(member.accountId, paid("1"));
    await push.run();
    expect(attempts()).toBe(1);
    clock.advance(13);
    push.service.answerWith(429, { "retry-after": "1000" });
    await push.run();
    expect(attempts()).toBe(2);
    push.service.answerWith(201);
    clock.advance(999);
    await push.run();
    expect(attempts()).toBe(2);
    clock.advance(1);
    await push.run();
    await push.run();
    expect(attempts()).toBe(3);
    expect(await statuses()).toEqual(["sent"]);
  });

  it("is given up after about two days, and at once if it is refused permanently", async () => {
    const member = await arrange();
    const browser = await subscribe(member.browser);
    push.service.answerWith(500);
    await record(member.accountId, paid("1"));
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await push.run();
      clock.advance(110_000);
    }
    expect(browser.messages()).toHaveLength(9);
    expect(await statuses()).toEqual(["failed"]);
    expect(await listed(await api.signIn(member))).toEqual([browser.id]);
    push.service.answerWith(413);
    await record(member.accountId, paid("2"));
    await push.run();
    clock.advance(110_000);
    await push.run();
    expect(browser.messages()).toHaveLength(10);
  });

  it.each([
    ["that cannot be rendered", "update push_message set content = '{}'"],
    [
      "whose browser's secret does not open",
      "update push_subscription set auth_sealed = 'damaged'",
    ],
  ])(
    "is given up after the same attempts, without a request, if it is one %s",
    async (_which, damage) => {
      const member = await arrange();
      const browser = await subscribe(member.browser);
      push.service.answerWith(500);
      await record(member.accountId, paid("1"));
      await push.run();
      push.service.answerWith(201);
      await database.sql(damage);
      const lines: string[] = [];
      const logger = { ...silentLogger, warn: (line: string) => lines.push(line) };
      clock.advance(110_000);
      await push.run({ logger });
      expect(await statuses()).toEqual(["pending"]);
      for (let attempt = 2; attempt < 12; attempt += 1) {
        clock.advance(110_000);
        await push.run({ logger });
      }
      expect(await statuses()).toEqual(["failed"]);
      expect(lines).toEqual(["a push message was given up"]);
      expect(push.service.received().filter(({ path }) => path === browser.path)).toHaveLength(1);
    },
  );

  it.each([404, 410])(
    "ends when the push service answers %i, and goes on in other browsers",
    async (status) => {
      const member = await arrange();
      const gone = await subscribe(member.browser);
      push.service.answerWith(status);
      await record(member.accountId, paid("1"));
      await push.run();
      expect(gone.messages()).toHaveLength(1);
      expect(await listed(member.browser)).toEqual([]);
      push.service.answerWith(201);
      const other = await subscribe(member.browser);
      clock.advance(quietSeconds);
      await record(member.accountId, paid("2"));
      await push.run();
      expect(gone.messages()).toHaveLength(1);
      expect(other.messages()).toMatchObject([{ path: "deposits/2" }]);
    },
  );

  it("repeats under the same tag when its sender dies between the push service's answer and the record", async () => {
    const member = await arrange();
    const browser = await subscribe(member.browser);
    await record(member.accountId, paid("1"));
    await push.run({
      post: async (request) => {
        await push.post(request);
        throw new Error("killed");
      },
    });
    expect(browser.messages()).toHaveLength(1);
    expect(await statuses()).toEqual(["pending"]);
    await push.run();
    expect(browser.messages()).toHaveLength(1);
    clock.advance(61);
    await push.run();
    await push.run();
    const [first, second, ...more] = browser.messages();
    expect(more).toEqual([]);
    expect(second?.["tag"]).toBe(first?.["tag"]);
    expect(await statuses()).toEqual(["sent"]);
  });

  it("is dropped where web push is turned off, and does not come when it is turned on again", async () => {
    const member = await arrange();
    const browser = await subscribe(member.browser);
    await record(member.accountId, paid("1"));
    await discardPushes(database.db);
    await push.run();
    expect(browser.messages()).toEqual([]);
  });
});

describe("/push-subscription/", () => {
  it("chooses every topic for a member who chose none, and keeps what a member chose", async () => {
    const { browser } = await arrange();
    const chosen = async () =>
      (await actAs(api, browser, "GET", "/notification-settings/")).one.attributes["push_topics"];
    await subscribe(browser);
    expect(await chosen()).toEqual(topics.map(({ value }) => value));
    await actAs(api, browser, "PATCH", "/notification-settings/", {
      type: "notification-settings",
      attributes: { push_topics: ["on_hold"] },
    });
    await subscribe(browser);
    expect(await chosen()).toEqual(["on_hold"]);
    const other = await arrange();
    await actAs(api, other.browser, "PATCH", "/notification-settings/", {
      type: "notification-settings",
      attributes: { topics: ["webhook_failing"] },
    });
    await subscribe(other.browser);
    const settings = await actAs(api, other.browser, "GET", "/notification-settings/");
    expect(settings.one.attributes).toMatchObject({ push_topics: ["webhook_failing"] });
  });

  it("lists and removes the caller's own browsers", async () => {
    const member = await arrange();
    const stranger = await arrange();
    const first = await subscribe(member.browser);
    const second = await subscribe(member.browser);
    const answer = await actAs(api, member.browser, "GET", "/push-subscription/");
    expect(
      answer.resources.map(({ id, attributes }) => [
        id,
        attributes["browser"],
        attributes["is_current"],
      ]),
    ).toEqual([
      [first.id, "Firefox 144 on Linux", true],
      [second.id, "Firefox 144 on Linux", true],
    ]);
    const remove = (browser: Browser, id: string) =>
      actAs(api, browser, "DELETE", `/push-subscription/${id}/`);
    expect((await remove(stranger.browser, first.id)).status).toBe(404);
    expect((await remove(member.browser, first.id)).status).toBe(204);
    expect((await remove(member.browser, first.id)).status).toBe(404);
    expect(await listed(member.browser)).toEqual([second.id]);
    await record(member.accountId, paid("1"));
    await push.run();
    expect(first.messages()).toEqual([]);
    expect(second.messages()).toHaveLength(1);
    expect(await auditedActions(database, member.accountId)).toEqual(
      expect.arrayContaining(["push.added", "push.removed"]),
    );
  });

  it("updates a browser that subscribes again, and gives it to another member who signs in there", async () => {
    const member = await arrange();
    const endpoint = `${push.service.origin}/push/${randomUUID()}`;
    const send = (browser: Browser, keys: BrowserKeys) =>
      actAs(api, browser, "POST", "/push-subscription/", document(endpoint, keys));
    const first = await send(member.browser, newBrowserKeys());
    const again = await send(member.browser, newBrowserKeys());
    expect(again.one.id).toBe(first.one.id);
    const colleague = await arrange({ accountId: member.accountId });
    const moved = await send(colleague.browser, newBrowserKeys());
    expect(await listed(member.browser)).toEqual([]);
    expect(await listed(colleague.browser)).toEqual([moved.one.id]);
  });

  it("ends when the person signs out, and not when the session expires", async () => {
    const member = await arrange();
    const first = await subscribe(member.browser);
    clock.advance(13 * 3_600);
    const later = await api.signIn(member);
    const second = await subscribe(later);
    expect(await listed(later)).toEqual([first.id, second.id]);
    const headers = { origin: "http://sluice.test" };
    await api.ask("POST", "/session/logout/", { cookie: later.cookie, headers });
    const last = await api.signIn(member);
    expect(await listed(last)).toEqual([first.id]);
    const kept = await subscribe(last);
    await api.ask("POST", "/session/revoke-others/", { as: last.access });
    expect(await listed(last)).toEqual([kept.id]);
  });

  it("refuses endpoints that the deployment must not reach", async () => {
    const { browser } = await arrange();
    const send = (endpoint: string) =>
      actAs(strict, browser, "POST", "/push-subscription/", document(endpoint, newBrowserKeys()));
    for (const endpoint of [
      "http://push.example/x",
      "https://127.0.0.1/x",
      "https://10.1.2.3/x",
      "https://[::1]/x",
      "https://169.254.169.254/latest",
      "https://localhost/x",
      "https://push.example:6379/x",
      "https://user@push.example/x",
      "file:///etc/passwd",
    ])
      expect(outcome(await send(endpoint)), endpoint).toBe("400 1007 /data/attributes/endpoint");
    expect((await send(`https://push.example/${"x".repeat(900)}`)).status).toBe(201);
  });

  it("refuses keys that nothing can be encrypted to, and keeps a member's twenty newest browsers", async () => {
    const member = await arrange();
    const endpoint = `${push.service.origin}/push/x`;
    const wrong = { ...newBrowserKeys(), publicKey: Buffer.alloc(65, 4) };
    const refused = await actAs(
      api,
      member.browser,
      "POST",
      "/push-subscription/",
      document(endpoint, wrong),
    );
    expect(outcome(refused)).toBe("400 1007 /data/attributes/p256dh");
    const ids: string[] = [];
    for (let count = 0; count < 21; count += 1) ids.push((await subscribe(member.browser)).id);
    const kept = await database.sql<{ id: string }>("select id from push_subscription order by id");
    expect(kept.map(({ id }) => id)).toEqual(ids.slice(1));
  });

  it("stores no browser's secret in the clear", async () => {
    const { browser } = await arrange();
    const { keys } = await subscribe(browser);
    const rows = await database.sql("select s::text from push_subscription s");
    expect(JSON.stringify(rows)).not.toContain(keys.auth.toString("hex"));
    expect(JSON.stringify(rows)).toContain(keys.publicKey.toString("hex"));
  });
});

async function statuses(): Promise<readonly string[]> {
  const rows = await database.sql<{ status: string }>(
    "select status from push_message order by id",
  );
  return rows.map(({ status }) => status);
}
