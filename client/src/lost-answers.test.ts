import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
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

// The client over a network that loses answers, before the whole API: nothing is paid or created twice, and what happened is
// found again.

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

test.each([
  ["the connection breaks", lose],
  ["a proxy gives up", { kind: "lose", status: 504 }],
] as const)(
  "a payout whose answer is lost as %s is made once, and found again",
  async (title, loss) => {
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
    const { data: made } = await client.list("/payout/", { filter: { tracking_id: title } });
    expect(made.map(({ id }) => id)).toEqual([data.id]);
  },
);

test("a payout that the service never heard of is sent again with its key", async () => {
  const refused = { kind: "refuse", status: 502 } as const;
  proxy.disturb("POST /payout/", refused, refused);
  const made = await client.post("/payout/", payout("unheard"));
  expect([made.response.status, made.response.attempts]).toEqual([201, 3]);
});

test("a key of the caller's that was used before is refused, unless the caller says so", async () => {
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

test("a refund whose answer is lost pays back once", async () => {
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

test("a deposit whose response is lost is created once, and returned by the second attempt", async () => {
  const older = await client.post("/deposit/", deposit("order-7"));
  proxy.disturb("POST /deposit/", lose);
  const { data, response } = await client.post("/deposit/", deposit("order-7"));
  expect([response.status, response.attempts]).toEqual([200, 2]);
  const { data: all } = await client.list("/deposit/", { filter: { tracking_id: "order-7" } });
  expect(all.map(({ id }) => id)).toEqual([data.id, older.data.id]);
});

test("a deposit is created by the second attempt when the first never reached the service", async () => {
  proxy.disturb("POST /deposit/", { kind: "refuse", status: 504, body: "<html>" });
  const { response } = await client.post("/deposit/", deposit());
  expect([response.status, response.attempts]).toEqual([201, 2]);
});

test("a POST that takes no key is sent once when its response is lost", async () => {
  proxy.disturb("POST /wallet/", lose);
  const wallet = {
    attributes: { type: 2 },
    relationships: { currency: { type: "currency", id: "1002" } },
  } as const;
  await expect(client.post("/wallet/", wallet)).rejects.toBeInstanceOf(SluiceUnreachable);
  expect(sent("POST", "/wallet/")).toHaveLength(1);
});

test("what the service itself refuses for now is sent again, at the time that it names", async () => {
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

test("a read is repeated, and given up after as many attempts as were allowed", async () => {
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

test("a request ends with its time, or with its signal, and is not repeated", async () => {
  const hang = { kind: "hang" } as const;
  proxy.disturb("GET /wallet/", hang);
  await expect(client.list("/wallet/", { timeoutMs: 3_000, retries: 0 })).rejects.toMatchObject({
    isTimeout: true,
  });
  const asked = () => sent("GET", "/currency/").length;
  proxy.disturb("GET /currency/", hang, hang);
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = expect(client.list("/currency/", { signal })).rejects.toMatchObject({
    name: "TimeoutError",
  });
  await eventually(asked, (count) => count === 1);
  leaving.abort(new DOMException("It took too long.", "TimeoutError"));
  await left;
  await expect(client.list("/currency/", { signal })).rejects.toMatchObject({
    name: "TimeoutError",
  });
  expect(asked()).toBe(1);
  // One that ended before it was sent has left its disturbance to the next.
  proxy.disturb("GET /wallet/");
  proxy.disturb("GET /currency/");
});

test("a refusal says all that is wrong, and where", async () => {
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
