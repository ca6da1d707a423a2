import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { fillPool } from "../../test/support/deposit-world.ts";
import { eventually } from "../../test/support/eventually.ts";
import { takenFee } from "../../test/support/fee-node.ts";
import { payee, receiver } from "../../test/support/payout-world.ts";
import { startUnreliableProxy, type UnreliableProxy } from "../../test/support/unreliable-proxy.ts";
import { useWholeApi } from "../../test/support/whole-api.ts";
import { arrangeUnresolved, fundTenant } from "../../test/support/whole-payouts.ts";
import { arrangeTenant, setPrices, type Tenant } from "../../test/support/whole-tenant.ts";
import { type Client, createClient } from "./create-client.ts";
import { SluiceError, SluiceUnreachable } from "./sluice-error.ts";

// Runs the client against the whole API through a proxy that loses responses: nothing is paid or created twice.

const database = useDatabase();
const api = useWholeApi(database);
let shop: Tenant;
let proxy: UnreliableProxy;
let client: Client;
beforeAll(async () => {
  await fillPool(api.world(), "evm", "", 30);
  await setPrices(api, { ETH: 2000 });
  shop = await arrangeTenant(api);
  await fundTenant(api, shop);
  proxy = await startUnreliableProxy(api.url());
  const { login, password } = shop.owner;
  client = createClient({ baseUrl: proxy.url, login, password }, { delayMs: 20 });
});
afterAll(() => proxy.close());
beforeEach(() => {
  proxy.seen.length = 0;
});

const sent = (method: string, path: string) =>
  proxy.seen.filter((one) => one.method === method && one.path.split("?")[0] === path);
const lose = { kind: "lose", status: null } as const;

function payout(trackingId: string) {
  return {
    attributes: {
      amount: "0.001",
      fee_amount: takenFee,
      address: payee,
      tracking_id: trackingId,
      travel_rule_info: receiver,
    },
    relationships: {
      wallet: { type: "wallet", id: shop.wallets.ether },
      currency: { type: "currency", id: "1002" },
    },
  } as const;
}

describe("client retries", () => {
  it.each([
    ["a broken connection", lose],
    ["a proxy timeout", { kind: "lose", status: 504 }],
  ] as const)("creates a payout once after %s, and returns it", async (title, loss) => {
    proxy.disturb("POST /payout/", loss);
    const { data, response } = await client.post("/payout/", {
      ...payout(title),
      include: ["wallet"],
    });
    expect(data.attributes.tracking_id).toBe(title);
    expect(data.relationships.wallet.resource?.id).toBe(shop.wallets.ether);
    expect(response.attempts).toBe(2);
    const keys = sent("POST", "/payout/").map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    const { data: created } = await client.list("/payout/", { filter: { tracking_id: title } });
    expect(created.map(({ id }) => id)).toEqual([data.id]);
  });

  it("resends a payout with the same key if the service never received it", async () => {
    const refused = { kind: "refuse", status: 502 } as const;
    proxy.disturb("POST /payout/", refused, refused);
    const created = await client.post("/payout/", payout("unheard"));
    expect([created.response.status, created.response.attempts]).toEqual([201, 3]);
  });

  it("rejects a used key unless the caller passes isResumed", async () => {
    const idempotencyKey = crypto.randomUUID();
    const first = await client.post("/payout/", { ...payout("kept key"), idempotencyKey });
    await expect(
      client.post("/payout/", { ...payout("kept key"), idempotencyKey }),
    ).rejects.toMatchObject({
      name: "SluiceError",
      status: 409,
      code: "1004",
      meta: { payout_id: first.data.id },
    });
    const again = await client.post("/payout/", {
      ...payout("kept key"),
      idempotencyKey,
      isResumed: true,
    });
    expect(again.data).toEqual(first.data);
    const other = { ...payout("another"), idempotencyKey, isResumed: true };
    await expect(client.post("/payout/", other)).rejects.toMatchObject({ status: 409, meta: {} });
  });

  it("creates a payout batch once when the response is lost, and returns it", async () => {
    const row = `${payee},0.001,Jo,Doe,Some Street 1`;
    proxy.disturb("POST /payout-batch/", lose);
    const { data, response } = await client.post("/payout-batch/", {
      attributes: {
        csv: `address,amount,first_name,last_name,street\n${row}\n`,
        reference: "lost",
        fees_max: "0.1",
      },
      relationships: {
        wallet: { type: "wallet", id: shop.wallets.ether },
        currency: { type: "currency", id: "1002" },
      },
    });
    expect(data.attributes).toMatchObject({ reference: "lost", rows: 1, created: 1 });
    expect(response.attempts).toBe(2);
  });

  it("refunds once when the response is lost", async () => {
    const [id = ""] = await arrangeUnresolved(api, shop, 1);
    proxy.disturb(`POST /deposit/${id}/resolve/`, lose);
    const { data, meta, response } = await client.post("/deposit/{id}/resolve/", {
      id,
      attributes: {
        action: "refund",
        address: payee,
        fee_amount: takenFee,
        travel_rule_info: receiver,
      },
    });
    expect([data.id, data.attributes.status, response.attempts]).toEqual([id, 4, 2]);
    const paid = await client.get("/payout/{id}/", { id: String(meta["payout_id"]) });
    expect(paid.data.attributes.address).toBe(payee);
  });

  const deposit = (trackingId?: string) =>
    ({
      attributes: trackingId === undefined ? {} : { tracking_id: trackingId },
      relationships: { wallet: { type: "wallet", id: shop.wallets.ether } },
    }) as const;

  it("returns the first deposit when its response was lost", async () => {
    const older = await client.post("/deposit/", deposit("order-7"));
    proxy.disturb("POST /deposit/", lose);
    const { data, response } = await client.post("/deposit/", deposit("order-7"));
    expect([response.status, response.attempts]).toEqual([200, 2]);
    const { data: all } = await client.list("/deposit/", { filter: { tracking_id: "order-7" } });
    expect(all.map(({ id }) => id)).toEqual([data.id, older.data.id]);
  });

  it("creates a deposit when the first attempt never reached the service", async () => {
    proxy.disturb("POST /deposit/", { kind: "refuse", status: 504, body: "<html>" });
    const { response } = await client.post("/deposit/", deposit());
    expect([response.status, response.attempts]).toEqual([201, 2]);
  });

  it("does not resend a POST without a key when its response is lost", async () => {
    proxy.disturb("POST /wallet/", lose);
    const wallet = {
      attributes: { type: 2 },
      relationships: { currency: { type: "currency", id: "1002" } },
    } as const;
    await expect(client.post("/wallet/", wallet)).rejects.toBeInstanceOf(SluiceUnreachable);
    expect(sent("POST", "/wallet/")).toHaveLength(1);
  });

  it("waits as long as the service's Retry-After header says", async () => {
    const errors = [{ status: "429", code: "throttled", title: "t", detail: "d", id: "1" }];
    const throttled = {
      kind: "refuse",
      status: 429,
      headers: { "retry-after": "1" },
      body: JSON.stringify({ errors }),
    } as const;
    proxy.disturb("POST /deposit/", throttled);
    const startedAt = performance.now();
    const { response } = await client.post("/deposit/", deposit());
    expect(response.attempts).toBe(2);
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  });

  it("repeats a read up to the maximum number of attempts", async () => {
    proxy.disturb(
      "GET /wallet/",
      lose,
      { kind: "refuse", status: 503 },
      { kind: "refuse", status: 502 },
    );
    expect((await client.list("/wallet/")).response.attempts).toBe(4);
    proxy.disturb(
      "GET /wallet/",
      ...Array.from({ length: 3 }, () => ({ kind: "refuse", status: 502 }) as const),
    );
    await expect(client.list("/wallet/", { retries: 2 })).rejects.toMatchObject({
      status: 502,
      code: "http",
      errors: [],
    });
    expect(sent("GET", "/wallet/")).toHaveLength(7);
  });

  it("stops at the timeout or when the signal is aborted", async () => {
    const hang = { kind: "hang" } as const;
    proxy.disturb("GET /wallet/", hang);
    await expect(client.list("/wallet/", { timeoutMs: 3_000, retries: 0 })).rejects.toMatchObject({
      isTimeout: true,
    });
    const requests = () => sent("GET", "/currency/").length;
    proxy.disturb("GET /currency/", hang, hang);
    const leaving = new AbortController();
    const { signal } = leaving;
    const left = expect(client.list("/currency/", { signal })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    await eventually(requests, (count) => count === 1);
    leaving.abort(new DOMException("It took too long.", "TimeoutError"));
    await left;
    await expect(client.list("/currency/", { signal })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    expect(requests()).toBe(1);
    // A request that ended before it was sent leaves its disturbance behind.
    proxy.disturb("GET /wallet/");
    proxy.disturb("GET /currency/");
  });

  it("reports every error of a rejected request with its location", async () => {
    const wrong = {
      attributes: { label: "x".repeat(33), confirmations_needed: 101 },
      relationships: { wallet: { type: "wallet", id: shop.wallets.ether } },
    } as const;
    const error = await client.post("/deposit/", wrong).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SluiceError);
    expect(error).toMatchObject({
      status: 400,
      code: "1007",
      pointer: "/data/attributes/confirmations_needed",
      errors: [{ code: "1007" }, { code: "1007", source: { pointer: "/data/attributes/label" } }],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });
});
