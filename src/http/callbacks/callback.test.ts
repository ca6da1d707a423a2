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
import type { Principal } from "../../accounts/principal.ts";
import type { NewEvent } from "../../callbacks/events/new-event.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { callbackRoutes } from "./callback.ts";

const database = useDatabase();
const api = apiServer(callbackRoutes({ db: database.db, clock: systemClock }));
const stops: (() => Promise<void>)[] = [];
let shop: CallbackReceiver;

beforeEach(async () => {
  await database.sql("truncate callback, callback_attempt, callback_host, event cascade");
  await arrangeAccounts(database, ["1"]);
  shop = await startReceiver();
  stops.push(shop.close);
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

function arrange(depositId: string, walletId: string, changes: Partial<NewEvent> = {}) {
  const data = {
    type: "deposit",
    id: depositId,
    attributes: { tracking_id: null },
    relationships: { wallet: { data: { type: "wallet", id: walletId } } },
  };
  const payload = { data, included: [] };
  const defaults = { accountId: "1", payload };
  return arrangeCallbacks(database.db, [[depositId, shop.url]], { ...defaults, ...changes });
}

const idOf = async (depositId: string): Promise<string> => {
  const rows = await database.sql<{ id: string }>("select id from callback where object_id = $1", [
    depositId,
  ]);
  return rows[0]!.id;
};
const dispatching = (...args: Parameters<typeof dispatchContext>): void => {
  stops.push(startDispatcher(dispatchContext(...args)).stop);
};
const statusOf = async (id: string): Promise<string> =>
  (await api.ask("GET", `/callback/${id}/`)).one.attributes["status"] as string;
const becomes = (id: string, status: string) =>
  eventually(
    () => statusOf(id),
    (now) => now === status,
  );

describe("the callback routes", () => {
  it("return a callback with its log, newest attempt first and answers escaped", async () => {
    shop.answer = answerWith(500, {}, "<b>no\u0000</b>");
    await arrange("21", "1");
    const id = await idOf("21");
    dispatching(database.db, { retryDelaysSeconds: [0.05], retryJitter: 0 });
    await becomes(id, "exhausted");
    const { one } = await api.ask("GET", `/callback/${id}/`);
    expect(one.attributes).toMatchObject({
      url: shop.url,
      status: "exhausted",
      trigger: "status",
      object_type: "deposit",
      object_id: "21",
      attempts: 2,
      next_attempt_at: null,
      last_status_code: 500,
      last_error: null,
      delivered_at: null,
    });
    const log = one.attributes["attempt_log"];
    expect(log).toMatchObject([
      { number: 2, status_code: 500, error: null, answer: "<b>no\\u{0}</b>" },
      { number: 1, status_code: 500, error: null, answer: "<b>no\\u{0}</b>" },
    ]);
    expect(one.relationships).toEqual({
      wallet: { data: { type: "wallet", id: "1" } },
      deposit: { data: { type: "deposit", id: "21" } },
      webhook_endpoint: { data: null },
    });
  });

  it("say why the newest attempt got no answer, in lists as in the log", async () => {
    await arrange("21", "1");
    const id = await idOf("21");
    await database.sql("update callback set url = 'http://127.0.0.1:1/' where id = $1", [id]);
    dispatching(database.db, { retryDelaysSeconds: [0.05], retryJitter: 0 });
    await becomes(id, "exhausted");
    const { resources } = await api.ask("GET", "/callback/");
    const { one } = await api.ask("GET", `/callback/${id}/`);
    const [newest] = one.attributes["attempt_log"] as { readonly error: string }[];
    expect(newest?.error).toMatch(/^[a-z_]+$/);
    for (const { attributes } of [one, resources[0]!])
      expect([attributes["last_status_code"], attributes["last_error"]]).toEqual([
        null,
        newest?.error,
      ]);
  });

  it("filter a list by status, deposit, wallet, URL and time", async () => {
    await arrange("21", "1");
    await arrange("22", "2");
    await database.sql(
      "update callback set status = 'exhausted', due_at = null where object_id = 22",
    );
    const found = async (query: string): Promise<unknown[]> => {
      const { resources } = await api.ask("GET", `/callback/?${query}`);
      return resources.map((resource) => resource.attributes["object_id"]);
    };
    expect(await found("")).toEqual(["22", "21"]);
    expect(await found("sort=created_at")).toEqual(["21", "22"]);
    expect(await found("filter[status]=pending")).toEqual(["21"]);
    expect(await found("filter[status]=exhausted")).toEqual(["22"]);
    expect(await found("filter[status]=retrying")).toEqual([]);
    const attempted = (code: number | null) =>
      database.sql(
        "update callback set attempts = 2, last_status_code = $1 where object_id = '21'",
        [code],
      );
    // One that was delivered and is resent does not retry.
    await attempted(200);
    expect(await found("filter[status]=retrying")).toEqual([]);
    await attempted(500);
    expect(await found("filter[status]=retrying")).toEqual(["21"]);
    await attempted(null);
    expect(await found("filter[status]=retrying")).toEqual(["21"]);
    expect(await found("filter[deposit]=22")).toEqual(["22"]);
    expect(await found("filter[object_type]=payout")).toEqual([]);
    expect(await found("filter[wallet]=1")).toEqual(["21"]);
    expect(await found("filter[url]=CALLBACK")).toEqual(["22", "21"]);
    expect(await found("filter[url]=nothing")).toEqual([]);
    expect(await found("filter[created_at_from]=2099-01-01")).toEqual([]);
    expect(await found("page[after]=&page[size]=1")).toEqual(["22"]);
    expect((await api.ask("GET", "/callback/?filter[status]=lost")).status).toBe(400);
    expect((await api.ask("GET", "/callback/?filter[nope]=1")).status).toBe(400);
  });

  it("show no callbacks of other accounts, and a member only those of granted wallets", async () => {
    await arrange("21", "1");
    await arrange("22", "2");
    const second = `/callback/${await idOf("22")}/`;
    const seen = async (as: Principal): Promise<unknown> =>
      (await api.ask("GET", "/callback/", { as })).resources.length;
    expect([
      await seen(owner),
      await seen(reader),
      await seen(clerk),
      await seen(stranger),
    ]).toEqual([2, 2, 1, 0]);
    const refusal = async (as: Principal, path = second, method = "GET"): Promise<unknown> => {
      const { status, errors } = await api.ask(method, path, { as });
      return [status, errors[0]?.code];
    };
    expect(await refusal(clerk)).toEqual([400, "5001"]);
    expect(await refusal(stranger)).toEqual([404, "404"]);
    expect(await refusal(stranger, `${second}resend/`, "POST")).toEqual([404, "404"]);
    expect(await refusal(clerk, `${second}resend/`, "POST")).toEqual([400, "5001"]);
    expect(await refusal(reader, `${second}resend/`, "POST")).toEqual([403, "permission_denied"]);
  });

  const resend = (id: string) => api.ask("POST", `/callback/${id}/resend/`);

  it("resend a delivered callback with the same webhook-id", async () => {
    await arrange("21", "1");
    const id = await idOf("21");
    dispatching(database.db);
    await becomes(id, "delivered");
    // The shop holds back its second answer: otherwise the callback could be delivered before the resend request is answered.
    const { promise: answerTime, resolve: answerNow } = Promise.withResolvers<null>();
    shop.answer = (response) => void answerTime.then(() => response.writeHead(200).end());
    const { status, one } = await resend(id);
    expect([status, one.attributes["status"]]).toEqual([200, "pending"]);
    answerNow(null);
    await becomes(id, "delivered");
    expect(shop.received).toHaveLength(2);
    const ids = new Set(shop.received.map((received) => received.headers["webhook-id"]));
    expect(ids.size).toBe(1);
  });

  it("restart the retry schedule when an exhausted callback is resent", async () => {
    shop.answer = answerWith(500);
    await arrange("21", "1");
    const id = await idOf("21");
    dispatching(database.db, { retryDelaysSeconds: [0.05, 0.05] });
    await becomes(id, "exhausted");
    expect(shop.received).toHaveLength(3);
    await resend(id);
    await eventually(
      () => shop.received.length,
      (count) => count === 6,
    );
    await becomes(id, "exhausted");
  });

  it("resend at once even if a retry is hours away and the breaker is open", async () => {
    await arrange("21", "1");
    const id = await idOf("21");
    await database.sql("update callback set due_at = '2099-01-01', attempts = 3");
    await database.sql(
      `insert into callback_host (account_id, host, consecutive_failures, openings, open_until, updated_at)
     values (1, $1, 10, 1, '2099-01-01', '2020-01-01')`,
      [shop.host],
    );
    dispatching(database.db);
    await resend(id);
    await becomes(id, "delivered");
    await eventually(
      () => database.sql<{ open_until: number | null }>("select open_until from callback_host"),
      ([host]) => host?.open_until === null,
    );
  });

  it("do not delay newer callbacks of an object when an old one is resent", async () => {
    await arrange("21", "1");
    const id = await idOf("21");
    dispatching(database.db, { retryDelaysSeconds: [3600] });
    await becomes(id, "delivered");
    shop.answer = answerWith(500);
    await resend(id);
    await eventually(
      () => shop.received.length,
      (count) => count === 2,
    );
    shop.answer = answerWith(200);
    await arrange("21", "1");
    await eventually(
      () => shop.received.length,
      (count) => count === 3,
    );
  });
});
