import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiServer, clerk, owner, reader, stranger } from "../../../test/support/api-server.ts";
import { answerWith } from "../../../test/support/callback-receiver.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeAccounts,
  arrangeCallbacks,
  dispatchContext,
  startDispatcher,
} from "../../../test/support/dispatching.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { faults } from "../../../test/support/faults.ts";
import { testDataKey } from "../../../test/support/test-accounts.ts";
import { useDispatching } from "../../../test/support/use-dispatching.ts";
import { createCallbackUrlCheck, sandboxCallbacks } from "../../callbacks/callback-url.ts";
import { signWithEndpointSecrets } from "../../callbacks/endpoints/sign-with-endpoint-secrets.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { createSeal } from "../../platform/kernel/seal.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { callbackRoutes } from "./callback.ts";
import { callbackResendRoutes } from "./callback-resend.ts";
import { webhookEndpointRoutes } from "./webhook-endpoint.ts";

/* Webhook endpoints over HTTP, and what real receivers get: each delivery is verified with a Standard Webhooks library. */

const database = useDatabase();
const { receiver, callbacks, finished } = useDispatching(database);
const deps = {
  db: database.db,
  clock: systemClock,
  random: systemRandom,
  seal: createSeal(testDataKey, systemRandom),
  callbackUrlFault: createCallbackUrlCheck(sandboxCallbacks),
};
const api = apiServer([
  ...webhookEndpointRoutes(deps),
  ...callbackRoutes(deps),
  ...callbackResendRoutes(deps),
]);
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  await database.sql("truncate webhook_endpoint");
  await arrangeAccounts(database, ["1", "2"]);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function dispatching(...[changes]: [changes?: Parameters<typeof dispatchContext>[1]]): void {
  const context = dispatchContext(database.db, changes);
  const readSigningKeys = signWithEndpointSecrets(deps, (accountId, credentialId) =>
    context.readSigningKeys(accountId, credentialId, null),
  );
  stops.push(startDispatcher({ ...context, readSigningKeys }).stop);
}

const path = "/webhook-endpoint/";
const ask = (method: string, to: string, attributes: JsonObject | null = null, as = owner) => {
  const [, id] = /^\/webhook-endpoint\/(\d+)\/$/.exec(to) ?? [];
  const named = method === "PATCH" && id !== undefined ? { id } : {};
  const data = { type: "webhook-endpoint", ...named, attributes: attributes ?? {} };
  return api.ask(method, to, { as, ...(attributes === null ? {} : { body: { data } }) });
};
async function create(attributes: JsonObject): Promise<{ id: string; secret: string }> {
  const { status, one, text } = await ask("POST", path, attributes);
  expect(status, text).toBe(201);
  return { id: one.id, secret: one.attributes["secret"] as string };
}
const record = (trigger: string, objectId = "21", url = "") =>
  arrangeCallbacks(database.db, [[objectId, url]], { accountId: "1", trigger });

describe("a webhook endpoint", () => {
  it("receives the events that it selects, signed with its own secret, next to the callback URL", async () => {
    const [all, some, own] = [await receiver(), await receiver(), await receiver()];
    const first = await create({ url: all.url });
    const second = await create({ url: some.url, events: ["deposit.confirmed", "payout.failed"] });
    await record("status", "21", own.url);
    await record("confirmed", "21", own.url);
    dispatching();
    await finished();
    const triggersOf = (rows: readonly { headers: object }[]) => rows.length;
    expect([all, some, own].map(({ received }) => triggersOf(received))).toEqual([2, 1, 2]);
    for (const [shop, secret] of [
      [all, first.secret],
      [some, second.secret],
    ] as const) {
      const [delivery] = shop.received;
      const headers = delivery?.headers as Record<string, string>;
      new Webhook(secret).verify(delivery?.body ?? "", headers);
      expect(() =>
        new Webhook(first.secret === secret ? second.secret : first.secret).verify(
          delivery?.body ?? "",
          headers,
        ),
      ).toThrow();
      expect(delivery?.document.meta.sign).toMatch(/^[0-9a-f]{64}$/);
    }
    const ids = [all, some, own].flatMap(({ received }) =>
      received.map(({ headers }) => headers["webhook-id"]),
    );
    expect(new Set(ids).size).toBe(5);
  });

  it("is attempted nine times in the order of its object's events, while other receivers get theirs", async () => {
    const [failing, working] = [await receiver(answerWith(503)), await receiver()];
    const { id } = await create({ url: failing.url });
    await create({ url: working.url });
    await record("confirmed");
    await record("status");
    dispatching({ retryDelaysSeconds: Array.from({ length: 8 }, () => 0.02), failuresToOpen: 100 });
    await finished();
    expect(failing.received.map(({ headers }) => headers["webhook-id"])).toHaveLength(18);
    const [firstOf, secondOf] = [failing.received.slice(0, 9), failing.received.slice(9)];
    for (const attempts of [firstOf, secondOf])
      expect(new Set(attempts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(working.received).toHaveLength(2);
    const { resources } = await api.ask("GET", `/callback/?filter[webhook_endpoint]=${id}`);
    expect(
      resources.map(({ attributes }) => [attributes["status"], attributes["attempts"]]),
    ).toEqual([
      ["exhausted", 9],
      ["exhausted", 9],
    ]);
  });

  it("shows the sent headers and body of each attempt in the log", async () => {
    const shop = await receiver();
    const { id } = await create({ url: shop.url });
    await record("status");
    dispatching();
    await finished();
    const listed = await api.ask("GET", "/callback/");
    const [callback] = listed.resources;
    expect(callback?.relationships["webhook_endpoint"]?.data).toEqual({
      type: "webhook-endpoint",
      id,
    });
    const { one } = await api.ask("GET", `/callback/${callback?.id ?? ""}/`);
    const [attempt] = one.attributes["attempt_log"] as readonly {
      request: { headers: Record<string, string>; body: string };
    }[];
    const [received] = shop.received;
    expect(attempt?.request.body).toBe(received?.body);
    expect(received?.headers).toMatchObject(attempt?.request.headers ?? { missing: "headers" });
  });

  it("gets a test delivery, which no other endpoint gets", async () => {
    const [shop, other] = [await receiver(), await receiver()];
    const { id, secret } = await create({ url: shop.url, events: ["payout.failed"] });
    await create({ url: other.url });
    const sent = await ask("POST", `${path}${id}/test/`);
    expect([sent.status, sent.one.type, sent.one.attributes["object_type"]]).toEqual([
      200,
      "callback",
      "test",
    ]);
    dispatching();
    await finished();
    expect([shop.received.length, other.received.length]).toEqual([1, 0]);
    const [delivery] = shop.received;
    new Webhook(secret).verify(delivery?.body ?? "", delivery?.headers as Record<string, string>);
  });

  it("receives nothing while it is disabled, and its waiting deliveries end until they are resent", async () => {
    const shop = await receiver(answerWith(503));
    const { id } = await create({ url: shop.url });
    await record("status");
    dispatching({ retryDelaysSeconds: [3_600] });
    await eventually(callbacks, ([row]) => row?.attempts === 1);
    expect((await ask("PATCH", `${path}${id}/`, { is_enabled: false })).status).toBe(200);
    await record("confirmed", "22");
    const [ended, ...others] = await callbacks();
    expect([ended?.status, others]).toEqual(["exhausted", []]);
    const { resources } = await api.ask("GET", "/callback/");
    const resend = `/callback/${resources[0]?.id ?? ""}/resend/`;
    expect(faults(await ask("POST", resend))).toEqual(["400", "1007 /data"]);
    expect(faults(await ask("POST", `${path}${id}/test/`))).toEqual(["400", "1007 /data"]);
    shop.answer = answerWith(200);
    await ask("PATCH", `${path}${id}/`, { is_enabled: true });
    expect((await ask("POST", resend)).status).toBe(200);
    await finished();
    expect(shop.received).toHaveLength(2);
  });

  it("receives at its present URL what is resent, one by one or many at once", async () => {
    const [old, moved] = [await receiver(answerWith(503)), await receiver()];
    const { id } = await create({ url: old.url });
    await record("status", "21");
    await record("status", "22");
    dispatching({ retryDelaysSeconds: [] });
    await finished();
    for (const change of [{ is_enabled: false }, { url: moved.url }, { is_enabled: true }])
      expect((await ask("PATCH", `${path}${id}/`, change)).status).toBe(200);
    const { resources } = await api.ask("GET", "/callback/");
    expect((await ask("POST", `/callback/${resources[0]?.id ?? ""}/resend/`)).status).toBe(200);
    const data = { type: "callback-resend", attributes: { status: "exhausted" } };
    const { one } = await api.ask("POST", "/callback/resend/", { as: owner, body: { data } });
    expect(one.attributes).toEqual({ resent: 1, is_complete: true });
    await finished();
    expect([old.received.length, moved.received.length]).toEqual([2, 2]);
    const listed = await api.ask("GET", "/callback/");
    expect(listed.resources.map(({ attributes }) => attributes["url"])).toEqual(
      Array<string>(2).fill(moved.url),
    );
  });

  it("sends what waits for another attempt to its new URL", async () => {
    const [old, moved] = [await receiver(answerWith(503)), await receiver()];
    const { id } = await create({ url: old.url });
    await record("status");
    dispatching({ retryDelaysSeconds: [0.5] });
    await eventually(callbacks, ([row]) => row?.attempts === 1);
    await ask("PATCH", `${path}${id}/`, { url: moved.url });
    await finished();
    expect([old.received.length, moved.received.length]).toEqual([1, 1]);
  });

  it("signs with both secrets during a rotation, and with one after a leak", async () => {
    const shop = await receiver();
    const { id, secret } = await create({ url: shop.url });
    const rotated = await ask("POST", `${path}${id}/rotate-secret/`, {});
    const next = rotated.one.attributes["secret"] as string;
    expect(next).not.toBe(secret);
    await record("status");
    dispatching();
    await finished();
    const verify = (with_: string, index: number) => {
      const { body, headers } = shop.received[index] ?? { body: "", headers: {} };
      return new Webhook(with_).verify(body, headers as Record<string, string>);
    };
    expect([verify(secret, 0), verify(next, 0)]).toHaveLength(2);
    for (const stop of stops.splice(0)) await stop();
    const leaked = await ask("POST", `${path}${id}/rotate-secret/`, { grace_hours: 0 });
    await record("confirmed");
    dispatching();
    await finished();
    expect(() => verify(next, 1)).toThrow();
    verify(leaked.one.attributes["secret"] as string, 1);
  });

  it("shows its secret once, and none in lists", async () => {
    const { id, secret } = await create({ url: "https://shop.example/hook", description: "ERP" });
    expect(secret).toMatch(/^whsec_/);
    for (const to of [path, `${path}${id}/`]) {
      const answer = await ask("GET", to);
      expect(answer.text).not.toContain(secret);
      expect(answer.text).toContain("https://shop.example/hook");
    }
    expect((await ask("DELETE", `${path}${id}/`)).status).toBe(204);
    expect((await ask("GET", `${path}${id}/`)).status).toBe(404);
    await record("status");
    expect(await callbacks()).toEqual([]);
  });

  it("belongs to its account, and only Owners and Admins change it", async () => {
    const { id } = await create({ url: "https://shop.example/hook" });
    for (const [method, to, attributes] of [
      ["PATCH", `${path}${id}/`, { is_enabled: false }],
      ["DELETE", `${path}${id}/`, null],
      ["POST", `${path}${id}/rotate-secret/`, {}],
      ["POST", `${path}${id}/test/`, null],
    ] as const) {
      expect([to, (await ask(method, to, attributes, stranger)).status]).toEqual([to, 404]);
      expect([to, (await ask(method, to, attributes, reader)).status]).toEqual([to, 403]);
    }
    expect((await ask("POST", path, { url: "https://shop.example/" }, reader)).status).toBe(403);
    expect((await ask("GET", path, null, reader)).resources).toHaveLength(1);
    // Sees granted wallets only, and an endpoint receives events of all.
    expect((await ask("GET", path, null, clerk)).resources).toEqual([]);
    expect((await ask("GET", path, null, stranger)).resources).toEqual([]);
  });

  it("is out of reach of Owners and Admins who see only granted wallets", async () => {
    const { id } = await create({ url: "https://shop.example/hook" });
    const before = await database.sql("select * from webhook_endpoint");
    for (const role of ["owner", "admin"] as const)
      for (const [method, to, attributes] of [
        ["POST", path, { url: "https://else.example/" }],
        ["PATCH", `${path}${id}/`, { url: "https://else.example/" }],
        ["DELETE", `${path}${id}/`, null],
        ["POST", `${path}${id}/rotate-secret/`, {}],
      ] as const)
        expect([to, (await ask(method, to, attributes, { ...clerk, role })).status]).toEqual([
          to,
          403,
        ]);
    expect(await database.sql("select * from webhook_endpoint")).toEqual(before);
  });

  it("refuses forbidden URLs and unknown events, and more than twenty endpoints, also at the same time", async () => {
    const url = "https://shop.example/hook";
    const at = (member: string) => ["400", `1007 /data/attributes/${member}`];
    for (const [attributes, expected] of [
      [{}, at("url")],
      [{ url: "http://10.0.0.1/" }, at("url")],
      [{ url, events: [] }, at("events")],
      [{ url, events: "all" }, at("events")],
      [{ url, events: ["deposit.status", "deposit.lost"] }, at("events/1")],
    ] as const)
      expect([attributes, faults(await ask("POST", path, attributes))]).toEqual([
        attributes,
        expected,
      ]);
    expect(await database.sql("select from webhook_endpoint")).toEqual([]);
    const requests = Array.from({ length: 25 }, () => ask("POST", path, { url }));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(await database.sql("select from webhook_endpoint")).toHaveLength(20);
    expect(faults(await ask("POST", path, { url }))).toEqual(["400", "1007 /data"]);
  });
});
