import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { fillPool } from "../../test/support/deposit-world.ts";
import { startUnreliableProxy, type UnreliableProxy } from "../../test/support/unreliable-proxy.ts";
import { useWholeApi } from "../../test/support/whole-api.ts";
import { payAll } from "../../test/support/whole-payments.ts";
import {
  arrangeDepositOf,
  arrangeTenant,
  newDeposit,
  type Tenant,
} from "../../test/support/whole-tenant.ts";
import { type Client, createClient } from "./create-client.ts";

// Tokens and the feed of events, on the whole API: whoever asks meanwhile shares one refresh, a session that is over is followed
// by another, and a feed that is interrupted goes on where it was.

const database = useDatabase();
const api = useWholeApi(database);
let shop: Tenant;
let proxy: UnreliableProxy;
const newClient = (password?: string): Client =>
  createClient(
    { baseUrl: proxy.url, login: shop.owner.login, password: password ?? shop.owner.password },
    { delayMs: 20 },
  );
beforeAll(async () => {
  await fillPool(api.world(), "evm", "", 20);
  shop = await arrangeTenant(api);
  proxy = await startUnreliableProxy(api.url());
});
afterAll(() => proxy.close());
beforeEach(() => {
  proxy.seen.length = 0;
});

const asked = () => proxy.seen.map(({ method, path }) => `${method} ${path}`);
const tokenRequests = () => asked().filter((one) => one.startsWith("POST /token/"));

test("one log-in serves all who ask at once, and one refresh when the service refuses its token", async () => {
  const client = newClient();
  await Promise.all(Array.from({ length: 5 }, () => client.list("/wallet/")));
  expect(tokenRequests()).toEqual(["POST /token/"]);
  // The service's clock goes ahead; by the client's own the token still holds.
  api.clock.advance(16 * 60);
  await Promise.all(Array.from({ length: 5 }, () => client.list("/wallet/")));
  expect(tokenRequests()).toEqual(["POST /token/", "POST /token/refresh/"]);
});

test("a session that is over is followed by a log-in", async () => {
  const client = newClient();
  await client.list("/wallet/");
  api.clock.advance(7 * 3600);
  await client.list("/wallet/");
  expect(tokenRequests()).toEqual(["POST /token/", "POST /token/refresh/", "POST /token/"]);
});

test("a refresh whose answer is lost is not repeated: its token would end the session", async () => {
  const client = newClient();
  await client.list("/wallet/");
  api.clock.advance(16 * 60);
  proxy.disturb("POST /token/refresh/", { kind: "lose", status: null });
  await client.list("/wallet/");
  expect(tokenRequests()).toEqual(["POST /token/", "POST /token/refresh/", "POST /token/"]);
});

test("a wrong password is refused, each time", async () => {
  const client = newClient("wrong");
  for (let time = 0; time < 2; time += 1) {
    await expect(client.list("/wallet/")).rejects.toMatchObject({ status: 401, code: "2007" });
  }
});

test("a log-in that someone else answers is not believed", async () => {
  const attributes = {
    access: "a",
    refresh: "b",
    access_expired_at: "2100-01-01T00:00:00.000000Z",
  };
  const meta = { time: "2026-01-01T00:00:00.000000Z", sign: "0".repeat(64) };
  const body = JSON.stringify({ data: { type: "auth-token", id: "0", attributes }, meta });
  proxy.disturb("POST /token/", { kind: "refuse", status: 200, body });
  await expect(newClient().list("/wallet/")).rejects.toThrow("not signed by someone who knows");
});

test("a token of the caller's is used, and asked for anew when it is refused", async () => {
  const rejected: (string | null)[] = [];
  const own = await newClient().accessToken();
  const client = createClient({
    baseUrl: proxy.url,
    getAccessToken: (refused) => {
      rejected.push(refused);
      return Promise.resolve(refused === null ? "expired" : own);
    },
  });
  expect((await client.list("/wallet/")).pagination.count).toBe(4);
  expect(rejected).toEqual([null, "expired"]);
  const nobody = createClient({ baseUrl: proxy.url, getAccessToken: () => Promise.resolve(null) });
  await expect(nobody.list("/wallet/")).rejects.toMatchObject({ status: 401 });
});

test("the feed is read to its end, from a number on, and followed over failures", async () => {
  const client = newClient();
  const { accountId, wallets } = shop;
  const token = await api.tokenOf(shop.owner);
  const pay = async (count: number): Promise<void> => {
    const made = Array.from({ length: count }, () =>
      arrangeDepositOf(api, token, newDeposit(wallets.ether)),
    );
    await payAll(
      api,
      "ETH",
      (await Promise.all(made)).map((id) => ({ accountId, id, amount: "0.5" })),
    );
  };
  await pay(3);
  const numbers: number[] = [];
  for await (const event of client.events({ isFollowing: false, pageSize: 2 })) {
    expect(event.attributes.trigger).toBe("confirmed");
    numbers.push(event.attributes.seq);
  }
  expect(numbers).toEqual([1, 2, 3]);

  proxy.disturb(
    "GET /event/",
    null,
    ...Array.from({ length: 6 }, () => ({ kind: "lose", status: 502 }) as const),
  );
  const leaving = new AbortController();
  const later: number[] = [];
  const paying = pay(2);
  for await (const event of client.events({ after: 2, pollMs: 50, signal: leaving.signal })) {
    later.push(event.attributes.seq);
    if (event.attributes.seq === 5) leaving.abort();
  }
  await paying;
  expect(later).toEqual([3, 4, 5]);
});

test("what is refused for good ends the feed", async () => {
  const wrong = newClient().events({ after: "-1" });
  await expect(wrong.next()).rejects.toMatchObject({ status: 400, code: "1007" });
});

test("OPTIONS tells what a path takes", async () => {
  const { name, actions } = await newClient().options("/deposit/");
  expect([name !== "", Object.keys(actions)]).toEqual([true, ["GET", "POST"]]);
});
