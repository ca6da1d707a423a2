import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiServer, clerk, owner, reader, stranger } from "../../../test/support/api-server.ts";
import {
  answerWith,
  type CallbackReceiver,
  startReceiver,
} from "../../../test/support/callback-receiver.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeAccounts,
  arrangeCallbacks,
  dispatchContext,
  startDispatcher,
} from "../../../test/support/dispatching.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { faults } from "../../../test/support/faults.ts";
import type { Principal } from "../../accounts/principal.ts";
import { createCallbackUrlCheck, sandboxCallbacks } from "../../callbacks/callback-url.ts";
import { relayEvents } from "../../callbacks/events/event-feed.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { callbackRoutes } from "./callback.ts";
import { callbackReceiverRoutes } from "./callback-receiver.ts";
import { callbackResendRoutes } from "./callback-resend.ts";
import { callbackTestRoutes } from "./callback-test.ts";
import { eventRoutes } from "./event.ts";

const database = useDatabase();
const deps = {
  db: database.db,
  clock: systemClock,
  random: systemRandom,
  callbackUrlFault: createCallbackUrlCheck(sandboxCallbacks),
};
const api = apiServer([
  ...callbackRoutes(deps),
  ...callbackResendRoutes(deps),
  ...callbackTestRoutes(deps),
  ...callbackReceiverRoutes(deps),
  ...eventRoutes(deps),
]);
const stops: (() => Promise<void>)[] = [];
let shop: CallbackReceiver;

beforeEach(async () => {
  await database.sql(
    "truncate callback, callback_attempt, callback_host, event, event_feed cascade",
  );
  await arrangeAccounts(database, ["1", "2"]);
  shop = await startReceiver();
  stops.push(shop.close);
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function arrange(depositId: string, walletId: string, sql = "", accountId = "1") {
  const wallet = { data: { type: "wallet", id: walletId } };
  const attributes = { tracking_id: null };
  const data = { type: "deposit", id: depositId, attributes, relationships: { wallet } };
  await arrangeCallbacks(database.db, [[depositId, shop.url]], {
    accountId,
    payload: { data, included: [] },
  });
  const [row] = await database.sql<{ id: string }>(
    "select id from callback where object_id = $1 and account_id = $2",
    [depositId, accountId],
  );
  const id = row?.id ?? "";
  if (sql !== "") await database.sql(`update callback set ${sql} where id = $1`, [id]);
  return id;
}
const exhausted = "status = 'exhausted', due_at = null, attempts = 9, last_status_code = 500";
const failing = "due_at = '2099-01-01', attempts = 3, last_status_code = 500";

const post = (type: string, attributes: JsonObject, as = owner, relationships?: JsonObject) =>
  api.ask("POST", `/callback/${type.replace("callback-", "")}/`, {
    as,
    body: { data: { type, attributes, ...(relationships === undefined ? {} : { relationships }) } },
  });
const resend = (attributes: JsonObject, as = owner) => post("callback-resend", attributes, as);
const dispatching = (...args: Parameters<typeof dispatchContext>): void => {
  stops.push(startDispatcher(dispatchContext(...args)).stop);
};
const resentIds = async () =>
  (await database.sql<{ id: string }>("select id from callback where is_resend order by id")).map(
    ({ id }) => id,
  );

describe("resending several callbacks", () => {
  it("resends all exhausted ones once, and no others", async () => {
    const exhaustedIds = [await arrange("21", "1", exhausted), await arrange("22", "2", exhausted)];
    await arrange("23", "1", failing);
    await arrange("24", "1", "status = 'delivered', due_at = null");
    const of = { status: "exhausted" };
    expect((await resend(of)).one.attributes).toEqual({ resent: 2, is_complete: true });
    expect(await resentIds()).toEqual(exhaustedIds);
    expect((await resend(of)).one.attributes).toEqual({ resent: 0, is_complete: true });
  });

  it("resends all that wait for another attempt", async () => {
    const waiting = await arrange("21", "1", failing);
    await arrange("22", "1", exhausted);
    await arrange("23", "1");
    expect((await resend({ status: "failing" })).one.attributes["resent"]).toBe(1);
    expect(await resentIds()).toEqual([waiting]);
    expect((await resend({ status: "failing" })).one.attributes["resent"]).toBe(0);
  });

  it("is not held up by any number of callbacks of disabled endpoints", async () => {
    const older = Array.from({ length: 501 }, (_, index) => [`${100 + index}`, shop.url] as const);
    await arrangeCallbacks(database.db, older, { accountId: "1" });
    await database.sql(
      `insert into webhook_endpoint (account_id, id, url, host, is_enabled, secret_sealed, created_at, updated_at)
       values (1, 9, $1, $2, false, '', now(), now())`,
      [shop.url, shop.host],
    );
    await database.sql(`update callback set ${exhausted}, endpoint_id = 9`);
    const own = await arrange("21", "1", exhausted);
    const { one } = await resend({ status: "exhausted" });
    expect(one.attributes).toEqual({ resent: 1, is_complete: true });
    expect(await resentIds()).toEqual([own]);
  });

  it("can be narrowed by the filters of the list", async () => {
    const one = await arrange("21", "1", exhausted);
    await arrange("22", "2", exhausted);
    const filter = { wallet: "1", created_at_from: "2020-01-01", url: "CALLBACK" };
    expect((await resend({ status: "exhausted", filter })).one.attributes["resent"]).toBe(1);
    expect(await resentIds()).toEqual([one]);
  });

  it("resends named callbacks, delivered ones included", async () => {
    const ids = [await arrange("21", "1"), await arrange("22", "1")];
    dispatching(database.db);
    const arrived = (count: number) =>
      eventually(
        () => shop.received.length,
        (length) => length === count,
      );
    await arrived(2);
    await eventually(
      async () => (await api.ask("GET", "/callback/?filter[status]=delivered")).resources.length,
      (length) => length === 2,
    );
    expect((await resend({ ids })).one.attributes["resent"]).toBe(2);
    await arrived(4);
    expect(new Set(shop.received.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  });

  it("names every fault and changes nothing", async () => {
    const own = await arrange("21", "1", exhausted);
    const theirs = await arrange("31", "1", exhausted, "2");
    const hidden = await arrange("22", "2", exhausted);
    const ids = "/data/attributes/ids";
    const refusals: readonly [JsonObject, Principal, readonly string[]][] = [
      [{}, owner, ["1007 /data/attributes/status"]],
      [{ ids: [own], status: "exhausted" }, owner, ["1007 /data/attributes/status"]],
      [{ status: "lost" }, owner, ["1007 /data/attributes/status"]],
      [{ ids: [] }, owner, [`1007 ${ids}`]],
      [{ ids: "7" }, owner, [`1007 ${ids}`]],
      [{ ids: Array.from({ length: 501 }, () => own) }, owner, [`1007 ${ids}`]],
      [{ ids: [own, "x", {}] }, owner, [`1007 ${ids}/1`, `1007 ${ids}/2`]],
      [{ ids: [own, theirs, "99999999"] }, owner, [`1007 ${ids}/1`, `1007 ${ids}/2`]],
      [{ ids: [own, hidden] }, clerk, [`1007 ${ids}/1`]],
      [{ ids: [own], filter: {} }, owner, ["1007 /data/attributes/filter"]],
      [{ status: "exhausted", filter: "x" }, owner, ["1007 /data/attributes/filter"]],
      [
        { status: "exhausted", filter: { nope: "1", status: "delivered", wallet: "x" } },
        owner,
        ["nope", "status", "wallet"].map((name) => `1007 /data/attributes/filter/${name}`),
      ],
    ];
    for (const [attributes, as, expected] of refusals)
      expect([attributes, faults(await resend(attributes, as)).slice(1)]).toEqual([
        attributes,
        expected,
      ]);
    expect((await resend({ status: "exhausted" }, reader)).status).toBe(403);
    expect(await resentIds()).toEqual([]);
  });

  it("covers only the caller's own account and granted wallets", async () => {
    const own = await arrange("21", "1", exhausted);
    await arrange("22", "2", exhausted);
    await arrange("31", "1", exhausted, "2");
    expect((await resend({ status: "exhausted" }, clerk)).one.attributes["resent"]).toBe(1);
    expect(await resentIds()).toEqual([own]);
    expect((await resend({ status: "exhausted" }, stranger)).one.attributes["resent"]).toBe(1);
  });
});

describe("a test delivery", () => {
  const sendTest = (attributes: JsonObject, as = owner, relationships?: JsonObject) =>
    post("callback-test", attributes, as, relationships);
  const related = (id: string): JsonObject => ({ wallet: { data: { type: "wallet", id } } });

  beforeEach(async () => {
    await database.sql(
      `insert into wallet (account_id, id, type, currency, label, status, needs_activation, created_at)
       values (1, 1, 2, '1002', 'Shop', 3, false, now()) on conflict do nothing`,
    );
  });

  it("arrives signed with data.type test and is not in the feed", async () => {
    dispatching(database.db);
    const { status, one } = await sendTest({ url: shop.url });
    expect([status, one.type, one.attributes["object_type"], one.attributes["trigger"]]).toEqual([
      ...[200, "callback", "test", "test"],
    ]);
    await eventually(
      () => shop.received.length,
      (length) => length === 1,
    );
    const [received] = shop.received;
    const body = JSON.parse(String(received?.body)) as JsonObject;
    expect(body["data"]).toMatchObject({
      type: "test",
      attributes: { tracking_id: null },
      relationships: { wallet: { data: null } },
    });
    expect(body["included"]).toEqual([]);
    expect((body["meta"] as JsonObject)["sign"]).toMatch(/^[0-9a-f]{64}$/);
    expect(received?.headers["webhook-signature"]).toMatch(/^v1,/);
    const shown = () => api.ask("GET", `/callback/${one.id}/`);
    await eventually(
      async () => (await shown()).one.attributes["status"],
      (now) => now === "delivered",
    );
    expect((await shown()).one.attributes["attempt_log"]).toMatchObject([{ status_code: 200 }]);
    await relayEvents({ db: database.db });
    expect((await api.ask("GET", "/event/")).resources).toEqual([]);
  });

  it("is retried like any callback and does not delay others", async () => {
    shop.answer = answerWith(503, {}, "closed");
    dispatching(database.db, { retryDelaysSeconds: [3600] });
    await sendTest({ url: shop.url });
    await sendTest({ url: shop.url });
    await eventually(
      async () => (await api.ask("GET", "/callback/?filter[object_type]=test")).resources,
      (many) => many.length === 2 && many.every((one) => one.attributes["attempts"] === 1),
    );
  });

  it("is visible to the account and to members who see its wallet", async () => {
    const created = await sendTest({ url: shop.url }, clerk, related("1"));
    const path = `/callback/${created.one.id}/`;
    expect((await api.ask("GET", path, { as: clerk })).status).toBe(200);
    expect((await api.ask("GET", path, { as: stranger })).status).toBe(404);
    const other = await sendTest({ url: shop.url });
    const denied = await api.ask("GET", `/callback/${other.one.id}/`, { as: clerk });
    expect(faults(denied)).toEqual(["400", "5001"]);
  });

  it("rejects URLs and wallets that callbacks may not use", async () => {
    const url = "1007 /data/attributes/url";
    const wallet = "1007 /data/relationships/wallet";
    const refusals: readonly [JsonObject, Principal, JsonObject | undefined, string][] = [
      [{}, owner, undefined, url],
      [{ url: "ftp://shop.example/" }, owner, undefined, url],
      [{ url: "http://10.0.0.1/" }, owner, undefined, url],
      [{ url: "http://169.254.169.254/latest" }, owner, undefined, url],
      [{ url: "https://user:pass@shop.example/" }, owner, undefined, url],
      [{ url: shop.url }, clerk, undefined, wallet],
      [{ url: shop.url }, clerk, related("2"), wallet],
      [{ url: shop.url }, owner, related("x"), wallet],
      [{ url: shop.url }, owner, related("99999999"), wallet],
    ];
    for (const [attributes, as, relationships, expected] of refusals)
      expect([attributes, faults(await sendTest(attributes, as, relationships)).slice(1)]).toEqual([
        attributes,
        [expected],
      ]);
    expect((await sendTest({ url: shop.url }, reader)).status).toBe(403);
    expect(await database.sql("select from callback")).toEqual([]);
  });
});

it("GET /callback-receiver/ lists receivers that failed, with their pauses and waiting callbacks", async () => {
  await arrange("21", "1");
  await database.sql(
    `insert into callback_host (account_id, host, consecutive_failures, open_until, failing_since, updated_at) values
       (1, $1, 12, '2099-01-01Z', '2026-01-01Z', '2026-01-03Z'), (1, 'b.example', 12, '2020-01-01Z', '2020-01-01Z', '2026-01-02Z'),
       (1, 'c.example', 0, null, null, '2026-01-01Z'), (2, 'd.example', 1, null, '2026-01-01Z', '2026-01-01Z')`,
    [shop.host],
  );
  const path = "/callback-receiver/";
  const { resources } = await api.ask("GET", path);
  expect(
    resources.map(({ id, attributes }) => [id, attributes["state"], attributes["waiting"]]),
  ).toEqual([
    [shop.host, "stopped", 1],
    ["b.example", "trying", 0],
    ["c.example", "working", 0],
  ]);
  expect(resources[0]?.attributes["open_until"]).toBe("2099-01-01T00:00:00.000000Z");
  const found = async (query: string, as = owner) =>
    (await api.ask("GET", `${path}?${query}`, { as })).resources.map(({ id }) => id);
  expect(await found("filter[is_failing]=true")).toEqual([shop.host, "b.example"]);
  expect(await found("filter[host]=C.EX")).toEqual(["c.example"]);
  expect(await found("page[after]=&page[size]=1&sort=host")).toEqual([shop.host]);
  expect(await found("", stranger)).toEqual(["d.example"]);
  expect([await found("", clerk), await found("page[after]=", clerk)]).toEqual([[], []]);
});
