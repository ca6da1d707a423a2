import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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

// Runs tokens and the event feed against the whole API.

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

const calls = () => proxy.seen.map(({ method, path }) => `${method} ${path}`);
const tokenRequests = () => calls().filter((one) => one.startsWith("POST /token/"));

describe("client tokens", () => {
  it("shares one login and one refresh between concurrent calls", async () => {
    const client = newClient();
    await Promise.all(Array.from({ length: 5 }, () => client.list("/wallet/")));
    expect(tokenRequests()).toEqual(["POST /token/"]);
    // By the client's own clock the token is still valid.
    api.clock.advance(16 * 60);
    await Promise.all(Array.from({ length: 5 }, () => client.list("/wallet/")));
    expect(tokenRequests()).toEqual(["POST /token/", "POST /token/refresh/"]);
  });

  it("logs in again when the session has ended", async () => {
    const client = newClient();
    await client.list("/wallet/");
    api.clock.advance(7 * 3600);
    await client.list("/wallet/");
    expect(tokenRequests()).toEqual(["POST /token/", "POST /token/refresh/", "POST /token/"]);
  });

  it("logs in instead of repeating a refresh without a response", async () => {
    const client = newClient();
    await client.list("/wallet/");
    api.clock.advance(16 * 60);
    proxy.disturb("POST /token/refresh/", { kind: "lose", status: null });
    await client.list("/wallet/");
    expect(tokenRequests()).toEqual(["POST /token/", "POST /token/refresh/", "POST /token/"]);
  });

  it("throws 401 for a wrong password on every call", async () => {
    const client = newClient("wrong");
    for (let time = 0; time < 2; time += 1) {
      await expect(client.list("/wallet/")).rejects.toMatchObject({ status: 401, code: "2007" });
    }
  });

  it("rejects a login response that is not signed with the password", async () => {
    const attributes = {
      access: "a",
      refresh: "b",
      access_expired_at: "2100-01-01T00:00:00.000000Z",
    };
    const meta = { time: "2026-01-01T00:00:00.000000Z", sign: "0".repeat(64) };
    const body = JSON.stringify({ data: { type: "auth-token", id: "0", attributes }, meta });
    proxy.disturb("POST /token/", { kind: "refuse", status: 200, body });
    await expect(newClient().list("/wallet/")).rejects.toThrow("not signed with the password");
  });

  it("uses the caller's token and requests another when it is rejected", async () => {
    const rejected: (string | null)[] = [];
    const own = await newClient().accessToken();
    const client = createClient({
      baseUrl: proxy.url,
      getAccessToken: (previous) => {
        rejected.push(previous);
        return Promise.resolve(previous === null ? "expired" : own);
      },
    });
    expect((await client.list("/wallet/")).pagination.count).toBe(4);
    expect(rejected).toEqual([null, "expired"]);
    const anonymous = createClient({
      baseUrl: proxy.url,
      getAccessToken: () => Promise.resolve(null),
    });
    await expect(anonymous.list("/wallet/")).rejects.toMatchObject({ status: 401 });
  });
});

describe("a request that is sent again", () => {
  it("names the token that it was sent with before", async () => {
    const asked: (readonly [string | null, string | null])[] = [];
    const statuses = [503, 401, 503, 200];
    const body = JSON.stringify({ data: { type: "me", id: "1", attributes: {} } });
    const client = createClient(
      {
        baseUrl: "https://pay.example",
        getAccessToken: (rejected, former) => {
          asked.push([rejected, former]);
          return Promise.resolve(`token ${asked.length}`);
        },
      },
      {
        delayMs: 1,
        fetch: () => Promise.resolve(new Response(body, { status: statuses.shift() ?? 200 })),
      },
    );
    expect((await client.get("/me/")).data.id).toBe("1");
    expect(asked).toEqual([
      [null, null],
      [null, "token 1"],
      ["token 2", "token 2"],
      [null, "token 3"],
    ]);
  });
});

describe("client.events", () => {
  async function pay(count: number): Promise<void> {
    const { accountId, wallets } = shop;
    const token = await api.tokenOf(shop.owner);
    const created = Array.from({ length: count }, () =>
      arrangeDepositOf(api, token, newDeposit(wallets.ether)),
    );
    const payments = (await Promise.all(created)).map((id) => ({ accountId, id, amount: "0.5" }));
    await payAll(api, "ETH", payments);
  }

  it("reads the feed to its end and follows it across failures", async () => {
    const client = newClient();
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

  it("reads every event, whatever the page size", async () => {
    const client = newClient();
    await pay(10);
    for (const pageSize of [500, 0, 2.5]) {
      const numbers: number[] = [];
      for await (const event of client.events({ isFollowing: false, pageSize }))
        numbers.push(event.attributes.seq);
      expect(numbers).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
    }
  });

  it("throws permanent errors", async () => {
    const wrong = newClient().events({ after: "-1" });
    await expect(wrong.next()).rejects.toMatchObject({ status: 400, code: "1007" });
  });
});

describe("client.options", () => {
  it("returns the metadata of a path", async () => {
    const { name, actions } = await newClient().options("/deposit/");
    expect([name !== "", Object.keys(actions)]).toEqual([true, ["GET", "POST"]]);
  });
});
