import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { depositApi } from "../../../test/support/deposit-api.ts";
import {
  announceChain,
  arrangeWallet,
  depositWorld,
  fillPool,
  ownerOf,
  payment,
  rateOf,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { outcomeOf, paymentPages } from "../../../test/support/payment-pages.ts";
import { databaseDigest } from "../../../test/support/whole-api.ts";
import { readDepositRow } from "../../deposits/deposit-list.store.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/*
 * Payment links: what administrators may set, what a visitor may do, and that visitors who come at the same time never take more than the
 * stock.
 */

const database = useDatabase();
const world = depositWorld(database);
const pages = paymentPages(world);
const deposits = depositApi(world);
let shop: Wallet;

beforeEach(async () => {
  world.rates.set("1002 840", rateOf("2000"));
  shop = await arrangeWallet(world, { type: 1, currency: usd });
  await fillPool(world, "evm", "", 20);
});

type Members = Readonly<Record<string, JsonValue>>;

const teapot: Members = { name: "Blue teapot", amount: "40.00" };

const newLink = (attributes: Members, wallet: JsonValue = shop.walletId): JsonObject => ({
  data: {
    type: "payment-link",
    attributes,
    relationships: { wallet: { data: { type: "wallet", id: wallet } } },
  },
});

const post = (attributes: Members, as = ownerOf(shop.accountId), wallet?: JsonValue) =>
  pages.api.ask("POST", "/payment-link/", { as, body: newLink(attributes, wallet) });

async function createLink(attributes: Members = {}) {
  const { status, one, text } = await post({ ...teapot, ...attributes });
  expect([status, text]).toEqual([201, text]);
  return { id: one.id, path: new URL(one.attributes["url"] as string).pathname };
}

const change = (id: string, attributes: Members, as = ownerOf(shop.accountId)) =>
  pages.api.ask("PATCH", `/payment-link/${id}/`, {
    as,
    body: { data: { type: "payment-link", id, attributes } },
  });

const visit = (path: string, body: Members = {}) => pages.post(`${path}pay/`, body);

async function depositsOf(id: string) {
  return database.sql<{ id: string; status: number }>(
    "select id, status from deposit where payment_link_id = $1 order by id",
    [id],
  );
}

async function depositBehind(answer: Awaited<ReturnType<typeof visit>>) {
  const { payment_page: path } = JSON.parse(answer.text) as { readonly payment_page: string };
  const [row] = await database.sql<{ id: string }>(
    "select id from deposit where payment_page_id = $1",
    [path.slice(5, -1)],
  );
  return present(
    await readDepositRow(database.db, shop.accountId, present(row, "the deposit").id),
    "the deposit",
  );
}

describe("/payment-link/", () => {
  it("creates, lists, changes and switches off links, with the history in the audit log", async () => {
    const { id } = await createLink({ description: "One liter", stock: 3 });
    const changed = await change(id, { amount: "45", stock: null, is_active: false });
    expect(changed.one.attributes).toMatchObject({
      name: "Blue teapot",
      description: "One liter",
      amount_type: "fixed",
      amount: "45.00",
      stock: null,
      is_active: false,
      state: "inactive",
      deposit_count: 0,
    });
    const list = await pages.api.ask("GET", "/payment-link/?filter[is_active]=false", {
      as: ownerOf(shop.accountId),
    });
    expect(list.resources.map((link) => link.id)).toEqual([id]);
    const entries = await database.sql<{ action: string; summary: unknown }>(
      "select action, summary from audit_entry where account_id = $1 and action like 'payment_link.%' order by seq",
      [shop.accountId],
    );
    expect(entries).toMatchObject([
      { action: "payment_link.created" },
      {
        action: "payment_link.changed",
        summary: { amount: "45.00", amount_before: "40.00", stock: null, stock_before: "3" },
      },
    ]);
  });

  it.each<readonly [string, Members]>([
    ["name", { name: null }],
    ["name", { name: "x".repeat(65) }],
    ["amount", { amount: null }],
    ["amount", { amount: "0" }],
    ["amount", { amount: "1.001" }],
    ["amount", { amount_type: "open" }],
    ["amount_min", { amount_min: "5" }],
    ["amount_max", { amount_type: "chosen", amount: null, amount_min: "5", amount_max: "4" }],
    ["amount_type", { amount_type: "any" }],
    ["stock", { stock: -1 }],
    ["ends_at", { ends_at: "tomorrow" }],
    ["time_limit", { time_limit: 58 }],
    ["callback_url", { callback_url: "ftp://shop.example/" }],
    ["payment_page_redirect_url", { payment_page_redirect_url: "javascript:alert(1)" }],
    ["image", { image: "https://shop.example/teapot.png" }],
  ])("rejects a wrong %s and changes nothing: %j", async (member, attributes) => {
    const { id } = await createLink();
    const before = await databaseDigest(database);
    for (const refused of [await post({ ...teapot, ...attributes }), await change(id, attributes)])
      expect(faults(refused)).toEqual(["400", `1007 /data/attributes/${member}`]);
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("is for Merchant wallets of the account, and for Owners and Admins", async () => {
    const ether = await arrangeWallet(world, { accountId: shop.accountId });
    const stranger = await arrangeWallet(world, { type: 1, currency: usd });
    for (const wallet of [ether.walletId, stranger.walletId, "999"])
      expect(faults(await post(teapot, ownerOf(shop.accountId), wallet))).toEqual([
        "400",
        "1007 /data/relationships/wallet",
      ]);
    const { id } = await createLink();
    expect((await change(id, { name: "x" }, ownerOf(stranger.accountId))).status).toBe(404);
    const clerk = { ...ownerOf(shop.accountId), memberId: "7", role: "withdrawals" as const };
    expect((await post(teapot, clerk)).status).toBe(403);
    expect((await change(id, { name: "x" }, clerk)).status).toBe(403);
    expect((await pages.api.ask("GET", "/payment-link/", { as: clerk })).status).toBe(403);
    expect((await pages.api.ask("GET", `/payment-link/${id}/`, { as: clerk })).status).toBe(403);
  });

  it("hides links into wallets that an Admin was not granted", async () => {
    const { id } = await createLink();
    const other = await arrangeWallet(world, {
      accountId: shop.accountId,
      type: 1,
      currency: usd,
    });
    const admin = {
      ...ownerOf(shop.accountId),
      memberId: "7",
      role: "admin" as const,
      wallets: new Map([[other.walletId, { mayPay: true }]]),
    };
    const own = await post({ ...teapot, name: "Cup" }, admin, other.walletId);
    const list = await pages.api.ask("GET", "/payment-link/", { as: admin });
    expect(list.resources.map((link) => link.id)).toEqual([own.one.id]);
    expect(faults(await pages.api.ask("GET", `/payment-link/${id}/`, { as: admin }))).toEqual([
      "400",
      "5001",
    ]);
    expect(faults(await change(id, { name: "x" }, admin))).toEqual(["400", "5001"]);
    expect(faults(await post(teapot, admin))).toEqual(["400", "1007 /data/relationships/wallet"]);
  });
});

describe("a visitor of a payment link", () => {
  it("gets a deposit with the link's terms, and sees on the page what is paid for", async () => {
    const { id, path } = await createLink({
      description: "Blue, one liter",
      time_limit: 900,
      callback_url: "https://shop.example/callbacks",
    });
    const page = await pages.get(path);
    expect(page.text).toContain('"name":"Blue teapot"');
    const deposit = await depositBehind(await visit(path));
    expect(deposit).toMatchObject({
      label: "Blue teapot",
      description: "Blue, one liter",
      targetAmountRequested: 4_000n,
      timeLimit: 900,
      callbackUrl: "https://shop.example/callbacks",
      currency: null,
      paymentLinkId: id,
    });
    expect((await pages.stateOf(deposit)).stage).toBe("choose");
  });

  it("gets a deposit whose label is the first 32 characters of the link's name", async () => {
    const name = `${"x".repeat(31)}\u{1F600} and more`;
    const { path } = await createLink({ name });
    expect((await depositBehind(await visit(path))).label).toBe(`${"x".repeat(31)}\u{1F600}`);
  });

  it("chooses the amount within the link's bounds, where it allows that", async () => {
    const bounds = { amount_min: "5", amount_max: "100" };
    const { path } = await createLink({ amount_type: "chosen", amount: null, ...bounds });
    for (const amount of ["4.99", "100.01", "0", "-5", "5.001", "abc", ""])
      expect(outcomeOf(await visit(path, { amount }))).toBe("400 1007 /amount");
    expect((await depositBehind(await visit(path, { amount: "5" }))).targetAmountRequested).toBe(
      500n,
    );
    const fixed = await createLink();
    const forged = await visit(fixed.path, { amount: "0.01" });
    expect((await depositBehind(forged)).targetAmountRequested).toBe(4_000n);
    const unlimited = await createLink({ amount_type: "chosen", amount: null });
    expect(outcomeOf(await visit(unlimited.path, { amount: "9e999" }))).toBe("400 1007 /amount");
    const open = await createLink({ amount_type: "open", amount: null });
    expect((await depositBehind(await visit(open.path))).targetAmountRequested).toBeNull();
  });

  it("gets nothing from a link that is switched off, has ended, or does not exist", async () => {
    const { id, path } = await createLink({
      ends_at: formatTimestamp(addSeconds(world.clock.now(), 60)),
    });
    expect((await visit(path)).status).toBe(200);
    await change(id, { is_active: false });
    expect(outcomeOf(await visit(path))).toBe("409 deposit_ended");
    await change(id, { is_active: true });
    world.clock.advance(60_000);
    expect(outcomeOf(await visit(path))).toBe("409 deposit_ended");
    expect((await pages.get(path)).text).toContain('"state":"ended"');
    const unknown = "/link/00000000-0000-4000-8000-000000000000/";
    expect(outcomeOf(await visit(unknown))).toBe("404 404");
    expect((await pages.get(unknown)).status).toBe(404);
    expect(await depositsOf(id)).toHaveLength(1);
  });

  it("starts payments from the link's own page only", async () => {
    const { id, path } = await createLink();
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }])
      expect((await pages.post(`${path}pay/`, {}, headers)).status).toBe(403);
    expect(await depositsOf(id)).toEqual([]);
  });
});

describe("the stock of a link", () => {
  it("is never exceeded by visitors who come at the same time", async () => {
    const { id, path } = await createLink({ stock: 3 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => visit(path)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...[200, 200, 200],
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect(await depositsOf(id)).toHaveLength(3);
    const { one } = await pages.api.ask("GET", `/payment-link/${id}/`, {
      as: ownerOf(shop.accountId),
    });
    expect(one.attributes).toMatchObject({ state: "sold_out", deposit_count: 3, paid_count: 0 });
    expect((await pages.get(path)).text).toContain('"left":0');
  });

  it("gets back what nobody paid for, and keeps what is paid", async () => {
    const { id, path } = await createLink({ stock: 1 });
    const unpaid = await depositBehind(await visit(path));
    // Without a time limit of its own, so that an unpaid deposit cannot hold the stock forever.
    expect(unpaid.timeLimit).toBe(3_600);
    expect((await visit(path)).status).toBe(409);
    const owner = ownerOf(shop.accountId);
    expect(
      (await deposits.ask("POST", `/deposit/${unpaid.id}/cancel/`, { as: owner })).status,
    ).toBe(200);
    const chain = await announceChain(world, "ETH");
    const paying = await depositBehind(await visit(path));
    const chosen = await pages.post(`/pay/${paying.paymentPageId}/choose/`, { currency: "1002" });
    expect(chosen.status).toBe(200);
    const deposit = present(
      await readDepositRow(database.db, shop.accountId, paying.id),
      "the deposit",
    );
    await chain.append([payment({ deposit, amount: "0.02" })]);
    await chain.grow(3);
    expect((await pages.stateOf(deposit)).stage).toBe("paid");
    expect((await visit(path)).status).toBe(409);
    await change(id, { stock: 2 });
    expect((await visit(path)).status).toBe(200);
    expect(await depositsOf(id)).toHaveLength(3);
  });
});
